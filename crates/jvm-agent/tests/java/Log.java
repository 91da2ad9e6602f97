import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * What a test program says about itself, to be compared with its trace. Each line has a number, with
 * which {@code mark} is called: where that call stands in the trace is where the line was printed.
 */
public final class Log {
    private static int lines;

    /** A method was entered with these arguments. */
    public static void enter(Object... arguments) {
        print("enter", render(arguments));
    }

    /** The method returns this. */
    public static <T> T returns(T value) {
        print("returns", render(value));
        return value;
    }

    /** The method ends by this exception. */
    public static <T extends Throwable> T throwing(T exception) {
        print("throws", render(exception));
        return exception;
    }

    /** The method is here, whatever happened before. */
    public static void here() {
        print("here", "");
    }

    private static synchronized void print(String event, String values) {
        int line = ++lines;
        mark(line);
        System.out.println("@" + line + "\t" + event + "\t" + callers() + "\t" + values);
    }

    static void mark(int line) {
    }

    /** The recorded methods on the stack, outermost first. */
    private static String callers() {
        String innermostFirst = Arrays.stream(new Throwable().getStackTrace())
                .map(frame -> frame.getClassName() + "." + frame.getMethodName())
                .filter(name -> !name.startsWith("java.") && !name.startsWith("jdk.")
                        && !name.startsWith("sun.") && !name.startsWith("Log."))
                .collect(Collectors.joining(" "));
        String[] names = innermostFirst.split(" ");
        StringBuilder callers = new StringBuilder();
        for (int i = names.length - 1; i >= 0; i--) {
            callers.append(names[i]).append(i > 0 ? " " : "");
        }
        return callers.toString();
    }

    static String render(Object... values) {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < values.length; i++) {
            all.append(i > 0 ? ", " : "").append(render(values[i]));
        }
        return all.toString();
    }

    static String render(Object value) {
        if (value instanceof String) {
            return "\"" + value + "\"";
        } else if (value instanceof Character) {
            return "'" + (int) (Character) value;
        } else if (value instanceof Float) {
            return Integer.toHexString(Float.floatToRawIntBits((Float) value)) + "f";
        } else if (value instanceof Double) {
            return Long.toHexString(Double.doubleToRawLongBits((Double) value)) + "d";
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            return String.valueOf(value);
        } else if (value instanceof Enum) {
            return ((Enum<?>) value).name();
        } else if (value instanceof Class) {
            return "class " + ((Class<?>) value).getName();
        } else if (value instanceof Throwable) {
            return value.getClass().getName() + ": " + ((Throwable) value).getMessage();
        }
        return value.getClass().getName().split("\\$\\$Lambda")[0];
    }
}
