package java.lang;

import jdk.internal.misc.Unsafe;

/**
 * Tells which objects are to be described again, in a trace that gives up its oldest descriptions.
 *
 * <p>Recording is cut into spans, and whatever is used in one is described in it. What got its number in the current
 * span was; for what is older a bit says so. Threads may lose each other's bits: then an object is described once
 * more than needed.
 */
final class AskanceSpans {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** Where the first number of the current span stands, and the bits; 0 where nothing is described again. */
    private static final long BEGIN = beginAddress();

    private static final long BITS = bitsAddress();
    /** Whether the oldest descriptions are given up. */
    static final boolean ARE_THERE = BEGIN != 0 && BITS != 0;

    private AskanceSpans() {}

    private static native long beginAddress();

    private static native long bitsAddress();

    /** Whether the object with this number was not described in the current span. */
    static boolean isOld(int id) {
        return ARE_THERE && id < U.getInt(BEGIN) && (U.getByte(BITS + (id >>> 3)) & 1 << (id & 7)) == 0;
    }

    /** The object is described now. */
    static void described(int id) {
        if (ARE_THERE) {
            long at = BITS + (id >>> 3);
            U.putByte(at, (byte) (U.getByte(at) | 1 << (id & 7)));
        }
    }
}
