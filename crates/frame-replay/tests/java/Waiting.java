/** Threads that wait for ever in a call that has read a zero and written something since. */
class Main {
    boolean awake;
    boolean waiting;
    int small = 5;
    long none;
    double last;

    void rest() throws InterruptedException {
        synchronized (this) {
            if (!awake) {
                waiting = true;
                wait();
            }
        }
    }

    void restLonger() throws InterruptedException {
        synchronized (this) {
            last = small + none;
            waiting = true;
            wait();
        }
    }

    /** What its caller has read are zeros as well. */
    void restAfterZeros() throws InterruptedException {
        if (none == 0 && !awake) {
            rest();
        }
    }

    synchronized boolean isWaiting() {
        return waiting;
    }

    interface Resting {
        void rest() throws InterruptedException;
    }

    static void start(Main main, Resting resting) throws InterruptedException {
        Thread thread = new Thread(() -> {
            try {
                resting.rest();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        while (!main.isWaiting()) {
            Thread.sleep(1);
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main first = new Main();
        start(first, first::rest);
        Main second = new Main();
        start(second, second::restLonger);
        Main third = new Main();
        start(third, third::restAfterZeros);
        System.out.println("done");
    }
}
