import java.util.*;
import java.util.concurrent.*;
import java.util.function.*;

/** Whatever is unusual in how calls begin, end, throw or call back. */
class Main {
    static int sink;

    // ---- constructors

    static class Base {
        Base(int x) {
            if (x < 0) {
                throw new IllegalArgumentException("negative");
            }
            hook();
        }

        void hook() {
        }
    }

    /** Writes to another object of its own class before it is an object itself. */
    class Linked extends Base {
        int x;
        long wide;
        final Linked other;

        Linked(Linked other, boolean both) {
            super(other == null ? 1 : both ? (other.x = 5) + (int) (other.wide = 7L) : other.x++);
            this.other = other;
        }

        Main owner() {
            return Main.this;
        }
    }

    static class Derived extends Base {
        final int[] values;
        int hooked = 5;

        Derived(int x) {
            super(check(x));
            values = new int[x];
        }

        Derived() {
            this(8);
            hooked++;
        }

        static int check(int x) {
            return 100 / (x - 7) - 20;
        }

        @Override
        void hook() {
            hooked = 9;
        }
    }

    class Inner extends Base {
        Inner(int a) {
            super(a);
            sink += a;
        }
    }

    static void constructors() {
        for (int x : new int[] {8, 7, 1, 20}) {
            try {
                sink += new Derived(x).hooked;
            } catch (RuntimeException e) {
                sink++;
            }
        }
        sink += new Derived() {
            int captured = sink;

            @Override
            void hook() {
                sink += captured;
            }
        }.values.length;
        Main outer = new Main();
        outer.new Inner(4);
        final long local = sink;
        class Captures extends Base {
            Captures() {
                super((int) local & 15);
            }

            @Override
            void hook() {
                sink ^= local;
            }
        }
        new Captures();
    }

    // ---- class initialisation

    static class Lazy {
        static int count = 3;
        static final List<String> NAMES = new ArrayList<>();

        static {
            NAMES.add("a");
            count += NAMES.size();
        }
    }

    static class LazyChild extends Lazy {
        static String name = "child" + count;
        int own = name.length();
    }

    static class Failing {
        static int value = Integer.parseInt("no number");

        static void touch() {
        }
    }

    static class WrittenFirst {
        static int value = 1;
    }

    static void initialisation() {
        WrittenFirst.value = 7;
        sink += WrittenFirst.value;
        sink += new LazyChild().own;
        for (int i = 0; i < 2; i++) {
            try {
                Failing.touch();
            } catch (LinkageError e) {
                sink++;
            }
        }
        try {
            sink += Failing.value;
        } catch (NoClassDefFoundError e) {
            sink++;
        }
        try {
            new Failing();
        } catch (NoClassDefFoundError e) {
            sink++;
        }
    }

    // ---- exceptions

    static int depth;

    static int deep(int x) {
        depth++;
        return deep(x + 1) + x;
    }

    static void overflow() {
        try {
            deep(0);
        } catch (StackOverflowError e) {
            sink += depth > 10 ? 1 : 0;
        }
    }

    static int finallyReturns(int x) {
        try {
            if (x == 1) {
                throw new IllegalStateException();
            }
            return 10 / x;
        } catch (ArithmeticException e) {
            return -1;
        } finally {
            sink++;
            if (x == 2) {
                return 22;
            }
        }
    }

    static class Resource implements AutoCloseable {
        final boolean fails;

        Resource(boolean fails) {
            this.fails = fails;
        }

        @Override
        public void close() {
            if (fails) {
                throw new IllegalStateException("close");
            }
        }
    }

    static void resources() {
        for (int i = 0; i < 4; i++) {
            try (Resource a = new Resource(i == 1); Resource b = new Resource(i == 2)) {
                if (i == 3) {
                    throw new IllegalArgumentException();
                }
                sink += i;
            } catch (RuntimeException e) {
                sink += e.getSuppressed().length;
            }
        }
    }

    static void vmExceptions() {
        Object[] holders = {null, "text", new int[1], new Integer[1], 5};
        for (Object o : holders) {
            for (int what = 0; what < 8; what++) {
                try {
                    switch (what) {
                        case 0: sink += ((int[]) o)[1]; break;
                        case 1: sink += o.hashCode() & 1; break;
                        case 2: ((Object[]) o)[0] = "no integer"; break;
                        case 3: sink += (Integer) o; break;
                        case 4: sink += new int[((String) o).length() - 9].length; break;
                        case 5: synchronized (o) { sink++; } break;
                        case 6: ((int[]) o)[-1]++; break;
                        default: throw (RuntimeException) o;
                    }
                } catch (RuntimeException e) {
                    sink++;
                }
            }
        }
    }

    // ---- callbacks, types, identity

