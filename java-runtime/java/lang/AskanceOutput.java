package java.lang;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import jdk.internal.misc.Unsafe;

/**
 * What the program prints: each write to standard output and standard error, by whatever way it came there.
 *
 * <p>Called by {@code FileOutputStream} right after the system has taken the bytes, often while a {@code PrintStream}
 * is locked. So nothing here waits for anything but the short copy of the bytes, and nothing is thrown. The event
 * stands behind a MARK of its own, so that it is known which instruction of the open call was at work, and says no
 * more than the number of the piece: where the text is kept is bounded.
 */
public final class AskanceOutput {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final byte OUTPUT = 0x1f;
    private static final int OUTPUT_SIZE = 5;
    private static final int MARK_SIZE = 5;
    private static final int STANDARD_OUTPUT = 1;
    private static final int STANDARD_ERROR = 2;

    private static final long DESCRIPTOR = AskanceFields.offset(FileOutputStream.class, "fd");
    private static final long NUMBER = AskanceFields.offset(FileDescriptor.class, "fd");

    private AskanceOutput() {}

    /**
     * Keeps bytes of an array, or the single byte if there is none. Returns the number of the piece. With a control
     * block of 0 the piece belongs to no thread that is recorded; {@code at} is where its event will be.
     */
    private static native int keep(
            long control, long at, int descriptor, byte[] bytes, int offset, int length, int single);

    public static void wrote(FileOutputStream to, byte[] bytes) {
        wrote(to, bytes, 0, bytes.length);
    }

    public static void wrote(FileOutputStream to, byte[] bytes, int offset, int length) {
        int descriptor = descriptor(to);
        if (isStandard(descriptor) && length > 0) {
            note(descriptor, bytes, offset, length, 0);
        }
    }

    public static void wrote(FileOutputStream to, int single) {
        int descriptor = descriptor(to);
        if (isStandard(descriptor)) {
            note(descriptor, null, 0, 1, single);
        }
    }

    private static int descriptor(FileOutputStream stream) {
        Object descriptor = AskanceObjects.reference(stream, DESCRIPTOR);
        return descriptor == null ? -1 : U.getInt(descriptor, NUMBER);
    }

    private static boolean isStandard(int descriptor) {
        return descriptor == STANDARD_OUTPUT || descriptor == STANDARD_ERROR;
    }

    private static void note(int descriptor, byte[] bytes, int offset, int length, int single) {
        try {
            AskanceRecorder r = AskanceRecorder.existing();
            if (r == null || r.isSilent()) {
                keep(0, 0, descriptor, bytes, offset, length, single);
                return;
            }
            r.roomForEvent(MARK_SIZE + OUTPUT_SIZE);
            r.mark();
            long p = r.events;
            U.putInt(p + 1, keep(r.control, p, descriptor, bytes, offset, length, single));
            U.putByte(p, OUTPUT);
            r.events = p + OUTPUT_SIZE;
        } catch (Throwable thrown) {
            // No stack or no memory left for this: the program goes on without.
        }
    }
}
