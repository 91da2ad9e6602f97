package java.lang;

/** Objects that the VM hashed before we saw them (or all, where headers cannot be used). */
final class AskanceWeakIds extends java.lang.ref.WeakReference<Object> {
    private static final java.lang.ref.ReferenceQueue<Object> DEAD = new java.lang.ref.ReferenceQueue<>();
    private static AskanceWeakIds[] table = new AskanceWeakIds[1024];
    private static int size;

    private final int hash;
    private final int id;
    private boolean constant;
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

    static boolean markConstant(Object o, int hash) {
        synchronized (DEAD) {
            for (AskanceWeakIds e = table[hash & table.length - 1]; e != null; e = e.next) {
                if (e.hash == hash && e.get() == o) {
                    boolean first = !e.constant;
                    e.constant = true;
                    return first;
                }
            }
            return false;
        }
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
