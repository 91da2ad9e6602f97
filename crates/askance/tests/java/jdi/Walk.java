import com.sun.jdi.AbsentInformationException;
import com.sun.jdi.ArrayReference;
import com.sun.jdi.Bootstrap;
import com.sun.jdi.ClassType;
import com.sun.jdi.Field;
import com.sun.jdi.LocalVariable;
import com.sun.jdi.Location;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.StringReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.Value;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.VoidValue;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.StepEvent;
import com.sun.jdi.event.VMDeathEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.StepRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Stops at every line of a program's own classes, or steps from the beginning of main into every call, and prints what
 * each stop shows: frames, lines, variables and what these hold. Nothing that is printed differs from run to run, so
 * that a JVM and a recording can be compared. Frames of classes that a recording does not have are left out.
 */
public class Walk {
    private static final int FRAMES = 4;
    private static final int ELEMENTS = 12;
    private static final String[] LIBRARIES = {"java.*", "javax.*", "jdk.*", "sun.*", "com.sun.*"};

    private final StringBuilder text = new StringBuilder();

    public static void main(String[] arguments) throws Exception {
        boolean byLines = arguments[1].equals("lines");
        int stops = Integer.parseInt(arguments[2]);
        VirtualMachine machine = attach(arguments[0]);
        new Walk().walk(machine, byLines, stops);
    }

    private static VirtualMachine attach(String address) throws Exception {
        for (AttachingConnector connector : Bootstrap.virtualMachineManager().attachingConnectors()) {
            if (connector.name().equals("com.sun.jdi.SocketAttach")) {
                Map<String, Connector.Argument> given = connector.defaultArguments();
                int colon = address.lastIndexOf(':');
                given.get("hostname").setValue(address.substring(0, colon));
                given.get("port").setValue(address.substring(colon + 1));
                return connector.attach(given);
            }
        }
        throw new IllegalStateException("no connector for sockets");
    }

    private void walk(VirtualMachine machine, boolean byLines, int stops) throws Exception {
        ClassPrepareRequest prepared = machine.eventRequestManager().createClassPrepareRequest();
        for (String library : LIBRARIES) {
            prepared.addClassExclusionFilter(library);
        }
        prepared.setSuspendPolicy(EventRequest.SUSPEND_ALL);
        prepared.enable();
        int taken = 0;
        try {
            while (taken < stops) {
                EventSet events = machine.eventQueue().remove();
                for (Event event : events) {
                    if (event instanceof ClassPrepareEvent) {
                        ReferenceType type = ((ClassPrepareEvent) event).referenceType();
                        if (byLines) {
                            for (Location line : lines(type)) {
                                stopAt(machine, line);
                            }
                        } else if (type.name().equals("Main")) {
                            stopAt(machine, type.methodsByName("main").get(0).location());
                        }
                    } else if (event instanceof BreakpointEvent) {
                        BreakpointEvent reached = (BreakpointEvent) event;
                        taken++;
                        show(reached.thread());
                        if (!byLines) {
                            machine.eventRequestManager().deleteEventRequest(reached.request());
                            stepOn(machine, reached.thread());
                        }
                    } else if (event instanceof StepEvent) {
                        taken++;
                        show(((StepEvent) event).thread());
                    } else if (event instanceof VMDeathEvent || event instanceof VMDisconnectEvent) {
                        flush();
                        return;
                    }
                }
                events.resume();
            }
        } catch (VMDisconnectedException gone) {
            flush();
            return;
        }
        flush();
        machine.exit(0);
    }

    private static List<Location> lines(ReferenceType type) {
        try {
            return type.allLineLocations();
        } catch (AbsentInformationException absent) {
            return List.of();
        }
    }

    private static void stopAt(VirtualMachine machine, Location place) {
        BreakpointRequest stop = machine.eventRequestManager().createBreakpointRequest(place);
        stop.setSuspendPolicy(EventRequest.SUSPEND_ALL);
        stop.enable();
    }

