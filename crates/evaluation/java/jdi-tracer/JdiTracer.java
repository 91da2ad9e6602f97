import com.sun.jdi.Bootstrap;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.InternalException;
import com.sun.jdi.InvalidStackFrameException;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.PrimitiveValue;
import com.sun.jdi.StackFrame;
import com.sun.jdi.StringReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.Value;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.event.MethodExitEvent;
import com.sun.jdi.event.VMDeathEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import com.sun.jdi.request.MethodExitRequest;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Traces a program as declarative debuggers on the Java Platform Debugger Architecture do: every
 * entry and exit of a method outside the JDK is an event that stops its thread; the receiver, the
 * arguments and the result are fetched and written to a file.
 *
 * <p>{@code JdiTracer FILE SECONDS JVM-OPTIONS MAIN-AND-ARGUMENTS}: stops after so many seconds.
 * Prints one line of JSON: calls that ended, values fetched, milliseconds until the first call had ended and in
 * all, and whether the program came to its end.
 */
public final class JdiTracer {
    private static final String[] LEFT_OUT = {
        "java.*", "javax.*", "jdk.*", "sun.*", "com.sun.*", "org.xml.*", "org.w3c.*"
    };

    private final BufferedWriter file;
    /** Open calls of each thread, by the numbers that they have in the file. */
    private final Map<Long, java.util.ArrayDeque<Long>> open = new HashMap<>();
    private long calls;
    private long ended;
    private long values;

    private JdiTracer(BufferedWriter file) {
        this.file = file;
    }

    public static void main(String[] args) throws Exception {
        Path path = Paths.get(args[0]);
        long limit = Long.parseLong(args[1]) * 1000;
        long start = System.currentTimeMillis();
        VirtualMachine vm = launch(args[2], args[3]);
        drain(vm.process().getInputStream());
        drain(vm.process().getErrorStream());
        request(vm);
        long first = -1;
        boolean whole = false;
        try (BufferedWriter file = Files.newBufferedWriter(path)) {
            JdiTracer tracer = new JdiTracer(file);
            while (true) {
                long left = start + limit - System.currentTimeMillis();
                EventSet events = left <= 0 ? null : vm.eventQueue().remove(left);
                if (events == null) {
                    vm.process().destroyForcibly();
                    break;
                }
                whole |= tracer.take(events);
                if (first < 0 && tracer.ended > 0) {
                    first = System.currentTimeMillis() - start;
                }
                if (whole) {
                    break;
                }
                events.resume();
            }
            file.flush();
            System.out.printf(
                    "{\"calls\":%d,\"values\":%d,\"first\":%d,\"all\":%d,\"whole\":%b}%n",
                    tracer.ended, tracer.values, first, System.currentTimeMillis() - start, whole);
        } catch (VMDisconnectedException gone) {
            throw new IllegalStateException("the program was lost", gone);
        }
    }

    private static VirtualMachine launch(String options, String main) throws Exception {
        LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        arguments.get("main").setValue(main);
        arguments.get("options").setValue(options);
        return connector.launch(arguments);
    }

    private static void request(VirtualMachine vm) {
        MethodEntryRequest entries = vm.eventRequestManager().createMethodEntryRequest();
        MethodExitRequest exits = vm.eventRequestManager().createMethodExitRequest();
        for (String pattern : LEFT_OUT) {
            entries.addClassExclusionFilter(pattern);
            exits.addClassExclusionFilter(pattern);
        }
        entries.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        exits.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        entries.enable();
        exits.enable();
    }

    /** Whether the program has ended. */
    private boolean take(EventSet events) throws IOException {
        for (Event event : events) {
            if (event instanceof MethodEntryEvent) {
                enter((MethodEntryEvent) event);
            } else if (event instanceof MethodExitEvent) {
                exit((MethodExitEvent) event);
            } else if (event instanceof VMDeathEvent || event instanceof VMDisconnectEvent) {
                return true;
            }
        }
        return false;
    }

    private void enter(MethodEntryEvent event) throws IOException {
        ThreadReference thread = event.thread();
        long number = calls++;
        var stack = open.computeIfAbsent(thread.uniqueID(), id -> new java.util.ArrayDeque<>());
        Long caller = stack.peek();
        stack.push(number);
        StringBuilder line = new StringBuilder();
        line.append("enter ").append(number).append(' ').append(caller == null ? "-" : caller);
        line.append(' ').append(event.method().declaringType().name());
        line.append('.').append(event.method().name()).append(event.method().signature());
        try {
            StackFrame frame = thread.frame(0);
            ObjectReference receiver = frame.thisObject();
            if (receiver != null) {
                append(line.append(" this="), receiver);
            }
            List<Value> arguments = frame.getArgumentValues();
            for (Value argument : arguments) {
                append(line.append(' '), argument);
            }
        } catch (IncompatibleThreadStateException | InvalidStackFrameException unknown) {
            line.append(" ?");
        } catch (InternalException noSlot) {
            // Generated code whose frame the JVM cannot tell the arguments of (JDWP error 35).
            line.append(" ?");
        }
        file.append(line).append('\n');
    }

    private void exit(MethodExitEvent event) throws IOException {
        var stack = open.get(event.thread().uniqueID());
        Long number = stack == null ? null : stack.poll();
        StringBuilder line = new StringBuilder("exit ").append(number).append(' ');
        append(line, event.returnValue());
        file.append(line).append('\n');
        ended++;
    }

    private void append(StringBuilder line, Value value) {
        values++;
        if (value instanceof StringReference) {
            line.append('"').append(((StringReference) value).value()).append('"');
        } else if (value instanceof ObjectReference) {
            ObjectReference object = (ObjectReference) value;
            line.append(object.referenceType().name()).append('#').append(object.uniqueID());
        } else {
            line.append(value instanceof PrimitiveValue ? value.toString() : "null");
        }
    }

    /** What the program prints must not fill its pipe. */
    private static void drain(InputStream from) {
        Thread drainer =
                new Thread(
                        () -> {
                            try {
                                from.transferTo(OutputStream.nullOutputStream());
                            } catch (IOException closed) {
                                // The program has ended.
                            }
                        });
        drainer.setDaemon(true);
        drainer.start();
    }
}
