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
    static final int SHIFT = shift();
    static final boolean IN_HEADER = SHIFT != 0;

    /** Where the identity hash sits in the header, or 0 if headers cannot be used. */
    private static int shift() {
        Object a = new Object();
        Object b = new Object();
        int hashA = System.identityHashCode(a);
        int hashB = System.identityHashCode(b);
        if (hashB - hashA < 1 || hashB - hashA > 64 || hashB > 1 << 20) {
            return 0; // not sequential: a hash of the VM's could be taken for one of ours
        }
        for (int shift = 8; shift <= 11; shift += 3) {
            if (hashIn(U.getLong(a, 0L), shift) == hashA && hashIn(U.getLong(b, 0L), shift) == hashB) {
                Object c = new Object();
                long mark = U.getLong(c, 0L);
                if ((mark & 7) == 1 && hashIn(mark, shift) == 0
                        && U.compareAndSetLong(c, 0L, mark, mark | (long) FIRST << shift)
                        && System.identityHashCode(c) == FIRST) {
                    return shift;
                }
            }
        }
        return 0;
    }

    @ForceInline
    private static int hashIn(long mark, int shift) {
        return (int) (mark >>> shift) & 0x7fffffff;
    }

    /** The object's number if its header shows it right away, else 0. */
    @ForceInline
    static int inHeader(Object o) {
        long mark = U.getLong(o, 0L);
        int hash = hashIn(mark, SHIFT);
        return (mark & 7) == 1 && hash >= FIRST ? hash : 0;
    }

    /** The object's number if it has one, else 0. */
    static int known(Object o) {
        if (IN_HEADER) {
            long mark = U.getLong(o, 0L);
            if ((mark & 7) == 1) {
                int hash = hashIn(mark, SHIFT);
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
            while ((mark & 7) == 1 && hashIn(mark, SHIFT) == 0) {
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
