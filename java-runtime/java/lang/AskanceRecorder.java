package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * What recorded code calls. One instance per thread; the instrumented method fetches it once, on
 * entry, and keeps it in a local variable.
 *
 * <p>Constraints: this class lives in java.base and is called from everywhere, class initialisers and
 * locked objects included, so it uses nothing that could itself be recorded or that could call back
 * into the program (no collections, no toString, no getMessage). An event is written straight into memory
 * that is mapped from the trace's files; native code is entered only when a buffer is full. Every
 * event checks for room <em>before</em> it writes, and stores its tag last: a stack overflow or a kill between two
 * instructions leaves whole events behind, and nothing beyond the buffer is ever touched. The byte layouts are those of
 * docs/trace-format.md.
 */
public final class AskanceRecorder {
    private static final Unsafe U = Unsafe.getUnsafe();

    // ---- one recorder per thread -------------------------------------------------------------

    private static final int THREAD_BUCKETS = 1024;
    private static final AskanceRecorder[] THREADS = new AskanceRecorder[THREAD_BUCKETS];
    private static final long THREAD_ID_OFFSET = U.objectFieldOffset(Thread.class, "tid");
    /** Becomes true with the second recorded thread: from then on synchronisation is stamped. */
    private static boolean severalThreads;
    private static boolean first = true;
    /** Address of the counter from which all threads draw their stamps. */
    private static long clock;

    private final Thread thread;
    /** Collisions in {@link #THREADS}: the next recorder of the same bucket. */
    private AskanceRecorder next;
    /** Native block from which the positions below are refilled: per stream start, limit, base. */
    private final long control;

    long events;
    private long eventsLimit;
    private long values;
    private long valuesLimit;
    long objects;
    private long objectsLimit;
    /** Low bits of (stream position - address): turns an address into a position. */
    private int eventsBase;
    private int valuesBase;
    /** Where the values were when an event last told; ENTER and EXIT tell how far they have gone since. */
    private long marked;
    private int depth;

    private AskanceRecorder(Thread thread, long control) {
        this.thread = thread;
        this.control = control;
        reloadEvents();
        reloadValues();
        reloadObjects();
    }

    /** Called by the agent once natives can run: settles how objects are identified. */
    private static int start(long clock) {
        AskanceRecorder.clock = clock;
        return AskanceIdentity.IN_HEADER ? 1 : 0;
    }

    static AskanceRecorder current() {
        Thread t = Thread.currentThread();
        AskanceRecorder r = THREADS[(int) U.getLong(t, THREAD_ID_OFFSET) & (THREAD_BUCKETS - 1)];
        return r != null && r.thread == t ? r : find(t);
    }

    @DontInline
    private static AskanceRecorder find(Thread t) {
        int bucket = (int) U.getLong(t, THREAD_ID_OFFSET) & (THREAD_BUCKETS - 1);
        for (AskanceRecorder r = THREADS[bucket]; r != null; r = r.next) {
            if (r.thread == t) {
                return r;
            }
        }
        return open(t, bucket);
    }

    private static AskanceRecorder open(Thread t, int bucket) {
        AskanceRecorder r = new AskanceRecorder(t, openThread(t, U.getLong(t, THREAD_ID_OFFSET)));
        synchronized (THREADS) {
            AskanceRecorder alive = null;
            for (AskanceRecorder old = THREADS[bucket]; old != null; ) {
                AskanceRecorder following = old.next;
                if (old.thread.isAlive()) {
                    old.next = alive;
                    alive = old;
                } else {
                    closeThread(old.control, old.events, old.values, old.objects);
                }
                old = following;
            }
            r.next = alive;
            U.storeFence();
            THREADS[bucket] = r;
            severalThreads = !first;
            first = false;
        }
        sync(r);
        // There will be no stack, or no memory, to describe them when they come.
        r.id(StackOverflowError.class);
        r.id(OutOfMemoryError.class);
        return r;
    }

    private static native long openThread(Thread thread, long threadId);

    private static native void closeThread(long control, long events, long values, long objects);

    /** Hands the full buffer of a stream over and gets one with room for {@code needed} bytes. */
    private static native void flush(long control, int stream, long end, long needed);

    static native int takeIdBlock();

    private static final int STREAM_BLOCK = 24;

