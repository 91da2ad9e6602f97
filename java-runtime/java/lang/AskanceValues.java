package java.lang;

import jdk.internal.misc.Unsafe;

/**
 * What a frame consumed and could not compute: the values stream.
 *
 * <p>Neither these methods nor those of {@link AskanceWrites} look for room. Every way into recorded code makes room for all
 * that it may write until the next such place: a method's entry, its exits (for the caller), its handlers, and the heads of
 * its loops.
 */
public final class AskanceValues {
    private static final Unsafe U = Unsafe.getUnsafe();

    private AskanceValues() {}

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
        valueI(r.identify(array, AskanceRecorder.NEW_ARRAY), r);
    }

    /** A string constant is used: it must be described, its identity follows from the code. */
    public static void constant(Object constant, AskanceRecorder r) {
        if (!AskanceIdentity.isMarkedConstant(constant)) {
            r.noteConstant(constant);
        }
    }
}
