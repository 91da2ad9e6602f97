/** Counts the primes in two ranges at the same time, one thread each. */
public class Main {
    public static void main(String[] args) throws InterruptedException {
        Counter low = new Counter(0, 500);
        Counter high = new Counter(500, 1000);
        Thread first = new Thread(low, "low");
        Thread second = new Thread(high, "high");
        first.start();
        second.start();
        first.join();
        second.join();
        System.out.println("below 500: " + low.count + ", largest " + low.largest);
        System.out.println("500 to 999: " + high.count + ", largest " + high.largest);
        System.out.println("together: " + (low.count + high.count));
    }
}