    private void reloadEvents() {
        events = U.getLong(control);
        eventsLimit = U.getLong(control + 8);
        eventsBase = (int) U.getLong(control + 16) - (int) events;
    }

    private void reloadValues() {
        values = U.getLong(control + STREAM_BLOCK);
        valuesLimit = U.getLong(control + STREAM_BLOCK + 8);
        valuesBase = (int) U.getLong(control + STREAM_BLOCK + 16) - (int) values;
        marked = values;
    }

    private void reloadObjects() {
        objects = U.getLong(control + 2 * STREAM_BLOCK);
        objectsLimit = U.getLong(control + 2 * STREAM_BLOCK + 8);
    }

    @DontInline
    private long flushEvents(long needed) {
        flush(control, 1, events, needed);
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
        return (int) events + eventsBase;
    }

    /** Where the next event may be written, {@code bytes} long at most. */
    long roomForEvent(long bytes) {
        return events + bytes > eventsLimit ? flushEvents(bytes) : events;
    }

    private int valuesPosition() {
        return (int) values + valuesBase;
    }

    // ---- calls -------------------------------------------------------------------------------

    private static final byte EXIT = 0x02;
    private static final byte THROW = 0x03;
    private static final byte CATCH = 0x04;
    private static final byte THIS = 0x05;
    private static final byte SYNC = 0x06;
    private static final byte MARK = 0x09;
    private static final byte ARRAY_STORE = 0x10;
    /** The longest ENTER: what an interrupted one may have left behind. */
    private static final int LONGEST_ENTER = 5 + 255 * 8;

    /** First thing in a recorded method: its arguments are then stored ahead of the event's tag. */
    public static AskanceRecorder begin() {
        AskanceRecorder r = current();
        if (r.events >= r.eventsLimit || r.values >= r.valuesLimit || r.values - r.marked > MOST_UNTOLD) {
            r.prepareCall();
        }
        return r;
    }

    public static void argB(int v, AskanceRecorder r, int at) {
        U.putByte(r.events + at, (byte) v);
    }

    public static void argS(int v, AskanceRecorder r, int at) {
        U.putShort(r.events + at, (short) v);
    }

    public static void argI(int v, AskanceRecorder r, int at) {
        U.putInt(r.events + at, v);
    }

    public static void argF(float v, AskanceRecorder r, int at) {
        U.putFloat(r.events + at, v);
    }

    public static void argJ(long v, AskanceRecorder r, int at) {
        U.putLong(r.events + at, v);
    }

    public static void argD(double v, AskanceRecorder r, int at) {
        U.putDouble(r.events + at, v);
    }

    public static void argL(Object v, AskanceRecorder r, int at) {
        int id = r.id(v);
        U.putInt(r.events + at, id);
    }

    /** Ends the ENTER event that {@link #begin} started; returns the call's depth. */
    public static int enter(AskanceRecorder r, int word, int size) {
        long p = r.events;
        U.putByte(p + 4, (byte) (r.values - r.marked));
        U.putInt(p, word);
        r.events = p + size;
        r.marked = r.values;
        return ++r.depth;
    }

    private static long exit(AskanceRecorder r, int depth) {
        if (r.events >= r.eventsLimit
                || r.values >= r.valuesLimit
                || r.values - r.marked > MOST_UNTOLD
                || r.depth != depth) {
            r.prepareExit(depth);
        }
        long p = r.events;
        r.depth = depth - 1;
        U.putByte(p + 1, (byte) (r.values - r.marked));
        return p;
    }

    /** More values than an ENTER or EXIT can tell of, for lack of bits: a MARK tells. */
    private static final int MOST_UNTOLD = 255;

    @DontInline
    private void prepareCall() {
        makeRoom();
        if (values - marked > MOST_UNTOLD) {
            mark();
        }
    }

    private void mark() {
        long p = events;
        U.putInt(p + 1, valuesPosition());
        U.putByte(p, MARK);
        events = p + 5;
        marked = values;
    }

    /** Calls above that never got to note their end (the library swallowed their exception) end now. */
    @DontInline
    private void prepareExit(int depth) {
        prepareCall();
        if (this.depth > depth) {
            long p = events;
            U.putInt(p + 1, depth + 1);
            U.putInt(p + 5, valuesPosition());
            U.putInt(p + 9, 0);
            U.putByte(p, THROW);
            events = p + 13;
            marked = values;
        }
    }

