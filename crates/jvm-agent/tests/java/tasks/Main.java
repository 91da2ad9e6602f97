import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;

/** Every way to hand work over to another thread that the recorder knows. */
public class Main {
    static int square(int n) { return n * n; }
    static int twice(int n) { return n + n + (n == 7 ? 1 : 0); }

    static int pooled() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Future<Integer>> all = new ArrayList<>();
        for (int i = 5; i < 9; i++) {
            int n = i;
            all.add(pool.submit(() -> twice(n)));
        }
        int sum = 0;
        for (Future<Integer> f : all) sum += f.get();
        pool.shutdown();
        pool.awaitTermination(5, TimeUnit.SECONDS);
        return sum;
    }

    static int futures() {
        CompletableFuture<Integer> other = CompletableFuture.supplyAsync(() -> square(4));
        return CompletableFuture.supplyAsync(() -> square(3))
                .thenApply(Main::twice)
                .thenCombineAsync(other, (a, b) -> a + b)
                .thenApplyAsync(Main::square)
                .join();
    }

    static void plain() throws Exception {
        Thread t = new Thread(() -> square(10), "plain");
        t.start();
        t.join();
    }

    static int streams() {
        return IntStream.range(0, 40).parallel().map(Main::square).sum();
    }

    static int scheduled() throws Exception {
        ScheduledExecutorService s = Executors.newScheduledThreadPool(1);
        ScheduledFuture<Integer> f = s.schedule(() -> square(11), 5, TimeUnit.MILLISECONDS);
        int r = f.get();
        CountDownLatch l = new CountDownLatch(3);
        Runnable tick = () -> {
            square(12);
            l.countDown();
        };
        s.scheduleAtFixedRate(tick, 0, 1, TimeUnit.MILLISECONDS);
        l.await();
        s.shutdownNow();
        return r;
    }
    static class Fib extends RecursiveTask<Integer> {
        final int n;
        Fib(int n) { this.n = n; }
        @Override protected Integer compute() {
            if (n < 2) return n;
            Fib a = new Fib(n - 1), b = new Fib(n - 2);
            a.fork();
            return b.compute() + a.join();
        }
    }
    static int fib() { return new ForkJoinPool(3).invoke(new Fib(5)); }

    static void timer() throws Exception {
        Timer t = new Timer("tick", true);
        CountDownLatch l = new CountDownLatch(1);
        TimerTask task = new TimerTask() {
            @Override public void run() {
                square(13);
                l.countDown();
            }
        };
        t.schedule(task, 1);
        l.await();
        t.cancel();
    }

    public static void main(String[] args) throws Exception {
        System.out.println(pooled());
        System.out.println(futures());
        plain();
        System.out.println(streams());
        System.out.println(scheduled());
        System.out.println(fib());
        timer();
    }
}
