package java.lang;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.ForceInline;

/**
 * How an object's number is found again.
 *
 * <p>The number is the object's identity hash, which we put into its header ourselves, with the same
 * compare-and-set that the VM would use; the counter is ours, so numbers are unique whatever the
 * threads do. Objects that the VM hashed first (it draws small sequential numbers under
 * -XX:hashCode=3), and all objects of a VM whose headers we do not understand, are looked up in a weak map.
 */
final class AskanceIdentity {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** Numbers below are those that the VM itself hands out (sequentially, under -XX:hashCode=3). */
    static final int FIRST = 1 << 25;
    static final int BLOCK = 1024;
    /** Where the identity hash sits in a header (not in compact ones, which lead to the map). */
    private static final int SHIFT = 8;
    static final boolean IN_HEADER = headersAreUnderstood();

    private static boolean headersAreUnderstood() {
        Object a = new Object();
        Object b = new Object();
        int hashA = System.identityHashCode(a);
        int hashB = System.identityHashCode(b);
        if (hashB - hashA < 1 || hashB - hashA > 64 || hashB > 1 << 20) {
            return false; // not sequential: a hash of the VM's could be taken for one of ours
        }
        Object c = new Object();
        long mark = U.getLong(c, 0L);
        return hashIn(U.getLong(a, 0L)) == hashA
                && hashIn(U.getLong(b, 0L)) == hashB
                && mark == 1
                && U.compareAndSetLong(c, 0L, mark, mark | (long) FIRST << SHIFT)
                && System.identityHashCode(c) == FIRST;
    }

    @ForceInline
    private static int hashIn(long mark) {
        return (int) (mark >>> SHIFT) & 0x7fffffff;
    }

    /** An unlocked header, turned so that its lock bits come first, whose hash is {@link #FIRST}. */
    private static final long LOWEST = 1L << 61 | (long) FIRST << SHIFT - 3;

    /**
     * The object's number if its header shows it right away, else 0. One comparison sees that the
     * object is not locked (lock bits 001) and that its hash is one of ours: this is inlined everywhere.
     */
    @ForceInline
    static int inHeader(Object o) {
        long mark = U.getLong(o, 0L);
        long turned = mark >>> 3 | mark << 61;
        return turned >= LOWEST && turned < 1L << 62 ? hashIn(mark) : 0;
    }

    /** The object's number if it has one, else 0. */
    static int known(Object o) {
        if (IN_HEADER) {
            long mark = U.getLong(o, 0L);
            if ((mark & 7) == 1) {
                int hash = hashIn(mark);
                return hash == 0 ? 0 : hash >= FIRST ? hash : AskanceWeakIds.get(o, hash);
            }
        }
        int hash = System.identityHashCode(o);
        return IN_HEADER && hash >= FIRST ? hash : AskanceWeakIds.get(o, hash);
    }

    /** Gives the object this number, unless another thread was faster: then that one is returned. */
    static int assign(Object o, int id) {
        if (IN_HEADER) {
            long mark = U.getLong(o, 0L);
            while ((mark & 7) == 1 && hashIn(mark) == 0) {
                if (U.compareAndSetLong(o, 0L, mark, mark | (long) id << SHIFT)) {
                    return id;
                }
                mark = U.getLong(o, 0L);
            }
            int hash = System.identityHashCode(o);
            if (hash >= FIRST) {
                return hash;
            }
        }
        return AskanceWeakIds.putIfAbsent(o, System.identityHashCode(o), id);
    }

    static boolean seen(Object o) {
        return o != null && (IN_HEADER && inHeader(o) != 0 || known(o) != 0);
    }
}
