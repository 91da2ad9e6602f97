import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Many virtual threads, all alive at once, then many one after the other. */
class Main {
    static final AtomicInteger SUM = new AtomicInteger();

    static int work(int n) {
        return n == 0 ? 0 : work(n - 1) + 1;
    }

    static void live(int n, CountDownLatch started, CountDownLatch go) {
        started.countDown();
        SUM.addAndGet(work(n % 10));
        try {
            go.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        SUM.addAndGet(work(n % 10));
    }

    public static void main(String[] arguments) throws Exception {
        int count = Integer.parseInt(arguments[0]);
        CountDownLatch started = new CountDownLatch(count);
        CountDownLatch go = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int n = i;
            threads.add(Thread.ofVirtual().start(() -> live(n, started, go)));
        }
        started.await();
        go.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        for (int i = 0; i < count; i++) {
            int n = i;
            Thread.ofVirtual().start(() -> SUM.addAndGet(work(n % 10))).join();
        }
        System.out.println(SUM.get());
    }
}
