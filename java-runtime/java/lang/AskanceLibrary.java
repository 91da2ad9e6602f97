package java.lang;

import jdk.internal.misc.Unsafe;

/**
 * Writes that library code does to objects that recorded code has seen.
 *
 * <p>Called from library classes that were rewritten to tell, and from recorded code after it handed an
 * array to a library method that fills it. Nothing is known about who looked for room when, so everything here does.
 */
public final class AskanceLibrary {
    private static final Unsafe U = Unsafe.getUnsafe();
    /** Marked as the library's doing. */
    private static final byte ARRAY_RANGE = 0x09 + 0x20;
    /** Of an ARRAY_RANGE, ahead of its elements. */
    private static final int RANGE_HEADER = 14;

    private AskanceLibrary() {}

    private static AskanceRecorder checked() {
        AskanceRecorder r = AskanceRecorder.current();
        AskanceRecorder.check(r);
        return r;
    }

    public static void putI(Object o, int v, int word) {
        if (AskanceIdentity.seen(o)) {
            AskanceRecorder.putI(o, v, checked(), word);
        }
    }

    public static void putB(Object o, int v, int word) {
        if (AskanceIdentity.seen(o)) {
            AskanceRecorder.putB(o, v, checked(), word);
        }
    }

    public static void putS(Object o, int v, int word) {
        if (AskanceIdentity.seen(o)) {
            AskanceRecorder.putS(o, v, checked(), word);
        }
    }

    public static void putF(Object o, float v, int word) {
        if (AskanceIdentity.seen(o)) {
            AskanceRecorder.putF(o, v, checked(), word);
        }
    }

    public static void putJ(Object o, long v, int word) {
        if (AskanceIdentity.seen(o)) {
            AskanceRecorder.putJ(o, v, checked(), word);
        }
    }

    public static void putD(Object o, double v, int word) {
        if (AskanceIdentity.seen(o)) {
            AskanceRecorder.putD(o, v, checked(), word);
        }
    }

    public static void putL(Object o, Object v, int word) {
        if (AskanceIdentity.seen(o)) {
            AskanceRecorder.putL(o, v, checked(), word);
        }
    }

    /** Library code may have changed this array: note elements {@code from..from+count} as they are now. */
    public static void filled(Object array, int from, int count) {
        if (array != null && array.getClass().isArray() && AskanceIdentity.seen(array)) {
            range(AskanceRecorder.current(), array, from, count);
        }
    }

    /** An array was handed to library code, which has returned. */
    public static void handedOut(Object array, AskanceRecorder r) {
        if (array != null && array.getClass().isArray()) {
            range(r, array, 0, AskanceTypes.length(array));
        }
    }

    /** A part of an array was handed to library code, which has returned. */
    public static void handedOut(Object array, int from, int count, AskanceRecorder r) {
        if (array != null && array.getClass().isArray()) {
            range(r, array, from, count);
        }
    }

    private static final int RANGE_BYTES = 1 << 18;

    private static void range(AskanceRecorder r, Object array, int from, int count) {
        int length = AskanceTypes.length(array);
        if (from < 0 || count <= 0 || from >= length) {
            return;
        }
        int end = count < length - from ? from + count : length;
        int id = r.id(array);
        int kind = AskanceTypes.kindOfElements(array.getClass());
        int width = AskanceTypes.width(kind);
        for (int start = from; start < end; ) {
            int n = Math.min(end - start, RANGE_BYTES / width);
            if (kind == 8) {
                // First make sure of every id: that may write to the objects stream, never to events.
                for (int i = start; i < start + n; i++) {
                    r.id(((Object[]) array)[i]);
                }
            }
            long p = r.roomForEvent(RANGE_HEADER + (long) n * width);
            if (kind == 8) {
                for (int i = 0; i < n; i++) {
                    U.putInt(p + RANGE_HEADER + 4L * i, r.id(((Object[]) array)[start + i]));
                }
            } else {
                long source = AskanceTypes.base(kind) + (long) start * width;
                U.copyMemory(array, source, null, p + RANGE_HEADER, (long) n * width);
            }
            U.putByte(p + 1, (byte) kind);
            U.putInt(p + 2, id);
            U.putInt(p + 6, start);
            U.putInt(p + 10, n);
            U.putByte(p, ARRAY_RANGE);
            r.events = p + RANGE_HEADER + (long) n * width;
            start += n;
        }
    }
}
