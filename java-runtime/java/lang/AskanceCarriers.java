package java.lang;

import java.lang.reflect.Field;
import jdk.internal.misc.Unsafe;

/** The pool whose threads carry virtual threads, where there are such. Looked up when the first pool is used. */
final class AskanceCarriers {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final Field POOL = field();

    private AskanceCarriers() {}

    private static Field field() {
        try {
            return Class.forName("java.lang.VirtualThread", false, null).getDeclaredField("DEFAULT_SCHEDULER");
        } catch (ReflectiveOperationException older) {
            return null;
        }
    }

    /** Null until the first virtual thread is made. */
    static Object pool() {
        return POOL == null ? null : AskanceObjects.reference(U.staticFieldBase(POOL), U.staticFieldOffset(POOL));
    }
}