    private void stepOn(VirtualMachine machine, ThreadReference thread) {
        StepRequest step =
                machine.eventRequestManager()
                        .createStepRequest(thread, StepRequest.STEP_LINE, StepRequest.STEP_INTO);
        for (String library : LIBRARIES) {
            step.addClassExclusionFilter(library);
        }
        step.setSuspendPolicy(EventRequest.SUSPEND_ALL);
        step.enable();
    }

    private void flush() {
        System.out.print(text);
        System.out.flush();
    }

    private void show(ThreadReference thread) throws Exception {
        List<StackFrame> frames = new ArrayList<>();
        for (StackFrame frame : thread.frames()) {
            String name = frame.location().declaringType().name();
            if (!isLibrary(name) && stable(name).equals(name)) {
                frames.add(frame);
            }
        }
        text.append("stop ").append(frames.size()).append('\n');
        for (StackFrame frame : frames.subList(0, Math.min(FRAMES, frames.size()))) {
            Location at = frame.location();
            text.append("frame ").append(at.declaringType().name()).append('.').append(at.method().name());
            text.append(at.method().signature()).append(' ').append(at.lineNumber());
            text.append(' ').append(at.codeIndex()).append('\n');
            ObjectReference self = frame.thisObject();
            text.append("this ").append(shown(self, 1)).append('\n');
            try {
                List<LocalVariable> variables = new ArrayList<>(frame.visibleVariables());
                Map<LocalVariable, Value> values = frame.getValues(variables);
                for (LocalVariable variable : variables) {
                    text.append("local ").append(variable.name()).append(" : ").append(variable.signature());
                    text.append(" = ").append(shown(values.get(variable), 2)).append('\n');
                }
            } catch (AbsentInformationException absent) {
                text.append("no variables\n");
            }
        }
    }

    private static String shown(Value value, int depth) {
        if (value == null) {
            return "null";
        }
        if (value instanceof VoidValue) {
            return "?";
        }
        if (value instanceof StringReference) {
            return '"' + escaped(((StringReference) value).value()) + '"';
        }
        if (value instanceof ArrayReference) {
            ArrayReference array = (ArrayReference) value;
            StringBuilder all = new StringBuilder(array.type().name());
            all.append('#').append(array.length()).append('[');
            int count = depth == 0 ? 0 : Math.min(ELEMENTS, array.length());
            List<Value> elements = count == 0 ? List.of() : array.getValues(0, count);
            for (Value element : elements) {
                all.append(shown(element, depth - 1)).append(' ');
            }
            return all.append(']').toString();
        }
        if (value instanceof ObjectReference) {
            ObjectReference object = (ObjectReference) value;
            StringBuilder all = new StringBuilder(stable(object.referenceType().name()));
            if (depth > 0) {
                all.append('{');
                for (Field field : fields((ClassType) object.referenceType())) {
                    all.append(field.name()).append('=');
                    all.append(shown(object.getValue(field), depth - 1)).append(' ');
                }
                all.append('}');
            }
            return all.toString();
        }
        return value.toString();
    }

    /** The fields that the program's own classes declare. */
    private static List<Field> fields(ClassType type) {
        List<Field> found = new ArrayList<>();
        for (ClassType at = type; at != null && !isLibrary(at.name()); at = at.superclass()) {
            for (Field field : at.fields()) {
                if (!field.isStatic()) {
                    found.add(field);
                }
            }
        }
        return found;
    }

    private static boolean isLibrary(String name) {
        for (String library : LIBRARIES) {
            if (name.startsWith(library.substring(0, library.length() - 1))) {
                return true;
            }
        }
        return false;
    }

    /** Names of hidden classes differ from run to run behind a mark. */
    private static String stable(String name) {
        int mark = name.indexOf("$$");
        return mark < 0 ? name : name.substring(0, mark) + "$$";
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    }
}
