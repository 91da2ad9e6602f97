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
 * Runs a program under the JVM's own debugging interface and prints, for each of its calls, the locals at every place
 * where a line begins: one line a call (thread, class, method, descriptor), one line a stop (thread, number of the call
 * in it, bytecode offset, then name, descriptor and value of each local), fields separated by tabs. Ends the program
 * after so many stops, with the line "cut".
 */
public class Watch {
    private static final String[] NOT_THE_PROGRAMS = {"java.*", "javax.*", "jdk.*", "sun.*", "com.sun.*"};
    private static final PrintStream OUT = new PrintStream(new BufferedOutputStream(System.out, 1 << 16));
    /** An object that we forget would get another number when it is met again. */
    private static final Set<Value> REMEMBERED = new HashSet<>();

    private static final Map<ThreadReference, Watched> THREADS = new HashMap<>();
    private static int stopsLeft;

    /** A thread of the program: its open calls, the innermost first, and how many it has made. */
    private static final class Watched {
        final ThreadReference thread;
        final ArrayDeque<int[]> open = new ArrayDeque<>();
        int calls;

        Watched(ThreadReference thread) {
            this.thread = thread;
        }

        int depth() {
            try {
                return thread.frameCount();
            } catch (IncompatibleThreadStateException running) {
                throw new IllegalStateException(running);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        arguments.get("main").setValue(args[1]);
        arguments.get("options").setValue("-cp " + args[0]);
        stopsLeft = Integer.parseInt(args[2]);
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
                    begin(requests);
                } else if (event instanceof ClassPrepareEvent) {
                    stopAtLines(requests, ((ClassPrepareEvent) event).referenceType());
                } else if (event instanceof MethodEntryEvent) {
                    entered(watched(event), ((MethodEntryEvent) event).method());
                }
            }
            for (Event event : events) {
                if (event instanceof BreakpointEvent) {
                    if (stopsLeft-- == 0) {
                        OUT.println("cut");
                        vm.exit(0);
                        return;
                    }
                    stopped(watched(event), ((BreakpointEvent) event).location());
                } else if (event instanceof VMDisconnectEvent) {
                    return;
                }
            }
            events.resume();
        }
    }

    private static Watched watched(Event event) {
        return THREADS.computeIfAbsent(((LocatableEvent) event).thread(), Watched::new);
    }

    private static void begin(EventRequestManager requests) {
        ClassPrepareRequest prepare = requests.createClassPrepareRequest();
        MethodEntryRequest entry = requests.createMethodEntryRequest();
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

    private static void entered(Watched watched, Method method) {
        if (isHidden(method.declaringType())) {
            return;
        }
        int depth = watched.depth();
        while (!watched.open.isEmpty() && watched.open.peek()[0] >= depth) {
            watched.open.pop();
        }
        watched.open.push(new int[] {depth, watched.calls++});
        String type = method.declaringType().name().replace('.', '/');
        String label = type + "." + method.name() + method.signature();
        OUT.println("call\t" + watched.thread.name() + "\t" + label);
    }

    private static void stopped(Watched watched, Location place) {
        int depth = watched.depth();
        while (watched.open.peek()[0] > depth) {
            watched.open.pop();
        }
        StringBuilder line = new StringBuilder("at\t").append(watched.thread.name());
        line.append('\t').append(watched.open.peek()[1]).append('\t').append(place.codeIndex());
        try {
            StackFrame frame = watched.thread.frame(0);
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
