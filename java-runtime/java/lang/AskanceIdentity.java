package java.lang;

import jdk.internal.misc.Unsafe;

/**
 * How an object's number is found again.
 *
 * <p>The number is the object's identity hash, which we put into its header ourselves, with the same
 * compare-and-set that the VM would use; the counter is ours, so numbers are unique whatever the
 * threads do. The header's topmost bit, which the VM neither uses nor looks at, tells our hashes from the
 * VM's own: objects that it hashed first (before we saw them, or when the JDK's archive was made)
 * have their number in a weak map. So have all objects of a VM whose headers we do not understand.
 */
final class AskanceIdentity {
    private static final Unsafe U = Unsafe.getUnsafe();

    /**
     * Numbers start here. Under -XX:hashCode=3 the VM itself draws small ones, so that the hash of
     * a locked object, whose header we cannot see, tells who made it.
     */
    static final int FIRST = 1 << 25;
    static final int BLOCK = 1024;
    private static final long OURS = 1L << 63;
    /** Beside it: this string of ours is known to be one that code names as a constant. */
    private static final long CONSTANT = 1L << 62;
    /** And this: the object's content is a secret. */
    private static final long SECRET = 1L << 61;
    /** Where the identity hash sits in a header, or 0 if headers are not understood: then the map serves. */
    private static final int SHIFT = shift();
    static final boolean IN_HEADER = SHIFT != 0;

    private static int shift() {
        Object a = new Object();
        Object b = new Object();
        int hashA = System.identityHashCode(a);
        int hashB = System.identityHashCode(b);
        if (hashB - hashA < 1 || hashB - hashA > 64 || hashB > 1 << 20) {
            return 0; // not sequential: a hash of the VM's could be taken for one of ours
        }
        // 8 up to JDK 23, 11 since. Compact headers begin with the class, so they are not 1 when fresh.
        int shift = hashIn(U.getLong(a, 0L), 8) == hashA ? 8 : 11;
        Object c = new Object();
        long mark = U.getLong(c, 0L);
        return hashIn(U.getLong(a, 0L), shift) == hashA
                        && hashIn(U.getLong(b, 0L), shift) == hashB
                        && mark == 1
                        && U.compareAndSetLong(c, 0L, mark, OURS | mark | (long) FIRST << shift)
                        && System.identityHashCode(c) == FIRST
                ? shift
                : 0;
    }

    private static int hashIn(long mark, int shift) {
        return (int) (mark >>> shift) & 0x7fffffff;
    }

    private static int hashIn(long mark) {
        return hashIn(mark, SHIFT);
    }

    /** The object's number if its header shows it right away, else 0. */
    static int inHeader(Object o) {
        long mark = U.getLong(o, 0L);
        return mark < 0 ? hashIn(mark) : 0;
    }

    /** The same, but 0 if the object is to be described again. */
    static int inHeaderAndDescribed(Object o) {
        int id = inHeader(o);
        return AskanceSpans.isOld(id) ? 0 : id;
    }

    /** The object's number if it has one, else 0. */
    static int known(Object o) {
        if (IN_HEADER) {
            long mark = U.getLong(o, 0L);
            if (mark < 0) {
                return hashIn(mark);
            }
            if ((mark & 7) == 1) {
                int hash = hashIn(mark);
                return hash == 0 ? 0 : AskanceWeakIds.get(o, hash);
            }
        }
        // Locked, and the header is elsewhere; or not understood.
        int hash = System.identityHashCode(o);
        int id = AskanceWeakIds.get(o, hash);
        return id == 0 && IN_HEADER && hash >= FIRST ? hash : id;
    }

    /** Gives the object this number, unless another thread was faster: then that one is returned. */
    static int assign(Object o, int id) {
        if (IN_HEADER) {
            long mark = U.getLong(o, 0L);
            while ((mark & 7) == 1 && hashIn(mark) == 0) {
                if (U.compareAndSetLong(o, 0L, mark, OURS | mark | (long) id << SHIFT)) {
                    return id;
                }
                mark = U.getLong(o, 0L);
            }
            if (mark < 0) {
                return hashIn(mark);
            }
        }
        return AskanceWeakIds.putIfAbsent(o, System.identityHashCode(o), id);
    }

    static boolean isMarkedConstant(Object o) {
        return IN_HEADER && U.getLong(o, 0L) >>> 62 == 3;
    }

    /** Whether this is the first time that an object with a number is found to be a constant. */
    static boolean markConstant(Object o) {
        return mark(o, CONSTANT);
    }

    /** Whether this is the first time that an object with a number is found to be a secret. */
    static boolean markSecret(Object o) {
        return mark(o, SECRET);
    }

    static boolean isSecret(Object o) {
        if (IN_HEADER) {
            long mark = U.getLong(o, 0L);
            if (mark < 0) {
                return (mark & SECRET) != 0;
            }
            if ((mark & 7) == 1 && hashIn(mark) == 0) {
                return false;
            }
        }
        return AskanceWeakIds.isMarked(o, System.identityHashCode(o), SECRET);
    }

    private static boolean mark(Object o, long bit) {
        if (IN_HEADER) {
            long mark = U.getLong(o, 0L);
            while (mark < 0) {
                if ((mark & bit) != 0) {
                    return false;
                }
                if (U.compareAndSetLong(o, 0L, mark, mark | bit)) {
                    return true;
                }
                mark = U.getLong(o, 0L);
            }
        }
        return AskanceWeakIds.mark(o, System.identityHashCode(o), bit);
    }

    static boolean seen(Object o) {
        return o != null && (IN_HEADER && inHeader(o) != 0 || known(o) != 0);
    }
}
