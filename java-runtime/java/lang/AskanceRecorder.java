package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * What one thread writes its events with: where its streams stand, and the numbers that it gives to objects. An
 * instrumented method fetches it once, on entry, and keeps it in a local variable; what it then calls is in {@link
 * AskanceCalls}, {@link AskanceValues} and {@link AskanceWrites}.
 *
 * <p>Constraints: these classes live in java.base and are called from everywhere, class initialisers and
 * locked objects included, so they use nothing that could itself be recorded or that could call back
 * into the program (no collections, no toString, no getMessage). An event is written straight into memory
 * that is mapped from the trace's files; native code is entered only when a buffer is full. Every
 * event checks for room <em>before</em> it writes, and stores its tag last: a stack overflow or a kill between two
 * instructions leaves whole events behind, and nothing beyond the buffer is ever touched. The byte layouts are those of
 * docs/trace-format.md.
 */
public final class AskanceRecorder {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final byte MARK = 0x08;
    private static final int STREAM_BLOCK = 24;

    final Thread thread;
    /** The next recorder of the same bucket of {@link AskanceThreads}. */
    AskanceRecorder next;
    /** Native block from which the positions below are refilled: per stream start, limit, base. */
    private final long control;
    /** The block of events and values: {@link #control}, or one whose content goes nowhere. */
    private long sink;
    /** That other block, once there was need of it. */
    private long nowhere;

    long events;
    long eventsLimit;
    long values;
    long valuesLimit;
    long objects;
    private long objectsLimit;
    /** Low bits of (stream position - address): turns an address into a position. */
    private int eventsBase;
    private int valuesBase;
    /** Where the values were when an event last told; ENTER and EXIT tell how far they have gone since. */
    long marked;
    /** How many recorded calls are open. */
    int depth;
    /** What the thread works on, and the depth below which calls are made for it; see {@link AskanceTasks}. */
    int task;

    int taskDepth;
    /** The task that was handed over last, and how far the events were then. */
    int submitted;

    long submittedAt;

    AskanceRecorder(Thread thread, long threadId) {
        this.thread = thread;
        control = openThread(thread, threadId);
        sink = control;
        reloadEvents();
        reloadValues();
        reloadObjects();
    }

    /**
     * Called by the agent once natives can run: settles how objects are identified. What recorded code calls is
     * initialised here, not by its first call, which may come where there is no stack left for that.
     */
    private static int start(long clock) {
        U.ensureClassInitialized(AskanceCalls.class);
        U.ensureClassInitialized(AskanceValues.class);
        U.ensureClassInitialized(AskanceWrites.class);
        AskanceThreads.clock = clock;
        return AskanceIdentity.IN_HEADER ? 1 : 0;
    }

    /** The thread has ended. */
    void close() {
        closeThread(control, events, values, objects);
        if (nowhere != 0) {
            closeThread(nowhere, 0, 0, 0);
        }
    }

    private static native long openThread(Thread thread, long threadId);

    /** A block like a thread's, for what nobody wants; 0 if there is no memory for it. */
    private static native long openNowhere();

    private static native void closeThread(long control, long events, long values, long objects);

    /** Hands the full buffer of a stream over and gets one with room for {@code needed} bytes. */
    private static native void flush(long control, int stream, long end, long needed);

    static native int takeIdBlock();

    // ---- streams and the room in them ----------------------------------------------------------

    private void reloadEvents() {
        events = U.getLong(sink);
        eventsLimit = U.getLong(sink + 8);
        eventsBase = (int) U.getLong(sink + 16) - (int) events;
    }

    private void reloadValues() {
        values = U.getLong(sink + STREAM_BLOCK);
        valuesLimit = U.getLong(sink + STREAM_BLOCK + 8);
        valuesBase = (int) U.getLong(sink + STREAM_BLOCK + 16) - (int) values;
        marked = values;
    }

    private void reloadObjects() {
        objects = U.getLong(control + 2 * STREAM_BLOCK);
        objectsLimit = U.getLong(control + 2 * STREAM_BLOCK + 8);
    }

    @DontInline
    private long flushEvents(long needed) {
        flush(sink, 1, events, needed);
        reloadEvents();
        return events;
    }

    /** Where the next entry of the objects stream may be written, {@code bytes} long at most. */
    long roomForObject(long bytes) {
        if (objects + bytes > objectsLimit) {
            flush(control, 3, objects, bytes);
            reloadObjects();
        }
        return objects;
    }

    int eventsPosition() {
        return isSilent() ? silentAt : (int) events + eventsBase;
    }

    /** Where the next event may be written, {@code bytes} long at most. */
    long roomForEvent(long bytes) {
        return events + bytes > eventsLimit ? flushEvents(bytes) : events;
    }

    int valuesPosition() {
        return (int) values + valuesBase;
    }

