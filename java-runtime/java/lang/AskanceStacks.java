package java.lang;

import jdk.internal.misc.Unsafe;

/**
 * Gives threads room for recorded frames, which are larger than others.
 *
 * <p>Called when a thread is started, before the VM asks how large its stack is to be. What must not happen is that
 * this keeps a thread from being started.
 */
public final class AskanceStacks {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final long NOWHERE = -1;
    /** Since Java 19 the size is in an object of its own. */
    private static final long HOLDER = AskanceFields.offsetIfAny(Thread.class, "holder");
    private static final long SIZE = sizeOffset();

    private AskanceStacks() {}

    private static long sizeOffset() {
        if (HOLDER == NOWHERE) {
            return AskanceFields.offsetIfAny(Thread.class, "stackSize");
        }
        try {
            Class<?> holder = Class.forName("java.lang.Thread$FieldHolder", false, null);
            return AskanceFields.offsetIfAny(holder, "stackSize");
        } catch (ClassNotFoundException e) {
            return NOWHERE;
        }
    }

    /** A thread is about to be started. */
    public static void raise(Thread thread) {
        if (SIZE == NOWHERE) {
            return;
        }
        Object owner = HOLDER == NOWHERE ? thread : U.getReference(thread, HOLDER);
        if (owner != null) {
            long size = U.getLong(owner, SIZE);
            long larger = raised(size);
            if (larger != size) {
                U.putLong(owner, SIZE, larger);
            }
        }
    }

    /** What the size becomes; 0 stands for the usual one. */
    private static native long raised(long size);
}