    public static void exitV(AskanceRecorder r, int depth) {
        long p = exit(r, depth);
        U.putByte(p, EXIT);
        r.events = p + 2;
        r.marked = r.values;
    }

    public static void exitB(int v, AskanceRecorder r, int depth) {
        long p = exit(r, depth);
        U.putByte(p + 2, (byte) v);
        U.putByte(p, EXIT);
        r.events = p + 3;
        r.marked = r.values;
    }

    public static void exitS(int v, AskanceRecorder r, int depth) {
        long p = exit(r, depth);
        U.putShort(p + 2, (short) v);
        U.putByte(p, EXIT);
        r.events = p + 4;
        r.marked = r.values;
    }

    public static void exitI(int v, AskanceRecorder r, int depth) {
        long p = exit(r, depth);
        U.putInt(p + 2, v);
        U.putByte(p, EXIT);
        r.events = p + 6;
        r.marked = r.values;
    }

    public static void exitF(float v, AskanceRecorder r, int depth) {
        long p = exit(r, depth);
        U.putFloat(p + 2, v);
        U.putByte(p, EXIT);
        r.events = p + 6;
        r.marked = r.values;
    }

    public static void exitJ(long v, AskanceRecorder r, int depth) {
        long p = exit(r, depth);
        U.putLong(p + 2, v);
        U.putByte(p, EXIT);
        r.events = p + 10;
        r.marked = r.values;
    }

    public static void exitD(double v, AskanceRecorder r, int depth) {
        long p = exit(r, depth);
        U.putDouble(p + 2, v);
        U.putByte(p, EXIT);
        r.events = p + 10;
        r.marked = r.values;
    }

    public static void exitL(Object v, AskanceRecorder r, int depth) {
        int id = r.id(v);
        long p = exit(r, depth);
        U.putInt(p + 2, id);
        U.putByte(p, EXIT);
        r.events = p + 6;
        r.marked = r.values;
    }

    /** The call ends by this exception. */
    public static void threw(Object exception, AskanceRecorder r, int depth) {
        long p = r.exceptional(exception, depth);
        r.depth = depth - 1;
        U.putByte(p, THROW);
        r.events = p + 13;
    }

    /** A handler of the call is entered; {@code handler} is its bytecode offset. */
    public static void caught(Object exception, AskanceRecorder r, int depth, int handler) {
        long p = r.exceptional(exception, depth);
        r.depth = depth;
        U.putShort(p + 13, (short) handler);
        U.putByte(p, CATCH);
        r.events = p + 15;
    }

    private long exceptional(Object exception, int depth) {
        int id = id(exception);
        check(this);
        long p = events;
        // A stack overflow may have cut an ENTER short: nothing of it may be taken for an event.
        U.setMemory(p, LONGEST_ENTER, (byte) 0);
        U.putInt(p + 1, depth);
        U.putInt(p + 5, valuesPosition());
        U.putInt(p + 9, id);
        marked = values;
        return p;
    }

    /** In a constructor, once the super constructor has returned. */
    public static void initialized(Object object, AskanceRecorder r) {
        int id = r.identify(object, NEW_OBJECT);
        check(r);
        long p = r.events;
        U.putInt(p + 1, id);
        U.putByte(p, THIS);
        r.events = p + 5;
    }

    /** Orders what this thread did before against what other threads do after. */
    public static void sync(AskanceRecorder r) {
        if (severalThreads) {
            stamp(r);
        }
    }

    private static void stamp(AskanceRecorder r) {
        check(r);
        long p = r.events;
        U.putLong(p + 1, U.getAndAddLong(null, clock, 1));
        U.putByte(p, SYNC);
        r.events = p + 9;
    }

    // ---- values: what a frame consumed --------------------------------------------------------
    // Neither these nor the heap writes below look for room. Every way into recorded code makes room for all that it may
    // write until the next such place: a method's entry, its exits (for the caller), its
    // handlers, and the heads of its loops.

    public static void valueB(int v, AskanceRecorder r) {
        long p = r.values;
        U.putByte(p, (byte) v);
        r.values = p + 1;
    }

    public static void valueS(int v, AskanceRecorder r) {
        long p = r.values;
        U.putShort(p, (short) v);
        r.values = p + 2;
    }

