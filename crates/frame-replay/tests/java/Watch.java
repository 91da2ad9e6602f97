import com.sun.jdi.*;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.*;
import com.sun.jdi.request.*;
import java.io.BufferedOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.*;

/**
 * Runs a program under the JVM's own debugging interface and prints, for each call of its main thread, the locals at
 * every place where a line begins: one line a call (class, method, descriptor), one line a stop (number of
 * the call, bytecode offset, then name, descriptor and value of each local), fields separated by tabs.
 */
public class Watch {
    private static final String[] NOT_THE_PROGRAMS = {"java.*", "javax.*", "jdk.*", "sun.*", "com.sun.*"};
    private static final PrintStream OUT = new PrintStream(new BufferedOutputStream(System.out, 1 << 16));
    /** An object that we forget would get another number when it is met again. */
    private static final Set<Value> REMEMBERED = new HashSet<>();

    private static ThreadReference main;
    private static final ArrayDeque<int[]> open = new ArrayDeque<>();
    private static int calls;

    public static void main(String[] args) throws Exception {
        LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        arguments.get("main").setValue(args[1]);
        arguments.get("options").setValue("-cp " + args[0]);
        VirtualMachine vm = connector.launch(arguments);
        drain(vm.process().getInputStream());
        drain(vm.process().getErrorStream());
        try {
            listen(vm);
        } catch (VMDisconnectedException end) {
            // The program has ended.
        }
        OUT.flush();
    }

    private static void listen(VirtualMachine vm) throws InterruptedException {
        EventRequestManager requests = vm.eventRequestManager();
        while (true) {
            EventSet events = vm.eventQueue().remove();
            for (Event event : events) {
                if (event instanceof VMStartEvent) {
                    main = ((VMStartEvent) event).thread();
                    begin(requests);
                } else if (event instanceof ClassPrepareEvent) {
                    stopAtLines(requests, ((ClassPrepareEvent) event).referenceType());
                } else if (event instanceof MethodEntryEvent) {
                    entered(((MethodEntryEvent) event).method());
                }
            }
            for (Event event : events) {
                if (event instanceof BreakpointEvent && ((BreakpointEvent) event).thread().equals(main)) {
                    stopped(((BreakpointEvent) event).location());
                } else if (event instanceof VMDisconnectEvent) {
                    return;
                }
            }
            events.resume();
        }
    }

    private static void begin(EventRequestManager requests) {
        ClassPrepareRequest prepare = requests.createClassPrepareRequest();
        MethodEntryRequest entry = requests.createMethodEntryRequest();
        entry.addThreadFilter(main);
        entry.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        for (String pattern : NOT_THE_PROGRAMS) {
            prepare.addClassExclusionFilter(pattern);
            entry.addClassExclusionFilter(pattern);
        }
        prepare.enable();
        entry.enable();
    }

    private static void stopAtLines(EventRequestManager requests, ReferenceType type) {
        if (isHidden(type)) {
            return;
        }
        Set<Location> places = new LinkedHashSet<>();
        for (Method method : type.methods()) {
            if (!method.isAbstract() && !method.isNative()) {
                try {
                    places.addAll(method.allLineLocations());
                } catch (AbsentInformationException none) {
                    // Made by the compiler, without lines.
                }
            }
        }
        for (Location place : places) {
            BreakpointRequest stop = requests.createBreakpointRequest(place);
            stop.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
            stop.enable();
        }
    }

    private static boolean isHidden(ReferenceType type) {
        return type.name().contains("/") || type.name().contains("$$Lambda");
    }

    private static void entered(Method method) {
        if (isHidden(method.declaringType())) {
            return;
        }
        int depth = depth();
        while (!open.isEmpty() && open.peek()[0] >= depth) {
            open.pop();
        }
        open.push(new int[] {depth, calls++});
        String type = method.declaringType().name().replace('.', '/');
        OUT.println("call\t" + type + "." + method.name() + method.signature());
    }

    private static int depth() {
        try {
            return main.frameCount();
        } catch (IncompatibleThreadStateException running) {
            throw new IllegalStateException(running);
        }
    }

    private static void stopped(Location place) {
        int depth = depth();
        while (open.peek()[0] > depth) {
            open.pop();
        }
        StringBuilder line = new StringBuilder("at\t").append(open.peek()[1]).append('\t').append(place.codeIndex());
        try {
            StackFrame frame = main.frame(0);
            List<LocalVariable> variables = frame.visibleVariables();
            Map<LocalVariable, Value> values = frame.getValues(variables);
            for (LocalVariable variable : variables) {
                line.append('\t').append(variable.name()).append('\t').append(variable.signature());
                line.append('\t').append(render(values.get(variable)));
            }
        } catch (AbsentInformationException | IncompatibleThreadStateException problem) {
            line.append("\t?");
        }
        OUT.println(line);
    }

    private static String render(Value value) {
        if (value == null) {
            return "null";
        }
        if (value instanceof FloatValue) {
            return Integer.toUnsignedString(Float.floatToRawIntBits(((FloatValue) value).value()));
        }
        if (value instanceof DoubleValue) {
            return Long.toUnsignedString(Double.doubleToRawLongBits(((DoubleValue) value).value()));
        }
        if (value instanceof CharValue) {
            return Integer.toString(((CharValue) value).value());
        }
        if (value instanceof BooleanValue) {
            return ((BooleanValue) value).value() ? "1" : "0";
        }
        if (value instanceof ObjectReference) {
            REMEMBERED.add(value);
            String text = value instanceof StringReference ? ((StringReference) value).value() : "";
            return "#" + ((ObjectReference) value).uniqueID() + " " + text.replaceAll("[^ -~]", "?");
        }
        return value.toString();
    }

    private static void drain(InputStream stream) {
        Thread reader = new Thread(() -> {
            try {
                byte[] buffer = new byte[1 << 12];
                while (stream.read(buffer) >= 0) {
                }
            } catch (java.io.IOException closed) {
                // Nothing more to read.
            }
        });
        reader.setDaemon(true);
        reader.start();
    }
}
