import java.util.concurrent.CountDownLatch;

/** Ways in which a program ends; the argument says which. */
class Main {
    static void deep(int n, Runnable end) {
        Log.enter(n, end);
        if (n == 0) {
            end.run();
        } else {
            deep(n - 1, end);
        }
        Log.here();
    }

    static void fail() {
        throw new IllegalStateException("uncaught");
    }

    static void wait(CountDownLatch started, CountDownLatch ended) {
        started.countDown();
        try {
            ended.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "exit":
                deep(3, () -> System.exit(3));
                break;
            case "halt":
                deep(3, () -> Runtime.getRuntime().halt(4));
                break;
            case "hook":
                Runtime.getRuntime().addShutdownHook(new Thread(() -> deep(1, Log::here)));
                deep(2, () -> System.exit(5));
                break;
            case "uncaught":
                deep(2, Main::fail);
                break;
            case "thread":
                Thread thread = new Thread(() -> deep(2, Main::fail));
                thread.start();
                thread.join();
                Log.here();
                break;
            case "daemon":
                CountDownLatch started = new CountDownLatch(3);
                for (int i = 0; i < 3; i++) {
                    Thread daemon = new Thread(() -> wait(started, new CountDownLatch(1)));
                    daemon.setDaemon(true);
                    daemon.start();
                }
                started.await();
                Log.here();
                break;
            default:
                throw new IllegalArgumentException(arguments[0]);
        }
    }
}
