/**
 * A recursion as deep as the scale has thousands, in a thread with a stack that is large enough.
 * In the middle it computes one step wrongly.
 */
public class Workload {
    public static void main(String[] args) throws InterruptedException {
        int depth = 1000 * Integer.parseInt(args[0]);
        long[] result = new long[1];
        // What is never touched costs nothing.
        Thread deep = new Thread(null, () -> result[0] = sum(depth, depth / 2), "deep", 4L << 30);
        deep.start();
        deep.join();
        System.out.println("checksum " + result[0]);
        try {
            sum(-1, 0);
        } catch (IllegalArgumentException e) {
            System.out.println("expected: " + e.getMessage());
        }
    }

    static long sum(int number, int special) {
        if (number < 0) {
            throw new IllegalArgumentException("no sum up to " + number);
        }
        if (number == 0) {
            return 0;
        }
        int term = number == special ? special(number) : number;
        return term + sum(number - 1, special);
    }

    /** The bug: it should be the number itself. */
    static int special(int number) {
        return number + 1;
    }
}