    interface Shape {
        default double area() {
            return scale() * 2;
        }

        double scale();
    }

    static void types() {
        Shape lambda = () -> sink;
        Object[] objects = {
            lambda, "s", 'c', 1.5, new int[0], new String[0], new Object[0], new ArrayList<String>(), Lazy.class,
            Thread.State.NEW, (Runnable) Main::resources, new Integer[2][], null
        };
        for (Object o : objects) {
            sink += o instanceof Shape ? 1 : 0;
            sink += o instanceof Runnable ? 2 : 0;
            sink += o instanceof CharSequence ? 4 : 0;
            sink += o instanceof Object[] ? 8 : 0;
            sink += o instanceof Comparable<?>[] ? 16 : 0;
            sink += o instanceof List ? 32 : 0;
            sink += o instanceof Class ? 64 : 0;
            sink += o instanceof Number ? 128 : 0;
            sink += o instanceof Enum ? 256 : 0;
            sink += o instanceof java.io.Serializable ? 512 : 0;
        }
        sink += (int) lambda.area();
    }

    static void identity() {
        String a = "same";
        String b = new String("same");
        String c = b.intern();
        sink += a == b ? 1 : 2;
        sink += a == c ? 4 : 8;
        sink += Main.class == new Main().getClass() ? 16 : 32;
        sink += "same" == c ? 64 : 128;
        Object o = "sa" + b.substring(2);
        sink += o == a ? 256 : 512;
        sink += String.class == (Object) a.getClass() ? 1024 : 2048;
    }

    static void callbacks() {
        List<Integer> list = new ArrayList<>(Arrays.asList(3, 1, 2));
        list.sort((x, y) -> Integer.compare(weight(x), weight(y)));
        TreeMap<String, Integer> map = new TreeMap<>(Comparator.comparing(Main::key));
        for (Integer i : list) {
            map.merge("k" + i % 2, i, (x, y) -> {
                if (x + y > 100) {
                    throw new IllegalStateException();
                }
                return x + y;
            });
        }
        map.computeIfAbsent("z", k -> k.length());
        try {
            list.forEach(i -> {
                sink += 6 / (i - 2);
            });
        } catch (ArithmeticException e) {
            sink++;
        }
        sink += map.values().stream().mapToInt(Integer::intValue).filter(i -> i > 1).sum();
        sink += new Object() {
            @Override
            public String toString() {
                return "me" + sink;
            }
        }.toString().length();
        String joined = "x" + new Lazy() {
            @Override
            public String toString() {
                return "lazy";
            }
        } + sink;
        sink += joined.length();
    }

    static int weight(int x) {
        return -x;
    }

    static String key(String s) {
        return s.substring(1);
    }

    // ---- loaders, threads

    static class Loader extends ClassLoader {
        Loader(ClassLoader parent) {
            super(parent);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            sink++;
            return super.loadClass(name, resolve);
        }
    }

    static void loaders() throws Exception {
        Class<?> loaded = Class.forName("java.util.BitSet", true, new Loader(Main.class.getClassLoader()));
        sink += loaded == BitSet.class ? 1 : 0;
    }

    static volatile int shared;

    static synchronized int next() {
        return ++shared;
    }

    static void threads() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        List<Future<Integer>> results = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            int number = i;
            results.add(pool.submit(() -> next() * number));
        }
        for (Future<Integer> result : results) {
            sink += result.get();
        }
        pool.shutdown();
    }

    // ---- long, wide and odd

    static long wide(long a, double b, long... rest) {
        long sum = a;
        for (long each : rest) {
            sum = sum * 31 + each;
        }
        double half = b / 2;
        sum += (long) half;
        return sum ^ (sum >>> 7);
    }

    static int loop(int n) {
        int a = 0;
        for (int i = 0; i < n; i++) {
            a = a * 31 + (i ^ a >>> 3);
            if (a % 5 == 0) {
                a++;
            }
        }
        return a;
    }

    native void neverCalled();

    static void links() {
        Main main = new Main();
        Linked first = main.new Linked(null, true);
        Linked second = main.new Linked(first, true);
        Linked third = main.new Linked(second, false);
        sink += first.x + second.x + (int) first.wide + (third.owner() == main ? 1 : 0);
    }

    public static void main(String[] args) throws Exception {
        constructors();
        links();
        initialisation();
        for (int i = 0; i < 4; i++) {
            try {
                sink += finallyReturns(i);
            } catch (IllegalStateException e) {
                sink++;
            }
        }
        resources();
        vmExceptions();
        types();
        identity();
        callbacks();
        loaders();
        threads();
        sink += (int) wide(5, 2.5, 1, 2, Long.MAX_VALUE);
        sink += loop(20_000);
        overflow();
        System.out.println("done");
    }
}
