/** Stack overflows, which may strike inside the recorder too, caught at different depths. */
class Main {
    static int deepest;
    static final Object LOCK = new Object();

    static int down(int n, long a, String b, Object c) {
        deepest = n;
        return down(n + 1, a, b, c) + 1;
    }

    static class Link {
        final Link next;
        final int n;

        Link(int n) {
            this.n = n;
            this.next = new Link(n + 1);
        }
    }

    static class Upward extends Thread {
        Upward(int n) {
            super(new Upward(n + 1, "name").toString());
        }

        Upward(int n, String name) {
            super(name);
            new Upward(n + 1);
        }
    }

    static void ticking(int n) {
        try {
            ticking(n + 1);
        } finally {
            deepest = n;
        }
    }

    static int caughtInside(int n) {
        try {
            return caughtInside(n + 1) + 1;
        } catch (StackOverflowError e) {
            return deepest = n;
        }
    }

    static synchronized int locked(Integer n) {
        return locked(n + 1);
    }

    /** Runs in threads of their own, whose stacks have another size. */
    static void all() {
        try {
            down(0, 1, "b", null);
        } catch (StackOverflowError e) {
            Log.here();
        }
        try {
            new Link(0);
        } catch (StackOverflowError e) {
            Log.here();
        }
        try {
            new Upward(0);
        } catch (StackOverflowError e) {
            Log.here();
        }
        try {
            ticking(0);
        } catch (StackOverflowError e) {
            Log.here();
        }
        caughtInside(0);
        Log.here();
        try {
            locked(0);
        } catch (StackOverflowError e) {
            Log.here();
        }
        after(3);
    }

    static int after(int n) {
        Log.enter(n);
        return Log.returns(n == 0 ? 0 : after(n - 1) + 1);
    }

    public static void main(String[] arguments) throws Exception {
        all();
        // When they are recorded they are four times as large.
        for (int size = 128; size <= 256; size *= 2) {
            Thread thread = new Thread(null, Main::all, "stack of " + size, size * 1024L);
            thread.start();
            thread.join();
        }
        Thread uncaught = new Thread(() -> down(0, 1, "b", null));
        uncaught.setUncaughtExceptionHandler((thread, error) -> Log.here());
        uncaught.start();
        uncaught.join();
        Log.here();
    }
}
