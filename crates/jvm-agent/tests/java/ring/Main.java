import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Makes so many calls that a small ring gives up most of them. */
public class Main {
    static class Base {
        final int seed;

        Base(int seed) {
            this.seed = work(seed, 40);
        }
    }

    /** Much happens before and after its super constructor returns. */
    static class Derived extends Base {
        int sum;

        Derived(int seed) {
            super(seed);
            sum = work(seed + 1, 40);
            sum += this.seed;
        }

        int add(int more) {
            sum += more;
            return sum;
        }
    }

    static class Refused extends Exception {
        Refused(String message) {
            super(message);
        }
    }

    static int mix(int value, int round) {
        return value * 31 + (round ^ (value >>> 7));
    }

    static int work(int value, int rounds) {
        for (int round = 0; round < rounds; round++) {
            value = mix(value, round);
        }
        return value;
    }

    /** Throws over several open calls, some of which catch and throw again. */
    static int risky(int value, int depth) throws Refused {
        if (depth == 0) {
            work(value, 30);
            throw new Refused("at " + value);
        }
        if (depth % 3 != 0) {
            return risky(value, depth - 1);
        }
        try {
            return risky(value, depth - 1);
        } catch (Refused refused) {
            if (depth > 6) {
                return work(value, 5);
            }
            throw refused;
        }
    }

    static int round(int value) {
        Derived derived = new Derived(value);
        int sum = derived.add(work(value, 20));
        try {
            sum += risky(value, value % 11);
        } catch (Refused refused) {
            sum += refused.getMessage().length();
        }
        return sum;
    }

    static int rounds(int count) {
        int sum = 0;
        for (int round = 0; round < count; round++) {
            sum += round(round);
        }
        return sum;
    }

    /** All that is given up happens with so many calls open. */
    static int deep(int depth, int count) {
        return depth == 0 ? rounds(count) : deep(depth - 1, count) + (depth & 1);
    }

    /** Constructors that are open while their objects are made and written. */
    static class Nest {
        int depth;
        Nest inner;
        int sum;

        Nest(int depth, int count) {
            this.depth = depth;
            if (depth > 0) {
                inner = new Nest(depth - 1, count);
            } else {
                sum = rounds(count);
            }
            sum += mix(depth, sum);
        }
    }

    static int threads(int threads, int count) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        Future<?>[] results = new Future<?>[threads];
        for (int thread = 0; thread < threads; thread++) {
            int size = count / (1 + thread);
            results[thread] = pool.submit(() -> rounds(size));
        }
        int sum = 0;
        for (Future<?> result : results) {
            sum += (Integer) result.get();
        }
        for (int task = 0; task < 2000; task++) {
            int small = task % 3;
            sum += pool.submit(() -> rounds(small)).get();
        }
        pool.shutdown();
        return sum;
    }

    static class Small {
        final int size;

        Small(int size) {
            this.size = size;
        }

        int size() {
            return size;
        }
    }

    enum Weight {
        LIGHT,
        HEAVY
    }

    /** Objects of the first days, which are used every now and then. */
    static class Old {
        final String name = new String("old");
        final Integer number = Integer.valueOf(1_000_000);
        final int[] counts = new int[3];
        final List<Weight> weights = new ArrayList<>();

        Weight weigh(int round) {
            counts[round & 1]++;
            return round % 2 == 0 ? Weight.LIGHT : Weight.HEAVY;
        }

        int use(int round) {
            Weight weight = weigh(round);
            weights.add(weight);
            return length(name) + number(number) + counts(counts) + ordinal(weight) + size(weights);
        }

        static int length(String name) {
            return name.length();
        }

        static int number(Integer number) {
            return number;
        }

        static int counts(int[] counts) {
            return counts[0] + counts.length;
        }

        static int ordinal(Weight weight) {
            return weight.ordinal() + weight.name().length();
        }

        static int size(List<Weight> weights) {
            return weights.size();
        }
    }

    /** Makes an object for every second call. */
    static int objects(int count) {
        Old old = new Old();
        int sum = 0;
        for (int round = 0; round < count; round++) {
            sum += new Small(round).size();
            if (round % 1000 == 999) {
                sum += old.use(round);
            }
        }
        return sum;
    }

    static int endless() {
        int sum = 0;
        for (int round = 0; ; round++) {
            sum += round(round);
        }
    }

    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[1]);
        System.out.println(run(args[0], count));
    }

    static int run(String what, int count) throws Exception {
        switch (what) {
            case "rounds":
                return rounds(count);
            case "nest":
                return new Nest(60, count).sum;
            case "threads":
                return threads(3, count);
            case "objects":
                return objects(count);
            case "endless":
                return endless();
            default:
                int[] sum = new int[1];
                Thread thread = new Thread(null, () -> sum[0] = deep(100_000, count), "deep", 1L << 30);
                thread.start();
                thread.join();
                return sum[0];
        }
    }
}
