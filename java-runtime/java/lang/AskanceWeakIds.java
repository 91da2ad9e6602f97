package java.lang;

/** Objects that the VM hashed before we saw them (or all, where headers cannot be used). */
final class AskanceWeakIds extends java.lang.ref.WeakReference<Object> {
    private static final java.lang.ref.ReferenceQueue<Object> DEAD = new java.lang.ref.ReferenceQueue<>();
    private static AskanceWeakIds[] table = new AskanceWeakIds[1024];
    private static int size;

    private final int hash;
    private final int id;
    /** The marks that a header would bear. */
    private long marks;
    private AskanceWeakIds next;

    private AskanceWeakIds(Object o, int hash, int id, AskanceWeakIds next) {
        super(o, DEAD);
        this.hash = hash;
        this.id = id;
        this.next = next;
    }

    /**
     * Without a lock, as boxed numbers and the JDK's own strings come here all the time. While another
     * thread rearranges the table an entry may be missed: {@link #putIfAbsent} looks again.
     */
    static int get(Object o, int hash) {
        AskanceWeakIds[] all = table;
        for (AskanceWeakIds e = all[hash & all.length - 1]; e != null; e = e.next) {
            if (e.hash == hash && e.get() == o) {
                return e.id;
            }
        }
        return 0;
    }

    static int putIfAbsent(Object o, int hash, int id) {
        synchronized (DEAD) {
            int known = get(o, hash);
            if (known != 0) {
                return known;
            }
            removeDead();
            if (size > table.length) {
                grow();
            }
            int bucket = hash & table.length - 1;
            table[bucket] = new AskanceWeakIds(o, hash, id, table[bucket]);
            size++;
            return id;
        }
    }

    /** Whether the object has a number and did not bear this mark. */
    static boolean mark(Object o, int hash, long bit) {
        synchronized (DEAD) {
            for (AskanceWeakIds e = table[hash & table.length - 1]; e != null; e = e.next) {
                if (e.hash == hash && e.get() == o) {
                    boolean first = (e.marks & bit) == 0;
                    e.marks |= bit;
                    return first;
                }
            }
            return false;
        }
    }

    static boolean isMarked(Object o, int hash, long bit) {
        AskanceWeakIds[] all = table;
        for (AskanceWeakIds e = all[hash & all.length - 1]; e != null; e = e.next) {
            if (e.hash == hash && e.get() == o) {
                return (e.marks & bit) != 0;
            }
        }
        return false;
    }

    private static void removeDead() {
        for (Object dead = DEAD.poll(); dead != null; dead = DEAD.poll()) {
            int bucket = ((AskanceWeakIds) dead).hash & table.length - 1;
            AskanceWeakIds before = null;
            for (AskanceWeakIds e = table[bucket]; e != null; before = e, e = e.next) {
                if (e == dead) {
                    if (before == null) {
                        table[bucket] = e.next;
                    } else {
                        before.next = e.next;
                    }
                    size--;
                    break;
                }
            }
        }
    }

    private static void grow() {
        AskanceWeakIds[] wider = new AskanceWeakIds[table.length * 2];
        for (AskanceWeakIds head : table) {
            for (AskanceWeakIds e = head; e != null; ) {
                AskanceWeakIds following = e.next;
                int bucket = e.hash & wider.length - 1;
                e.next = wider[bucket];
                wider[bucket] = e;
                e = following;
            }
        }
        table = wider;
    }
}
