package java.lang;

import java.util.concurrent.CompletableFuture;
import jdk.internal.misc.Unsafe;

/**
 * Which call handed work over to another thread, and what that thread then worked on.
 *
 * <p>Called from the classes of the JDK that start threads and run tasks. A <em>task</em> is the object that is handed
 * over: a thread, a runnable in a pool's queue, a stage of a {@code CompletableFuture}. Nothing is noted unless
 * recorded code had a part in it, and no thread is opened for work that recorded code did not hand over. None of
 * these methods may throw: they stand in the middle of the JDK's own code.
 */
public final class AskanceTasks {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final byte SUBMIT = 0x1c;
    private static final byte TASK = 0x1d;
    /** Added to the number of a task that is a thread: it may well never run recorded code. */
    private static final int IS_THREAD = 1 << 31;
    private static final int SUBMIT_SIZE = 5;
    private static final int MARK_SIZE = 5;
    private static final int TASK_SIZE = 9;

    private AskanceTasks() {}

    /** The current call hands a task over. */
    public static void submitted(Object task) {
        AskanceRecorder r = AskanceRecorder.existing();
        if (r == null || task == null || r.depth() == 0 && r.task == 0) {
            return;
        }
        // A stage is handed over by whoever made it, not by the thread that finds it ready.
        if (task instanceof CompletableFuture.AsynchronousCompletionTask && AskanceIdentity.seen(task)) {
            return;
        }
        note(r, task);
    }

    /** A stage of a {@code CompletableFuture} was made. */
    public static void made(Object stage) {
        AskanceRecorder r = AskanceRecorder.existing();
        if (r != null && (r.depth() != 0 || r.task != 0)) {
            note(r, stage);
        }
    }

    private static void note(AskanceRecorder r, Object task) {
        int id = r.id(task);
        if (id == r.submitted && r.events == r.submittedAt) {
            return; // by one method of the JDK that calls another
        }
        if (task instanceof Thread) {
            // It may be the second one, and then nothing was stamped so far.
            AskanceRecorder.stamp(r);
        } else {
            AskanceRecorder.sync(r);
        }
        r.roomForEvent(MARK_SIZE + SUBMIT_SIZE);
        // So that it is known which instruction of the current call was at work.
        r.tellValues();
        long p = r.events;
        U.putInt(p + 1, task instanceof Thread ? id | IS_THREAD : id);
        U.putByte(p, SUBMIT);
        r.events = p + SUBMIT_SIZE;
        r.submitted = id;
        r.submittedAt = r.events;
    }

    /** A task is handed over to a pool. */
    public static void submitted(Object pool, Object task) {
        // What virtual threads run on is nobody's task.
        if (pool != AskanceCarriers.pool()) {
            submitted(task);
        }
    }

    /** The current thread begins to work on a task; what it worked on before is to be given to {@link #ended}. */
    public static long begun(Object task) {
        if (task == null || !AskanceIdentity.seen(task)) {
            AskanceRecorder r = AskanceRecorder.existing();
            return r == null || r.task == 0 ? 0 : change(r, 0);
        }
        return change(AskanceRecorder.current(), AskanceIdentity.known(task));
    }

    private static long change(AskanceRecorder r, int task) {
        long previous = (long) r.taskDepth << 32 | r.task & 0xffffffffL;
        AskanceRecorder.sync(r);
        set(r, task, r.depth());
        return previous;
    }

    /** The current thread has done with a task, and goes on with what it worked on before. */
    public static void ended(long previous) {
        AskanceRecorder r = AskanceRecorder.existing();
        if (r != null && ((int) previous != r.task || (int) (previous >>> 32) != r.taskDepth)) {
            set(r, (int) previous, (int) (previous >>> 32));
            AskanceRecorder.sync(r);
        }
    }

    /** The current thread is about to end: who waits for that comes after all that it did. */
    public static void ends() {
        AskanceRecorder r = AskanceRecorder.existing();
        if (r != null) {
            AskanceRecorder.sync(r);
        }
    }

    /** Calls that are made at this depth belong to the task. */
    static void set(AskanceRecorder r, int task, int depth) {
        long p = r.roomForEvent(TASK_SIZE);
        U.putInt(p + 1, task);
        U.putInt(p + 5, depth);
        U.putByte(p, TASK);
        r.events = p + TASK_SIZE;
        r.task = task;
        r.taskDepth = depth;
    }
}
