import java.util.Random;

/** Random operations on objects of the JDK, with a {@link Check#point} after each few of them. */
public final class Main {
    public static void main(String[] args) {
        long seed = Long.parseLong(args[0]);
        int rounds = Integer.parseInt(args[1]);
        Lists.run(new Random(seed), rounds);
        Queues.run(new Random(seed + 1), rounds);
        Maps.run(new Random(seed + 2), rounds);
        Sets.run(new Random(seed + 3), rounds);
        Builders.run(new Random(seed + 4), rounds);
        Atomics.run(new Random(seed + 5), rounds);
        Fixed.run(new Random(seed + 6));
        Slots.run(new Random(seed + 7), rounds);
    }
}
