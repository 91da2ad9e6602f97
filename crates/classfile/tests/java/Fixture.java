import java.util.ArrayList;
import java.util.List;

/** A bit of every construct; prints what it computes. */
public class Fixture {
    private final int value;
    private final String text;

    Fixture(int value) {
        this(value, value > 3 ? "large" + value : new StringBuilder("small").append(value).toString());
    }

    Fixture(int value, String text) {
        this.value = value;
        this.text = text;
        if (value < 0) {
            throw new IllegalArgumentException(text);
        }
    }

    /** The loop's condition is the first instruction of the method. */
    static void countDown(int n) {
        while (n > 0) {
            n--;
        }
    }

    static String nested(int n) {
        StringBuilder trail = new StringBuilder();
        try {
            trail.append('a');
            try {
                if (n == 0) {
                    throw new IllegalStateException("inner");
                }
                trail.append(10 / (n - 1));
            } catch (IllegalStateException e) {
                trail.append(e.getMessage());
            } finally {
                trail.append('f');
            }
        } catch (ArithmeticException e) {
            trail.append("arith");
        }
        return trail.toString();
    }

    static long wide(long a, double b, int[] c) {
        long sum = 0;
        for (int i = 0; i < c.length; i++) {
            switch (c[i]) {
                case 0 -> sum += a;
                case 1 -> sum -= (long) b;
                case 2 -> sum ^= i;
                case 1000 -> sum = -sum;
                default -> sum++;
            }
        }
        return sum;
    }

    static String word(String text) {
        return switch (text) {
            case "one" -> "1";
            case "two" -> "2";
            default -> text.isEmpty() ? "none" : "many";
        };
    }

    synchronized int locked(List<Integer> list) {
        int total = 0;
        synchronized (list) {
            for (int each : list) {
                total += each * value;
            }
        }
        return total;
    }

    public static void main(String[] arguments) {
        countDown(5);
        for (int n = 0; n < 3; n++) {
            System.out.println(nested(n));
        }
        System.out.println(wide(7, 2.5, new int[] {0, 1, 2, 3, 1000, 0, 1}));
        System.out.println(word("one") + word("two") + word("") + word("x"));
        List<Fixture> made = new ArrayList<>();
        for (int n = 5; n >= -1; n -= 2) {
            try {
                made.add(new Fixture(n));
            } catch (IllegalArgumentException e) {
                System.out.println("refused " + e.getMessage() + " at line " + e.getStackTrace()[0].getLineNumber());
            }
        }
        made.forEach(each -> System.out.println(each.text + each.locked(List.of(1, 2, 3))));
        System.out.println(Probe.report());
    }
}

/** Called by the inserted code. */
class Probe {
    static int entries;
    static int steps;
    static int escapes;

    static int enter(String method) {
        if (method.equals("countDown")) {
            entries++;
        }
        return method.hashCode();
    }

    static void step(int token, int expected) {
        if (token != expected) {
            throw new AssertionError("the extra local was lost");
        }
        steps++;
    }

    static void escape(int token, int expected) {
        step(token, expected);
        escapes++;
    }

    static String report() {
        return "entries " + entries + ", steps " + (steps > 0) + ", escapes " + escapes;
    }
}
