import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * Threads that make and share objects as fast as they can. Each object has a serial number, and
 * {@code see} is called with both: in the trace, numbers and identities must be one to one.
 */
class Main {
    static final class Item {
        final int serial;
        volatile Item other;

        Item(int serial) {
            this.serial = serial;
        }
    }

    static final int THREADS = 4;
    static int perThread;
    static Item[] shared;
    static byte[][] sharedArrays;

    static void see(int serial, Object object) {
    }

    static void work(int thread) {
        Map<Object, Integer> hashed = new IdentityHashMap<>();
        for (int n = 0; n < perThread; n++) {
            int serial = 1_000_000 * (thread + 1) + n;
            Item own = new Item(serial);
            if (n % 3 == 0) {
                System.identityHashCode(own);
            }
            if (n % 16 == 0) {
                hashed.put(own, serial);
            }
            see(serial, own);
            Item common = shared[n % shared.length];
            if (n % 5 == 0) {
                synchronized (common) {
                    see(common.serial, common);
                    common.other = own;
                }
            } else {
                see(common.serial, common);
                Item other = common.other;
                if (other != null) {
                    see(other.serial, other);
                }
            }
            if (n % 64 == 0) {
                synchronized (own) {
                    see(serial, own);
                    own.notifyAll();
                }
            }
            see(100_000 + n % sharedArrays.length, sharedArrays[n % sharedArrays.length]);
        }
        for (Map.Entry<Object, Integer> entry : hashed.entrySet()) {
            see(entry.getValue(), entry.getKey());
        }
    }

    static void waiting(Item item, CountDownLatch ready) throws InterruptedException {
        synchronized (item) {
            see(item.serial, item);
            ready.countDown();
            while (item.other == null) {
                item.wait();
            }
            see(item.serial, item);
        }
    }

    public static void main(String[] arguments) throws Exception {
        perThread = Integer.parseInt(arguments[0]);
        // Made by library code: recorded code sees them for the first time, in several threads at once.
        shared = java.util.stream.IntStream.range(0, 200).mapToObj(Item::new).toArray(Item[]::new);
        sharedArrays = new byte[64][8];
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            int thread = i;
            threads[i] = new Thread(() -> work(thread));
        }
        for (Thread thread : threads) {
            thread.start();
        }
        Item awaited = new Item(77_777);
        CountDownLatch ready = new CountDownLatch(1);
        Thread waiter = new Thread(() -> {
            try {
                waiting(awaited, ready);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        waiter.start();
        ready.await();
        see(awaited.serial, awaited);
        synchronized (awaited) {
            awaited.other = awaited;
            awaited.notifyAll();
        }
        waiter.join();
        for (Thread thread : threads) {
            thread.join();
        }
        see(awaited.serial, awaited);
        System.gc();
        for (Item item : shared) {
            see(item.serial, item);
        }
        System.out.println("done");
    }
}
