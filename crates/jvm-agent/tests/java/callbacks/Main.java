import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Recorded code that is called by the JDK, with and without exceptions through the JDK's frames. */
class Main {
    static class Item implements Comparable<Item> {
        final int weight;

        Item(int weight) {
            this.weight = weight;
        }

        @Override
        public int compareTo(Item other) {
            Log.enter(other);
            if (other.weight == 13) {
                throw Log.throwing(new IllegalArgumentException("unlucky"));
            }
            return Log.returns(Integer.compare(weight, other.weight));
        }

        @Override
        public int hashCode() {
            Log.enter();
            return Log.returns(weight);
        }

        @Override
        public boolean equals(Object other) {
            Log.enter(other);
            return Log.returns(other instanceof Item && ((Item) other).weight == weight);
        }

        @Override
        public String toString() {
            Log.enter();
            return Log.returns("item " + weight);
        }
    }

    interface Shape {
        int area();

        default String describe(String prefix) {
            Log.enter(prefix);
            return Log.returns(prefix + area() + unit());
        }

        static String unit() {
            Log.enter();
            return Log.returns("m2");
        }
    }

    class Inner {
        final int factor;

        Inner(int factor) {
            this.factor = factor;
        }

        int times(int n) {
            Log.enter(n);
            return Log.returns(n * factor * base);
        }

        class Innermost {
            int all(long a, double b, float c, boolean d, char e, byte f, short g, String h) {
                Log.enter(a, b, c, d, e, f, g, h);
                return Log.returns(times((int) a) + base);
            }
        }
    }

    int base = 7;

    int run(int captured, String text) {
        Log.enter(captured, text);
        Supplier<Integer> anonymous = new Supplier<Integer>() {
            @Override
            public Integer get() {
                Log.enter();
                return Log.returns(captured + base);
            }
        };
        IntBinaryOperator lambda = (a, b) -> {
            Log.here();
            return a * b + captured + base;
        };
        Function<Integer, Inner> reference = Inner::new;
        Inner inner = reference.apply(lambda.applyAsInt(3, anonymous.get()));
        Inner.Innermost innermost = inner.new Innermost();
        return Log.returns(innermost.all(1L << 40, -0.0, Float.NaN, true, 'é', (byte) -1, (short) -2, null));
    }

    public static void main(String[] arguments) {
        new Main().run(5, "text");

        Item[] items = {new Item(3), new Item(1), new Item(2)};
        Arrays.sort(items);
        List<Item> list = new ArrayList<>(Arrays.asList(items));
        list.sort(Comparator.comparing(item -> {
            Log.enter(item);
            return Log.returns(-item.weight);
        }));
        list.forEach(item -> Log.here());
        Map<Item, String> map = new HashMap<>();
        for (Item item : items) {
            map.computeIfAbsent(item, Main::nameOf);
        }
        map.computeIfAbsent(new Item(2), Main::nameOf);
        try {
            map.computeIfAbsent(new Item(99), Main::nameOf);
        } catch (IllegalStateException e) {
            Log.here();
        }
        try {
            Arrays.sort(new Item[] {new Item(13), new Item(1)});
        } catch (IllegalArgumentException e) {
            Log.here();
        }
        String joined = IntStream.range(0, 5).filter(Main::isOdd).mapToObj(Item::new)
                .map(String::valueOf).collect(Collectors.joining(","));
        try {
            list.stream().map(item -> item.weight).reduce((a, b) -> a / (b - b));
        } catch (ArithmeticException e) {
            Log.here();
        }
        Shape square = () -> 4;
        square.describe(joined);
        Runtime.getRuntime();
        Log.here();
    }

    static String nameOf(Item item) {
        Log.enter(item);
        if (item.weight == 99) {
            throw Log.throwing(new IllegalStateException("no name"));
        }
        return Log.returns("name" + item.weight);
    }

    static boolean isOdd(int n) {
        Log.enter(n);
        return Log.returns(n % 2 != 0);
    }
}
