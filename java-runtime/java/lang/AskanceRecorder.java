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
 *
 * <p>It is one class although it is long: where rewritten code names a class for the first time, the JVM asks the class
 * loader of that code for it, and a program's own loader is recorded code. In the middle of a method its calls would
 * stand where none is; {@link #begin} comes before anything is noted.
 */
public final class AskanceRecorder {
    /**
     * Addresses are given as offsets of no object, here: the methods of Unsafe that take them alone call those with an
     * object, and a probe that is one call less deep costs less wherever it is interpreted, compiled and profiled.
     */
    private static final Unsafe U = Unsafe.getUnsafe();

    // ---- one recorder per thread -------------------------------------------------------------

    private static final int THREAD_BUCKETS = 1024;
    private static final AskanceRecorder[] THREADS = new AskanceRecorder[THREAD_BUCKETS];
    private static final long THREAD_ID_OFFSET = AskanceFields.offset(Thread.class, "tid");
    /** Becomes true with the second recorded thread: from then on synchronisation is stamped. */
    static boolean severalThreads;
    private static boolean first = true;
    /** Address of the counter from which all threads draw their stamps. */
    private static long clock;

    private final Thread thread;
    /** Collisions in {@link #THREADS}: the next recorder of the same bucket. */
    private AskanceRecorder next;
    /** The next of those that were taken out of {@link #THREADS} and are not closed yet. */
    private AskanceRecorder nextDead;
    /** Native block from which the positions below are refilled: per stream start, limit, base. */
    final long control;
    /** The block of events and values: {@link #control}, or one whose content goes nowhere. */
    private long sink;
    /** That other block, once there was need of it. */
    private long nowhere;

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
    /** What the thread works on, and the depth below which calls are made for it; see {@link AskanceTasks}. */
    int task;

    int taskDepth;
    /** The task that was handed over last, and how far the events were then. */
    int submitted;

    long submittedAt;

    private AskanceRecorder(Thread thread, long control) {
        this.thread = thread;
        this.control = control;
        sink = control;
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
        AskanceRecorder r = opened(t);
        return r != null ? r : open(t, bucket(t));
    }

    private static AskanceRecorder opened(Thread t) {
        for (AskanceRecorder r = THREADS[bucket(t)]; r != null; r = r.next) {
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
        return (int) U.getLong(t, THREAD_ID_OFFSET) & (THREAD_BUCKETS - 1);
    }

    int depth() {
        return depth;
    }

    private static AskanceRecorder open(Thread t, int bucket) {
        AskanceRecorder r = new AskanceRecorder(t, openThread(t, U.getLong(t, THREAD_ID_OFFSET)));
        AskanceRecorder dead = null;
        lock();
        try {
            dead = unlinkDead(bucket, dead);
            for (int i = 0; i < SWEPT; i++) {
                sweep = sweep + 1 & THREAD_BUCKETS - 1;
                dead = unlinkDead(sweep, dead);
            }
            r.next = THREADS[bucket];
            U.storeFence();
            THREADS[bucket] = r;
            severalThreads = !first;
            first = false;
        } finally {
            LOCK.locked = 0;
        }
        close(dead);
        sync(r);
        if (AskanceIdentity.seen(t)) {
            AskanceTasks.set(r, AskanceIdentity.known(t), 0);
        }
        // There will be no stack, or no memory, to describe them when they come.
        r.id(StackOverflowError.class);
        r.id(OutOfMemoryError.class);
        return r;
    }

    /** So many buckets are looked through with each new thread, so that few that have ended keep their buffers. */
    private static final int SWEPT = 4;

    private static int sweep;

    /** Of {@link #LOCK}: 1 while a thread changes {@link #THREADS}. Written without a call, which could overflow. */
    private volatile int locked;

    private static final long LOCKED_OFFSET = AskanceFields.offset(AskanceRecorder.class, "locked");
    /** It is no thread's. */
    private static final AskanceRecorder LOCK = blank();

    private static AskanceRecorder blank() {
        try {
            return (AskanceRecorder) U.allocateInstance(AskanceRecorder.class);
        } catch (InstantiationException never) {
            throw new InternalError(never);
        }
    }

    /**
     * Not a monitor: a virtual thread that waits for one gives way to the next, which gets its buffers and waits as
     * well, and so on for as many as there are.
     */
    private static void lock() {
        for (int tries = 1; !U.compareAndSetInt(LOCK, LOCKED_OFFSET, 0, 1); tries++) {
            if ((tries & 63) == 0) {
                U.park(false, 20_000); // the carrier, so that who has the lock can go on
            }
        }
    }

    /** Takes those that have ended out of a bucket, and puts them before others that were. */
    private static AskanceRecorder unlinkDead(int bucket, AskanceRecorder dead) {
        // Other threads walk this list meanwhile: the living stay where they are, and the dead still lead on.
        AskanceRecorder before = null;
        for (AskanceRecorder old = THREADS[bucket]; old != null; old = old.next) {
            if (old.thread.isAlive()) {
                before = old;
                continue;
            }
            if (before == null) {
                THREADS[bucket] = old.next;
            } else {
                before.next = old.next;
            }
            old.nextDead = dead;
            dead = old;
        }
        return dead;
    }

    private static void close(AskanceRecorder dead) {
        for (AskanceRecorder old = dead; old != null; old = old.nextDead) {
            closeThread(old.control, old.events, old.values, old.objects);
            if (old.nowhere != 0) {
                closeThread(old.nowhere, 0, 0, 0);
            }
        }
    }

    private static native long openThread(Thread thread, long threadId);

    /** A block like a thread's, for what nobody wants; 0 if there is no memory for it. */
    private static native long openNowhere();

    private static native void closeThread(long control, long events, long values, long objects);

    /**
     * Hands the full buffer of a stream over and gets one with room for {@code needed} bytes. How far all streams are
     * is told as well: if recording has stopped, the trace ends there.
     */
    private static native void flush(
            long control, int stream, long needed, long events, long values, long objects);

    private void flush(int stream, long needed) {
        flush(stream == OBJECTS ? control : sink, stream, needed, events, values, objects);
    }

    static final int EVENTS = 1;
    static final int VALUES = 2;
    static final int OBJECTS = 3;

    static native int takeIdBlock();

    /** See {@link #pack(int, long, long, int, int)}. */
    private static native int pack(long control, int stream, long record, long at, int bytes, int width);

    /** Added to the kind of elements that are packed, which those are that take at least so many bytes. */
    static final int PACKED = 0x10;

    static final int PACKED_FROM = 64;
    /** What cannot be packed is longer by so much at most. */
    static final int PACKING_ADDS = 16;

    /**
     * Packs the elements that stand at this address of a stream's buffer, in the record that begins at the other, and
     * returns how many bytes they take now. Behind them the buffer is empty again.
     */
    int pack(int stream, long record, long at, int bytes, int width) {
        int packed = pack(control, stream, record, at, bytes, width);
        if (packed < bytes) {
            U.setMemory(at + packed, bytes - packed, (byte) 0);
        }
        return packed;
    }

    private static final int STREAM_BLOCK = 24;

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
        // A chunk orders its events, by its own stamp, with what other threads do. The values are told before it and
        // another stamp is taken after it, so that of each read it is known on which side of the chunk's it was.
        tellValues();
        flush(EVENTS, needed);
        reloadEvents();
        if (severalThreads) {
            putStamp();
        }
        return events;
    }

    /** Where the next entry of the objects stream may be written, {@code bytes} long at most. */
    long roomForObject(long bytes) {
        if (objects + bytes > objectsLimit) {
            flush(OBJECTS, bytes);
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

    private int valuesPosition() {
        return (int) values + valuesBase;
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

    // ---- calls -------------------------------------------------------------------------------

    private static final int EXIT = 0x40;
    private static final byte THROW = 0x03;
    private static final byte CATCH = 0x04;
    private static final byte THIS = 0x05;
    private static final byte SYNC = 0x06;
    private static final byte MARK = 0x08;
    private static final int PUT_FIELD = 0x01;
    private static final int PUT_THIS = 0x02;
    private static final int ARRAY_STORE = 0x0a;
    private static final int ARRAY_STORE_NEAR = 0x13;
    /** The longest ENTER: what an interrupted one may have left behind. */
    private static final int LONGEST_ENTER = 5 + 255 * 8;

    /** First thing in a recorded method: its arguments are then stored ahead of the event's tag. */
    public static AskanceRecorder begin() {
        AskanceRecorder r = current();
        if (r.events >= r.eventsLimit || r.values >= r.valuesLimit || r.values - r.marked > MOST_AT_ENTER) {
            r.prepareCall(MOST_AT_ENTER);
        }
        return r;
    }

    public static void argB(int v, AskanceRecorder r, int at) {
        U.putByte(null, r.events + at, (byte) v);
    }

    public static void argS(int v, AskanceRecorder r, int at) {
        U.putShort(null, r.events + at, (short) v);
    }

    public static void argI(int v, AskanceRecorder r, int at) {
        U.putInt(null, r.events + at, v);
    }

    public static void argF(float v, AskanceRecorder r, int at) {
        U.putFloat(null, r.events + at, v);
    }

    public static void argJ(long v, AskanceRecorder r, int at) {
        U.putLong(null, r.events + at, v);
    }

    public static void argD(double v, AskanceRecorder r, int at) {
        U.putDouble(null, r.events + at, v);
    }

    public static void argL(Object v, AskanceRecorder r, int at) {
        int id = r.id(v);
        U.putInt(null, r.events + at, id);
    }

    /** Ends the ENTER event that {@link #begin} started; returns the call's depth. */
    public static int enter(AskanceRecorder r, int word, int size) {
        long p = r.events;
        U.putShort(null, p + 1, (short) (word >>> 8 | (int) (r.values - r.marked) << 8));
        U.putByte(null, p, (byte) word);
        r.events = p + size;
        r.marked = r.values;
        return ++r.depth;
    }

    private static long exit(AskanceRecorder r, int depth) {
        if (r.events >= r.eventsLimit
                || r.values >= r.valuesLimit
                || r.values - r.marked > MOST_AT_EXIT
                || r.depth != depth) {
            r.prepareExit(depth);
        }
        long p = r.events;
        r.depth = depth - 1;
        return p;
    }

    /** Ends the EXIT event at p: its tag tells of the values, too. */
    private static void left(AskanceRecorder r, long p, int size) {
        U.putByte(null, p, (byte) (EXIT + (int) (r.values - r.marked)));
        r.events = p + size;
        r.marked = r.values;
    }

    /** Of more values than these an ENTER or EXIT cannot tell, for lack of bits: a MARK does. */
    private static final int MOST_AT_ENTER = 0xff;
    private static final int MOST_AT_EXIT = 0x3f;

    @DontInline
    private void prepareCall(int mostUntold) {
        makeRoom();
        if (values - marked > mostUntold) {
            mark();
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
        U.putInt(null, p + 1, valuesPosition());
        U.putByte(null, p, MARK);
        events = p + 5;
        marked = values;
    }

    /** Calls above that never got to note their end (the library swallowed their exception) end now. */
    @DontInline
    private void prepareExit(int depth) {
        prepareCall(MOST_AT_EXIT);
        if (this.depth > depth) {
            long p = events;
            U.putInt(null, p + 1, depth + 1);
            U.putInt(null, p + 5, valuesPosition());
            U.putInt(null, p + 9, 0);
            U.putByte(null, p, THROW);
            events = p + 13;
            marked = values;
        }
    }

    public static void exitV(AskanceRecorder r, int depth) {
        long p = exit(r, depth);
        left(r, p, 1);
    }

    public static void exitB(int v, AskanceRecorder r, int depth) {
        long p = exit(r, depth);
        U.putByte(null, p + 1, (byte) v);
        left(r, p, 2);
    }

    public static void exitS(int v, AskanceRecorder r, int depth) {
        long p = exit(r, depth);
        U.putShort(null, p + 1, (short) v);
        left(r, p, 3);
    }

    public static void exitI(int v, AskanceRecorder r, int depth) {
        long p = exit(r, depth);
        U.putInt(null, p + 1, v);
        left(r, p, 5);
    }

    public static void exitF(float v, AskanceRecorder r, int depth) {
        long p = exit(r, depth);
        U.putFloat(null, p + 1, v);
        left(r, p, 5);
    }

    public static void exitJ(long v, AskanceRecorder r, int depth) {
        long p = exit(r, depth);
        U.putLong(null, p + 1, v);
        left(r, p, 9);
    }

    public static void exitD(double v, AskanceRecorder r, int depth) {
        long p = exit(r, depth);
        U.putDouble(null, p + 1, v);
        left(r, p, 9);
    }

    public static void exitL(Object v, AskanceRecorder r, int depth) {
        int id = r.id(v);
        long p = exit(r, depth);
        U.putInt(null, p + 1, id);
        left(r, p, 5);
    }

    /** The call ends by this exception. */
    public static void threw(Object exception, AskanceRecorder r, int depth) {
        long p = r.exceptional(exception, depth);
        r.depth = depth - 1;
        U.putByte(null, p, THROW);
        r.events = p + 13;
    }

    /** A handler of the call is entered; {@code handler} is its bytecode offset. */
    public static void caught(Object exception, AskanceRecorder r, int depth, int handler) {
        long p = r.exceptional(exception, depth);
        r.depth = depth;
        U.putShort(null, p + 13, (short) handler);
        U.putByte(null, p, CATCH);
        r.events = p + 15;
    }

    private long exceptional(Object exception, int depth) {
        int id = id(exception);
        check(this);
        long p = events;
        // A stack overflow may have cut an ENTER short: nothing of it may be taken for an event.
        U.setMemory(p, LONGEST_ENTER, (byte) 0);
        U.putInt(null, p + 1, depth);
        U.putInt(null, p + 5, valuesPosition());
        U.putInt(null, p + 9, id);
        marked = values;
        return p;
    }

    /** In a constructor, once the super constructor has returned. */
    public static void initialized(Object object, AskanceRecorder r) {
        int id = r.identify(object, NEW_OBJECT);
        check(r);
        long p = r.events;
        U.putInt(null, p + 1, id);
        U.putByte(null, p, THIS);
        r.events = p + 5;
    }

    /** Orders what this thread did before against what other threads do after. */
    public static void sync(AskanceRecorder r) {
        if (severalThreads) {
            stamp(r);
        }
    }

    /** A stamp, and which values were noted before it: so it is known of each read on which side of it that was. */
    static void stamp(AskanceRecorder r) {
        check(r);
        r.tellValues();
        r.putStamp();
    }

    private void putStamp() {
        long p = events;
        U.putLong(null, p + 1, U.getAndAddLong(null, clock, 1));
        U.putByte(null, p, SYNC);
        events = p + 9;
    }

    // ---- values: what a frame consumed --------------------------------------------------------
    // Neither these nor the heap writes below look for room. Every way into recorded code makes room for all that it
    // may write until the next such place: a method's entry, its exits (for the caller), its handlers, and the heads
    // of its loops.

    public static void valueB(int v, AskanceRecorder r) {
        long p = r.values;
        U.putByte(null, p, (byte) v);
        r.values = p + 1;
    }

    public static void valueS(int v, AskanceRecorder r) {
        long p = r.values;
        U.putShort(null, p, (short) v);
        r.values = p + 2;
    }

    public static void valueI(int v, AskanceRecorder r) {
        long p = r.values;
        U.putInt(null, p, v);
        r.values = p + 4;
    }

    public static void valueF(float v, AskanceRecorder r) {
        long p = r.values;
        U.putFloat(null, p, v);
        r.values = p + 4;
    }

    public static void valueJ(long v, AskanceRecorder r) {
        long p = r.values;
        U.putLong(null, p, v);
        r.values = p + 8;
    }

    public static void valueD(double v, AskanceRecorder r) {
        long p = r.values;
        U.putDouble(null, p, v);
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
        if (isSilent()) {
            return;
        }
        int id = id(constant);
        if (constant instanceof String && AskanceIdentity.markConstant(constant)) {
            descriptions.describeConstant((String) constant, id);
            AskanceSecrets.constantDescribed(constant, id);
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
            flush(VALUES, 0);
            reloadValues();
        }
    }

    // ---- heap writes ---------------------------------------------------------------------------

    /** Stores the object of a field write, and returns where the value goes. */
    private static long field(AskanceRecorder r, Object o) {
        int id = r.id(o);
        long p = r.events;
        U.putInt(null, p + 4, id);
        return p + 8;
    }

    /** The same for a write in a method of {@code self}: if that is the object, the tag says it all. */
    private static long field(AskanceRecorder r, Object o, Object self) {
        return o == self ? r.events + 4 : field(r, o);
    }

    private static void put(AskanceRecorder r, long value, int word, int size) {
        U.putInt(null, r.events, value == r.events + 4 ? word + (PUT_THIS - PUT_FIELD) : word);
        r.events = value + size;
    }

    public static void putB(Object o, int v, AskanceRecorder r, int word) {
        long at = field(r, o);
        U.putByte(null, at, (byte) v);
        put(r, at, word, 1);
    }

    public static void putB(Object o, int v, Object self, AskanceRecorder r, int word) {
        long at = field(r, o, self);
        U.putByte(null, at, (byte) v);
        put(r, at, word, 1);
    }

    public static void putS(Object o, int v, AskanceRecorder r, int word) {
        long at = field(r, o);
        U.putShort(null, at, (short) v);
        put(r, at, word, 2);
    }

    public static void putS(Object o, int v, Object self, AskanceRecorder r, int word) {
        long at = field(r, o, self);
        U.putShort(null, at, (short) v);
        put(r, at, word, 2);
    }

    public static void putI(Object o, int v, AskanceRecorder r, int word) {
        long at = field(r, o);
        U.putInt(null, at, v);
        put(r, at, word, 4);
    }

    public static void putI(Object o, int v, Object self, AskanceRecorder r, int word) {
        long at = field(r, o, self);
        U.putInt(null, at, v);
        put(r, at, word, 4);
    }

    public static void putF(Object o, float v, AskanceRecorder r, int word) {
        long at = field(r, o);
        U.putFloat(null, at, v);
        put(r, at, word, 4);
    }

    public static void putF(Object o, float v, Object self, AskanceRecorder r, int word) {
        long at = field(r, o, self);
        U.putFloat(null, at, v);
        put(r, at, word, 4);
    }

    public static void putJ(Object o, long v, AskanceRecorder r, int word) {
        long at = field(r, o);
        U.putLong(null, at, v);
        put(r, at, word, 8);
    }

    public static void putJ(Object o, long v, Object self, AskanceRecorder r, int word) {
        long at = field(r, o, self);
        U.putLong(null, at, v);
        put(r, at, word, 8);
    }

    public static void putD(Object o, double v, AskanceRecorder r, int word) {
        long at = field(r, o);
        U.putDouble(null, at, v);
        put(r, at, word, 8);
    }

    public static void putD(Object o, double v, Object self, AskanceRecorder r, int word) {
        long at = field(r, o, self);
        U.putDouble(null, at, v);
        put(r, at, word, 8);
    }

    public static void putL(Object o, Object v, AskanceRecorder r, int word) {
        int value = r.id(v);
        putI(o, value, r, word);
    }

    public static void putL(Object o, Object v, Object self, AskanceRecorder r, int word) {
        int value = r.id(v);
        putI(o, value, self, r, word);
    }

    public static void setB(int v, AskanceRecorder r, int word) {
        long p = r.events;
        U.putByte(null, p + 4, (byte) v);
        U.putInt(null, p, word);
        r.events = p + 5;
    }

    public static void setS(int v, AskanceRecorder r, int word) {
        long p = r.events;
        U.putShort(null, p + 4, (short) v);
        U.putInt(null, p, word);
        r.events = p + 6;
    }

    public static void setI(int v, AskanceRecorder r, int word) {
        long p = r.events;
        U.putInt(null, p + 4, v);
        U.putInt(null, p, word);
        r.events = p + 8;
    }

    public static void setF(float v, AskanceRecorder r, int word) {
        long p = r.events;
        U.putFloat(null, p + 4, v);
        U.putInt(null, p, word);
        r.events = p + 8;
    }

    public static void setJ(long v, AskanceRecorder r, int word) {
        long p = r.events;
        U.putLong(null, p + 4, v);
        U.putInt(null, p, word);
        r.events = p + 12;
    }

    public static void setD(double v, AskanceRecorder r, int word) {
        long p = r.events;
        U.putDouble(null, p + 4, v);
        U.putInt(null, p, word);
        r.events = p + 12;
    }

    public static void setL(Object v, AskanceRecorder r, int word) {
        int value = r.id(v);
        long p = r.events;
        U.putInt(null, p + 4, value);
        U.putInt(null, p, word);
        r.events = p + 8;
    }

    /** Stores array and index, and returns where the value goes. */
    private static long element(AskanceRecorder r, Object array, int index) {
        int id = r.number(array);
        long p = r.events;
        U.putInt(null, p + 1, id);
        U.putInt(null, p + 5, index);
        // A small index has no upper half: the value is stored over it.
        return index >>> 16 == 0 ? p + 7 : p + 9;
    }

    private static void stored(AskanceRecorder r, long value, int kind, int size) {
        long p = r.events;
        U.putByte(null, p, (byte) (value == p + 7 ? ARRAY_STORE_NEAR + kind : ARRAY_STORE + kind));
        r.events = value + size;
    }

    public static void storeB(Object array, int index, int v, AskanceRecorder r) {
        long at = element(r, array, index);
        U.putByte(null, at, (byte) AskanceSecrets.masked(v, array));
        stored(r, at, 1, 1);
    }

    public static void storeC(Object array, int index, int v, AskanceRecorder r) {
        long at = element(r, array, index);
        U.putShort(null, at, (short) AskanceSecrets.masked(v, array));
        stored(r, at, 2, 2);
    }

    public static void storeS(Object array, int index, int v, AskanceRecorder r) {
        long at = element(r, array, index);
        U.putShort(null, at, (short) v);
        stored(r, at, 3, 2);
    }

    public static void storeI(Object array, int index, int v, AskanceRecorder r) {
        long at = element(r, array, index);
        U.putInt(null, at, v);
        stored(r, at, 4, 4);
    }

    public static void storeF(Object array, int index, float v, AskanceRecorder r) {
        long at = element(r, array, index);
        U.putFloat(null, at, v);
        stored(r, at, 5, 4);
    }

    public static void storeJ(Object array, int index, long v, AskanceRecorder r) {
        long at = element(r, array, index);
        U.putLong(null, at, v);
        stored(r, at, 6, 8);
    }

    public static void storeD(Object array, int index, double v, AskanceRecorder r) {
        long at = element(r, array, index);
        U.putDouble(null, at, v);
        stored(r, at, 7, 8);
    }

    public static void storeL(Object array, int index, Object v, AskanceRecorder r) {
        int value = r.id(v);
        long at = element(r, array, index);
        U.putInt(null, at, value);
        stored(r, at, 8, 4);
    }

    // ---- identity ------------------------------------------------------------------------------

    private final AskanceObjects descriptions = new AskanceObjects(this);
    /** Where an object comes from that has no number yet. */
    private static final int OUTSIDE_OBJECT = 0;
    private static final int NEW_OBJECT = 1;
    private static final int NEW_ARRAY = 2;
    private int nextId;
    private int idLimit;

    /**
     * The object's number; an object without one gets it, and is described. One of long ago is described again. It is
     * called, not inlined: much of what recording costs is compiling its probes, and this is the largest of them.
     */
    @DontInline
    int id(Object o) {
        return number(o);
    }

    /** The same, inlined: for stores to arrays, which stand in loops. */
    private int number(Object o) {
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
    private int identify(Object o, int origin) {
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
