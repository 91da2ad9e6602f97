package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;

/**
 * How recorded calls begin and end: the events ENTER, EXIT, THROW, CATCH and THIS.
 *
 * <p>A method notes its entry by {@link #begin}, one {@code arg} for each argument and {@link #enter}, and whatever way it
 * takes out by one of the others.
 */
public final class AskanceCalls {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final int EXIT = 0x40;
    private static final byte THROW = 0x03;
    private static final byte CATCH = 0x04;
    private static final byte THIS = 0x05;
    /** The longest ENTER: what an interrupted one may have left behind. */
    private static final int LONGEST_ENTER = 5 + 255 * 8;
    /** Of more values than these an ENTER or EXIT cannot tell, for lack of bits: a MARK does. */
    private static final int MOST_AT_ENTER = 0xff;
    private static final int MOST_AT_EXIT = 0x3f;

    private AskanceCalls() {}

    /** First thing in a recorded method: its arguments are then stored ahead of the event's tag. */
    public static AskanceRecorder begin() {
        AskanceRecorder r = AskanceThreads.current();
        if (r.events >= r.eventsLimit || r.values >= r.valuesLimit || r.values - r.marked > MOST_AT_ENTER) {
            prepareCall(r, MOST_AT_ENTER);
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
        U.putShort(p + 1, (short) (word >>> 8 | (int) (r.values - r.marked) << 8));
        U.putByte(p, (byte) word);
        r.events = p + size;
        r.marked = r.values;
        return ++r.depth;
    }

    private static long exit(AskanceRecorder r, int depth) {
        if (r.events >= r.eventsLimit
                || r.values >= r.valuesLimit
                || r.values - r.marked > MOST_AT_EXIT
                || r.depth != depth) {
            prepareExit(r, depth);
        }
        long p = r.events;
        r.depth = depth - 1;
        return p;
    }

    /** Ends the EXIT event at p: its tag tells of the values, too. */
    private static void left(AskanceRecorder r, long p, int size) {
        U.putByte(p, (byte) (EXIT + (int) (r.values - r.marked)));
        r.events = p + size;
        r.marked = r.values;
    }

    @DontInline
    private static void prepareCall(AskanceRecorder r, int mostUntold) {
        r.makeRoom();
        if (r.values - r.marked > mostUntold) {
            r.mark();
        }
    }

    /** Calls above that never got to note their end (the library swallowed their exception) end now. */
    @DontInline
    private static void prepareExit(AskanceRecorder r, int depth) {
        prepareCall(r, MOST_AT_EXIT);
        if (r.depth > depth) {
            long p = r.events;
            U.putInt(p + 1, depth + 1);
            U.putInt(p + 5, r.valuesPosition());
            U.putInt(p + 9, 0);
            U.putByte(p, THROW);
            r.events = p + 13;
            r.marked = r.values;
        }
    }

    public static void exitV(AskanceRecorder r, int depth) {
        long p = exit(r, depth);
        left(r, p, 1);
    }

    public static void exitB(int v, AskanceRecorder r, int depth) {
        long p = exit(r, depth);
        U.putByte(p + 1, (byte) v);
        left(r, p, 2);
    }

    public static void exitS(int v, AskanceRecorder r, int depth) {
        long p = exit(r, depth);
        U.putShort(p + 1, (short) v);
        left(r, p, 3);
    }

    public static void exitI(int v, AskanceRecorder r, int depth) {
        long p = exit(r, depth);
        U.putInt(p + 1, v);
        left(r, p, 5);
    }

    public static void exitF(float v, AskanceRecorder r, int depth) {
        long p = exit(r, depth);
        U.putFloat(p + 1, v);
        left(r, p, 5);
    }

    public static void exitJ(long v, AskanceRecorder r, int depth) {
        long p = exit(r, depth);
        U.putLong(p + 1, v);
        left(r, p, 9);
    }

    public static void exitD(double v, AskanceRecorder r, int depth) {
        long p = exit(r, depth);
        U.putDouble(p + 1, v);
        left(r, p, 9);
    }

    public static void exitL(Object v, AskanceRecorder r, int depth) {
        int id = r.id(v);
        long p = exit(r, depth);
        U.putInt(p + 1, id);
        left(r, p, 5);
    }

    /** The call ends by this exception. */
    public static void threw(Object exception, AskanceRecorder r, int depth) {
        long p = exceptional(r, exception, depth);
        r.depth = depth - 1;
        U.putByte(p, THROW);
        r.events = p + 13;
    }

    /** A handler of the call is entered; {@code handler} is its bytecode offset. */
    public static void caught(Object exception, AskanceRecorder r, int depth, int handler) {
        long p = exceptional(r, exception, depth);
        r.depth = depth;
        U.putShort(p + 13, (short) handler);
        U.putByte(p, CATCH);
        r.events = p + 15;
    }

    private static long exceptional(AskanceRecorder r, Object exception, int depth) {
        int id = r.id(exception);
        AskanceRecorder.check(r);
        long p = r.events;
        // A stack overflow may have cut an ENTER short: nothing of it may be taken for an event.
        U.setMemory(p, LONGEST_ENTER, (byte) 0);
        U.putInt(p + 1, depth);
        U.putInt(p + 5, r.valuesPosition());
        U.putInt(p + 9, id);
        r.marked = r.values;
        return p;
    }

    /** In a constructor, once the super constructor has returned. */
    public static void initialized(Object object, AskanceRecorder r) {
        int id = r.identify(object, AskanceRecorder.NEW_OBJECT);
        AskanceRecorder.check(r);
        long p = r.events;
        U.putInt(p + 1, id);
        U.putByte(p, THIS);
        r.events = p + 5;
    }
}
