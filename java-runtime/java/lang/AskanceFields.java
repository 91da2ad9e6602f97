package java.lang;

import jdk.internal.misc.Unsafe;

/**
 * Where objects have their fields.
 *
 * <p>Up to Java 8, {@code Unsafe} tells that of a {@code Field} only, and to get one the JVM loads the classes of all
 * fields that are declared beside it. So there the agent is asked, which reads it from the JVM's own number of the
 * field; whether it reads it rightly is tried once.
 */
final class AskanceFields {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** How {@link #offset} finds out. */
    private static final int BY_NAME = 0;
    private static final int BY_NUMBER = 1;
    private static final int BY_REFLECTION = 2;
    private static final int WAY = way();

    private AskanceFields() {}

    private static int way() {
        try {
            U.objectFieldOffset(Enum.class, "name");
            return BY_NAME;
        } catch (NoSuchMethodError older) {
            return byNumber(Enum.class, "name") == byReflection(Enum.class, "name")
                            && byNumber(Thread.class, "tid") == byReflection(Thread.class, "tid")
                    ? BY_NUMBER
                    : BY_REFLECTION;
        }
    }

    /** An InternalError is thrown where the class itself does not declare such a field. */
    static long offset(Class<?> type, String name) {
        if (WAY == BY_NAME) {
            return U.objectFieldOffset(type, name);
        }
        long offset = WAY == BY_NUMBER ? byNumber(type, name) : byReflection(type, name);
        if (offset < 0) {
            throw new InternalError(name);
        }
        return offset;
    }

    /** The same, but -1 where there is no such field. */
    static long offsetIfAny(Class<?> type, String name) {
        try {
            return offset(type, name);
        } catch (InternalError none) {
            return -1;
        }
    }

    /** From the number that the JVM gives native code for the field; -1 if there is none. */
    private static native long byNumber(Class<?> type, String name);

    private static long byReflection(Class<?> type, String name) {
        try {
            return U.objectFieldOffset(type.getDeclaredField(name));
        } catch (ReflectiveOperationException none) {
            return -1;
        }
    }
}