    public static void valueI(int v, AskanceRecorder r) {
        long p = r.values;
        U.putInt(p, v);
        r.values = p + 4;
    }

    public static void valueF(float v, AskanceRecorder r) {
        long p = r.values;
        U.putFloat(p, v);
        r.values = p + 4;
    }

    public static void valueJ(long v, AskanceRecorder r) {
        long p = r.values;
        U.putLong(p, v);
        r.values = p + 8;
    }

    public static void valueD(double v, AskanceRecorder r) {
        long p = r.values;
        U.putDouble(p, v);
        r.values = p + 8;
    }

    public static void valueL(Object v, AskanceRecorder r) {
        valueI(r.id(v), r);
    }

    /** A call without result has returned. */
    public static void returned(AskanceRecorder r) {
        valueB(1, r);
    }

    public static void newArray(Object array, AskanceRecorder r) {
        valueI(r.identify(array, NEW_ARRAY), r);
    }

    /** A string constant is used: it must be described, its identity follows from the code. */
    public static void constant(Object constant, AskanceRecorder r) {
        if (!AskanceIdentity.isMarkedConstant(constant)) {
            r.noteConstant(constant);
        }
    }

    @DontInline
    private void noteConstant(Object constant) {
        int id = id(constant);
        if (constant instanceof String && AskanceIdentity.markConstant(constant)) {
            descriptions.describeConstant((String) constant, id);
        }
    }

    /** Makes room in both streams for what a frame may write until it looks again. */
    public static void check(AskanceRecorder r) {
        if (r.events >= r.eventsLimit || r.values >= r.valuesLimit) {
            r.makeRoom();
        }
    }

    @DontInline
    private void makeRoom() {
        if (events >= eventsLimit) {
            flushEvents(0);
        }
        if (values >= valuesLimit) {
            mark();
            flush(control, 2, values, 0);
            reloadValues();
        }
    }

    // ---- heap writes ---------------------------------------------------------------------------

    private static long write(AskanceRecorder r, int object) {
        long p = r.events;
        U.putInt(p + 4, object);
        return p;
    }

    public static void putB(Object o, int v, AskanceRecorder r, int word) {
        long p = write(r, r.id(o));
        U.putByte(p + 8, (byte) v);
        U.putInt(p, word);
        r.events = p + 9;
    }

    public static void putS(Object o, int v, AskanceRecorder r, int word) {
        long p = write(r, r.id(o));
        U.putShort(p + 8, (short) v);
        U.putInt(p, word);
        r.events = p + 10;
    }

    public static void putI(Object o, int v, AskanceRecorder r, int word) {
        long p = write(r, r.id(o));
        U.putInt(p + 8, v);
        U.putInt(p, word);
        r.events = p + 12;
    }

    public static void putF(Object o, float v, AskanceRecorder r, int word) {
        long p = write(r, r.id(o));
        U.putFloat(p + 8, v);
        U.putInt(p, word);
        r.events = p + 12;
    }

    public static void putJ(Object o, long v, AskanceRecorder r, int word) {
        long p = write(r, r.id(o));
        U.putLong(p + 8, v);
        U.putInt(p, word);
        r.events = p + 16;
    }

    public static void putD(Object o, double v, AskanceRecorder r, int word) {
        long p = write(r, r.id(o));
        U.putDouble(p + 8, v);
        U.putInt(p, word);
        r.events = p + 16;
    }

    public static void putL(Object o, Object v, AskanceRecorder r, int word) {
        int value = r.id(v);
        long p = write(r, r.id(o));
        U.putInt(p + 8, value);
        U.putInt(p, word);
        r.events = p + 12;
    }

    public static void setB(int v, AskanceRecorder r, int word) {
        long p = r.events;
        U.putByte(p + 4, (byte) v);
        U.putInt(p, word);
        r.events = p + 5;
    }

    public static void setS(int v, AskanceRecorder r, int word) {
        long p = r.events;
        U.putShort(p + 4, (short) v);
        U.putInt(p, word);
        r.events = p + 6;
    }

    public static void setI(int v, AskanceRecorder r, int word) {
        long p = r.events;
        U.putInt(p + 4, v);
        U.putInt(p, word);
        r.events = p + 8;
    }

    public static void setF(float v, AskanceRecorder r, int word) {
        long p = r.events;
        U.putFloat(p + 4, v);
        U.putInt(p, word);
        r.events = p + 8;
    }

