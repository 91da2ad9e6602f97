/** Nothing but calls: Fibonacci numbers by their definition. */
public class Workload {
    public static void main(String[] args) {
        int scale = Integer.parseInt(args[0]);
        long checksum = 0;
        for (int round = 0; round < scale; round++) {
            checksum = checksum * 31 + fib(20 + round % 5);
        }
        System.out.println("checksum " + checksum);
        try {
            fib(-1);
        } catch (IllegalArgumentException e) {
            System.out.println("expected: " + e.getMessage());
        }
    }

    static int fib(int n) {
        if (n < 0) {
            throw new IllegalArgumentException("no Fibonacci number " + n);
        }
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }
}