    /** Makes room in both streams for what a frame may write until it looks again. */
    public static void check(AskanceRecorder r) {
        if (r.events >= r.eventsLimit || r.values >= r.valuesLimit) {
            r.makeRoom();
        }
    }

    @DontInline
    void makeRoom() {
        if (events >= eventsLimit) {
            flushEvents(0);
        }
        if (values >= valuesLimit) {
            mark();
            flush(sink, 2, values, 0);
            reloadValues();
        }
    }

    /** Tells how far the values have got, so that what follows is known to be the next call's doing. */
    void tellValues() {
        if (values != marked) {
            mark();
        }
    }

    void mark() {
        long p = events;
        U.putInt(p + 1, valuesPosition());
        U.putByte(p, MARK);
        events = p + 5;
        marked = values;
    }

    // ---- silence -----------------------------------------------------------------------------

    /** Where the events were when the recorder fell silent. */
    private int silentAt;

    /** Whether what the program does is not to be recorded, because it does it for us. */
    boolean isSilent() {
        return sink != control;
    }

    /**
     * What the object's toString gives; null if it throws. Events and values of it go nowhere, and no object gets a
     * number: whatever the program meets again is described then. Nothing in the end may call anything, or an overflow
     * of the stack could leave the recorder silent.
     */
    String textOf(Object o) {
        if (nowhere == 0) {
            nowhere = openNowhere();
        }
        if (nowhere == 0) {
            return null;
        }
        long events = this.events;
        long eventsLimit = this.eventsLimit;
        int eventsBase = this.eventsBase;
        long values = this.values;
        long valuesLimit = this.valuesLimit;
        int valuesBase = this.valuesBase;
        long marked = this.marked;
        int depth = this.depth;
        int task = this.task;
        int taskDepth = this.taskDepth;
        int submitted = this.submitted;
        long submittedAt = this.submittedAt;
        silentAt = eventsPosition();
        try {
            sink = nowhere;
            reloadEvents();
            reloadValues();
            return o.toString();
        } catch (Throwable thrown) {
            return null;
        } finally {
            sink = control;
            this.events = events;
            this.eventsLimit = eventsLimit;
            this.eventsBase = eventsBase;
            this.values = values;
            this.valuesLimit = valuesLimit;
            this.valuesBase = valuesBase;
            this.marked = marked;
            this.depth = depth;
            this.task = task;
            this.taskDepth = taskDepth;
            this.submitted = submitted;
            this.submittedAt = submittedAt;
        }
    }

    // ---- identity ------------------------------------------------------------------------------

    private final AskanceObjects descriptions = new AskanceObjects(this);
    /** Where an object comes from that has no number yet. */
    private static final int OUTSIDE_OBJECT = 0;
    static final int NEW_OBJECT = 1;
    static final int NEW_ARRAY = 2;
    private int nextId;
    private int idLimit;

    /** The object's number; an object without one gets it, and is described. One of long ago is described again. */
    int id(Object o) {
        if (o == null) {
            return 0;
        }
        if (AskanceIdentity.IN_HEADER) {
            int id = AskanceIdentity.inHeaderAndDescribed(o);
            if (id != 0) {
                return id;
            }
        }
        return identify(o, OUTSIDE_OBJECT);
    }

    @DontInline
    int identify(Object o, int origin) {
        if (o instanceof Class) {
            return AskanceTypes.of((Class<?>) o, this).id;
        }
        int known = AskanceIdentity.known(o);
        if (isSilent()) {
            return known;
        }
        if (known != 0) {
            if (AskanceSpans.isOld(known)) {
                descriptions.describeAgain(o, known);
            }
            return known;
        }
        int fresh = freshId();
        int id = AskanceIdentity.assign(o, fresh);
        if (id == fresh) {
            AskanceSpans.described(id);
            switch (origin) {
                case NEW_ARRAY:
                    descriptions.describeNewArray(o, id);
                    break;
                case NEW_OBJECT:
                    descriptions.describeNew(o, id);
                    break;
                default:
                    descriptions.describe(o, id);
            }
        }
        return id;
    }

    /** A string constant is used that is not known to be one. */
    @DontInline
    void noteConstant(Object constant) {
        if (isSilent()) {
            return;
        }
        int id = id(constant);
        if (constant instanceof String && AskanceIdentity.markConstant(constant)) {
            descriptions.describeConstant((String) constant, id);
            AskanceSecrets.constantDescribed(constant, id);
        }
    }

    int freshId() {
        if (nextId == idLimit) {
            nextId = takeIdBlock();
            idLimit = nextId + AskanceIdentity.BLOCK;
        }
        return nextId++;
    }

    void describe(Object o, int id) {
        descriptions.describe(o, id);
    }

    void describeClass(Class<?> type, int id) {
        descriptions.describeClass(type, id);
    }
}