    public static void setJ(long v, AskanceRecorder r, int word) {
        long p = r.events;
        U.putLong(p + 4, v);
        U.putInt(p, word);
        r.events = p + 12;
    }

    public static void setD(double v, AskanceRecorder r, int word) {
        long p = r.events;
        U.putDouble(p + 4, v);
        U.putInt(p, word);
        r.events = p + 12;
    }

    public static void setL(Object v, AskanceRecorder r, int word) {
        int value = r.id(v);
        long p = r.events;
        U.putInt(p + 4, value);
        U.putInt(p, word);
        r.events = p + 8;
    }

    private static long store(AskanceRecorder r, Object array, int index) {
        int id = r.id(array);
        long p = r.events;
        U.putInt(p + 1, id);
        U.putInt(p + 5, index);
        return p;
    }

    public static void storeB(Object array, int index, int v, AskanceRecorder r) {
        long p = store(r, array, index);
        U.putByte(p + 9, (byte) v);
        U.putByte(p, (byte) (ARRAY_STORE + 1));
        r.events = p + 10;
    }

    public static void storeC(Object array, int index, int v, AskanceRecorder r) {
        long p = store(r, array, index);
        U.putShort(p + 9, (short) v);
        U.putByte(p, (byte) (ARRAY_STORE + 2));
        r.events = p + 11;
    }

    public static void storeS(Object array, int index, int v, AskanceRecorder r) {
        long p = store(r, array, index);
        U.putShort(p + 9, (short) v);
        U.putByte(p, (byte) (ARRAY_STORE + 3));
        r.events = p + 11;
    }

    public static void storeI(Object array, int index, int v, AskanceRecorder r) {
        long p = store(r, array, index);
        U.putInt(p + 9, v);
        U.putByte(p, (byte) (ARRAY_STORE + 4));
        r.events = p + 13;
    }

    public static void storeF(Object array, int index, float v, AskanceRecorder r) {
        long p = store(r, array, index);
        U.putFloat(p + 9, v);
        U.putByte(p, (byte) (ARRAY_STORE + 5));
        r.events = p + 13;
    }

    public static void storeJ(Object array, int index, long v, AskanceRecorder r) {
        long p = store(r, array, index);
        U.putLong(p + 9, v);
        U.putByte(p, (byte) (ARRAY_STORE + 6));
        r.events = p + 17;
    }

    public static void storeD(Object array, int index, double v, AskanceRecorder r) {
        long p = store(r, array, index);
        U.putDouble(p + 9, v);
        U.putByte(p, (byte) (ARRAY_STORE + 7));
        r.events = p + 17;
    }

    public static void storeL(Object array, int index, Object v, AskanceRecorder r) {
        int value = r.id(v);
        long p = store(r, array, index);
        U.putInt(p + 9, value);
        U.putByte(p, (byte) (ARRAY_STORE + 8));
        r.events = p + 13;
    }

    // ---- identity ------------------------------------------------------------------------------

    private final AskanceObjects descriptions = new AskanceObjects(this);
    /** Where an object comes from that has no number yet. */
    private static final int OUTSIDE_OBJECT = 0;
    private static final int NEW_OBJECT = 1;
    private static final int NEW_ARRAY = 2;
    private int nextId;
    private int idLimit;

    /** The object's number; an object without one gets it, and is described. */
    int id(Object o) {
        if (o == null) {
            return 0;
        }
        if (AskanceIdentity.IN_HEADER) {
            int id = AskanceIdentity.inHeader(o);
            if (id != 0) {
                return id;
            }
        }
        return identify(o, OUTSIDE_OBJECT);
    }

    @DontInline
    private int identify(Object o, int origin) {
        if (o instanceof Class) {
            return AskanceTypes.of((Class<?>) o, this).id;
        }
        int known = AskanceIdentity.known(o);
        if (known != 0) {
            return known;
        }
        int fresh = freshId();
        int id = AskanceIdentity.assign(o, fresh);
        if (id == fresh) {
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

    int freshId() {
        if (nextId == idLimit) {
            nextId = takeIdBlock();
            idLimit = nextId + AskanceIdentity.BLOCK;
        }
        return nextId++;
    }

    void describeClass(Class<?> type, int id) {
        descriptions.describeClass(type, id);
    }
}
