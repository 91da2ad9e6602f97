//! What every generated program has around its own methods, by the version of Java that it is for.

pub(super) const IMPORTS: &str = "
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
";

pub(super) const FRAME: &str = r#"
class Main {
    static int counter;
    static long total;
    static final int[] TABLE;
    static String label = "label" + counter;
    int field;
    double ratio = 0.5;

    static {
        int[] table = new int[4];
        for (int i = 0; i < table.length; i++) {
            table[i] = i * i - label.length();
        }
        TABLE = table;
    }

    interface Shape {
        double area(double scale);

        default double twice(double scale) {
            return 2 * area(scale);
        }
    }

    enum Colour { RED, GREEN, BLUE }

    Main(int field) {
        this.field = field;
        counter++;
    }

    class Inner {
        final int seed;
        long last;

        Inner(int seed) {
            this.seed = seed + field;
        }

        long twist(int by) {
            last = seed * 31L ^ by;
            field += (int) last;
            ratio *= last;
            return last >>> 3;
        }
    }

    static class Node {
        final int value;
        final Node next;

        Node(int value, Node next) {
            this.value = value;
            this.next = next;
        }

        int sum() {
            if (next == null) {
                return value;
            }
            return value + next.sum();
        }
    }

    /** Initialised in the middle of whichever method comes first. */
    static class Late {
        static int made = ++counter;

        static {
            total += made;
        }

        static int get() {
            return made++;
        }
    }

    static class Box<T extends Comparable<T>> {
        final T content;

        Box(T content) {
            this.content = content;
        }

        T larger(Box<? extends T> other) {
            T theirs = other.content;
            return content.compareTo(theirs) < 0 ? theirs : content;
        }

        <R extends Comparable<R>> Box<R> map(Function<? super T, ? extends R> change) {
            return new Box<>(change.apply(content));
        }
    }

    static int sum(int first, int... rest) {
        int sum = first;
        for (int next : rest) {
            sum += next;
        }
        return sum;
    }

    static String join(String between, Object... parts) {
        StringBuilder joined = new StringBuilder();
        for (Object part : parts) {
            joined.append(joined.length() == 0 ? "" : between).append(part);
        }
        return joined.toString();
    }

    static int mix(int a, long b) {
        int result = a * 31;
        result ^= (int) (b >>> 32);
        result += (short) b;
        return result;
    }
"#;

/// From Java 17 on.
pub(super) const RECORDS: &str = r#"
    record Pair<A, B>(A first, B second) {
        static int pairs;

        Pair {
            pairs++;
        }

        boolean isSame() {
            return first.equals(second);
        }
    }

    sealed interface Figure permits Circle, Square {
    }

    record Circle(double radius) implements Figure {
    }

    record Square(int side) implements Figure {
        Square {
            if (side < 0) {
                throw new IllegalArgumentException("side");
            }
        }
    }
"#;

pub(super) const RUN: &str = r#"
    static String show(Object o) {
        if (o instanceof Integer) {
            return "int " + o;
        } else if (o instanceof CharSequence) {
            CharSequence text = (CharSequence) o;
            return "text " + text.length();
        } else if (o instanceof int[]) {
            return "ints " + ((int[]) o).length;
        }
        return String.valueOf(o);
    }

    static void run(String name, Supplier<Object> body) {
        Object result;
        try {
            result = body.get();
        } catch (RuntimeException e) {
            result = e.getClass().getSimpleName();
        }
        System.out.println(name + " " + show(result));
    }
"#;
