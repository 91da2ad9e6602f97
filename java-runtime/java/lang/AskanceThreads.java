package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/** The recorders of all threads, and the order of what the threads do. */
public final class AskanceThreads {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final byte SYNC = 0x06;
    private static final int BUCKETS = 1024;
    private static final AskanceRecorder[] RECORDERS = new AskanceRecorder[BUCKETS];
    private static final long THREAD_ID_OFFSET = U.objectFieldOffset(Thread.class, "tid");
    /** Becomes true with the second recorded thread: from then on synchronisation is stamped. */
    static boolean severalThreads;
    private static boolean first = true;
    /** Address of the counter from which all threads draw their stamps. */
    static long clock;

    private AskanceThreads() {}

    /** The current thread's recorder; a thread without one gets it. */
    static AskanceRecorder current() {
        Thread t = Thread.currentThread();
        AskanceRecorder r = RECORDERS[(int) U.getLong(t, THREAD_ID_OFFSET) & (BUCKETS - 1)];
        return r != null && r.thread == t ? r : find(t);
    }

    @DontInline
    private static AskanceRecorder find(Thread t) {
        AskanceRecorder r = opened(t);
        return r != null ? r : open(t, bucket(t));
    }

    private static AskanceRecorder opened(Thread t) {
        for (AskanceRecorder r = RECORDERS[bucket(t)]; r != null; r = r.next) {
            if (r.thread == t) {
                return r;
            }
        }
        return null;
    }

    /** The current thread's recorder, if it has run recorded code. */
    static AskanceRecorder existing() {
        return opened(Thread.currentThread());
    }

    private static int bucket(Thread t) {
        return (int) U.getLong(t, THREAD_ID_OFFSET) & (BUCKETS - 1);
    }

    private static AskanceRecorder open(Thread t, int bucket) {
        AskanceRecorder r = new AskanceRecorder(t, U.getLong(t, THREAD_ID_OFFSET));
        synchronized (RECORDERS) {
            // Other threads walk this list meanwhile: the living stay where they are, and the dead still lead on.
            AskanceRecorder before = null;
            for (AskanceRecorder old = RECORDERS[bucket]; old != null; old = old.next) {
                if (old.thread.isAlive()) {
                    before = old;
                    continue;
                }
                if (before == null) {
                    RECORDERS[bucket] = old.next;
                } else {
                    before.next = old.next;
                }
                old.close();
            }
            r.next = RECORDERS[bucket];
            U.storeFence();
            RECORDERS[bucket] = r;
            severalThreads = !first;
            first = false;
        }
        sync(r);
        if (AskanceIdentity.seen(t)) {
            AskanceTasks.set(r, AskanceIdentity.known(t), 0);
        }
        // There will be no stack, or no memory, to describe them when they come.
        r.id(StackOverflowError.class);
        r.id(OutOfMemoryError.class);
        return r;
    }

    /** Orders what this thread did before against what other threads do after. */
    public static void sync(AskanceRecorder r) {
        if (severalThreads) {
            stamp(r);
        }
    }

    private static void stamp(AskanceRecorder r) {
        AskanceRecorder.check(r);
        long p = r.events;
        U.putLong(p + 1, U.getAndAddLong(null, clock, 1));
        U.putByte(p, SYNC);
        r.events = p + 9;
    }
}
