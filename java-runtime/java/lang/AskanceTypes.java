package java.lang;

import jdk.internal.misc.Unsafe;

/** A class as the recorder knows it: its number, and how its instances are described. */
final class AskanceTypes {
    private static final Unsafe U = Unsafe.getUnsafe();

    /**
     * The fields to note of an instance that recorded code did not make itself: declaring class, field
     * name, {word}, and so on; then {1} if they must be noted of new instances too, because
     * library code sets some of them. Null: nothing is noted.
     */
    private static native Object[] fieldsToNote(Class<?> type);

    /** Whether what instances say of themselves is to be noted. */
    private static native boolean saysText(Class<?> type);

    private static AskanceTypes[] table = new AskanceTypes[4096];
    private static int size;

    final Class<?> type;
    final int id;
    /** How an instance is described that comes from outside, and one that recorded code is making. */
    final byte how;
    final byte howNew;
    final boolean saysText;
    /** The fields to note: what (word), called what (an interned name), and where (offset). */
    final int[] words;
    private final String[] names;
    final long[] offsets;
    private AskanceTypes next;

    private AskanceTypes(Class<?> type, int id) {
        this.type = type;
        this.id = id;
        int[] words = null;
        String[] names = null;
        long[] offsets = null;
        byte how = AskanceObjects.OBJECT;
        boolean plainWhenNew = false;
        boolean saysText = false;
        if (type == String.class) {
            how = AskanceObjects.STRING;
        } else if (type.isArray()) {
            how = AskanceObjects.ARRAY;
        } else if (boxKind(type) >= 0) {
            how = AskanceObjects.BOX;
        } else if (Enum.class.isAssignableFrom(type)) {
            how = AskanceObjects.ENUM;
        } else if (Throwable.class.isAssignableFrom(type)) {
            how = AskanceObjects.THROWABLE;
        } else {
            saysText = saysText(type);
            Object[] fields = fieldsToNote(type);
            if (fields != null) {
                how = AskanceObjects.FIELDS;
                plainWhenNew = ((int[]) fields[fields.length - 1])[0] == 0;
                words = new int[fields.length / 3];
                names = new String[words.length];
                offsets = new long[words.length];
                for (int i = 0; i < words.length; i++) {
                    offsets[i] = AskanceFields.offset((Class<?>) fields[3 * i], (String) fields[3 * i + 1]);
                    words[i] = ((int[]) fields[3 * i + 2])[0];
                    names[i] = ((String) fields[3 * i + 1]).intern();
                }
            }
        }
        this.how = how;
        this.saysText = saysText;
        this.howNew = plainWhenNew ? AskanceObjects.OBJECT : how;
        this.words = words;
        this.names = names;
        this.offsets = offsets;
    }

    static AskanceTypes of(Class<?> type, AskanceRecorder r) {
        int hash = System.identityHashCode(type);
        AskanceTypes[] all = table;
        for (AskanceTypes t = all[hash & all.length - 1]; t != null; t = t.next) {
            if (t.type == type) {
                return t;
            }
        }
        return add(type, hash, r);
    }

    /**
     * The class is asked about before the lock is taken, because that may run other agents' code. It can be
     * found only once it is described: a stack overflow in between must not lose its description.
     */
    private static AskanceTypes add(Class<?> type, int hash, AskanceRecorder r) {
        AskanceTypes added = new AskanceTypes(type, r.freshId());
        synchronized (AskanceTypes.class) {
            for (AskanceTypes t = table[hash & table.length - 1]; t != null; t = t.next) {
                if (t.type == type) {
                    return t;
                }
            }
            r.describeClass(type, added.id);
            if (size++ > table.length) {
                grow();
            }
            int bucket = hash & table.length - 1;
            added.next = table[bucket];
            U.storeFence();
            table[bucket] = added;
        }
        return added;
    }

    private static void grow() {
        AskanceTypes[] wider = new AskanceTypes[table.length * 2];
        for (AskanceTypes head : table) {
            for (AskanceTypes t = head; t != null; t = t.next) {
                AskanceTypes copy = new AskanceTypes(t);
                int bucket = System.identityHashCode(t.type) & wider.length - 1;
                copy.next = wider[bucket];
                wider[bucket] = copy;
            }
        }
        U.storeFence();
        table = wider;
    }

    private AskanceTypes(AskanceTypes t) {
        type = t.type;
        id = t.id;
        how = t.how;
        howNew = t.howNew;
        saysText = t.saysText;
        words = t.words;
        names = t.names;
        offsets = t.offsets;
    }

    /** The place among the noted fields of the one that has this name, an interned string; -1 if there is none. */
    int indexOf(String name) {
        for (int i = 0; words != null && i < words.length; i++) {
            if (names[i] == name) {
                return i;
            }
        }
        return -1;
    }

    /** The place among the noted fields of the one at this offset; -1 if there is none. */
    int indexOf(long offset) {
        for (int i = 0; words != null && i < words.length; i++) {
            if (offsets[i] == offset) {
                return i;
            }
        }
        return -1;
    }

    static int boxKind(Class<?> type) {
        return type == Integer.class ? 4
                : type == Long.class ? 6
                : type == Boolean.class ? 0
                : type == Character.class ? 2
                : type == Double.class ? 7
                : type == Byte.class ? 1
                : type == Short.class ? 3
                : type == Float.class ? 5
                : -1;
    }

    static int kindOfElements(Class<?> array) {
        return array == byte[].class ? 1
                : array == int[].class ? 4
                : array == char[].class ? 2
                : array == long[].class ? 6
                : array == double[].class ? 7
                : array == boolean[].class ? 0
                : array == short[].class ? 3
                : array == float[].class ? 5
                : 8;
    }

    /** Bytes that an element of this kind takes in a stream; for primitives also in memory. */
    static int width(int kind) {
        return kind <= 1 ? 1 : kind <= 3 ? 2 : kind == 6 || kind == 7 ? 8 : 4;
    }

    /**
     * Where the elements of a primitive array begin. Unsafe could tell, but its answer is an int
     * in older JDKs and a long in newer ones, which no single class file can call.
     */
    static long base(int kind) {
        return width(kind) == 8 ? LONG_BASE : BYTE_BASE;
    }

    private static final long REFERENCE_SCALE = U.arrayIndexScale(Object[].class);
    private static final long REFERENCE_BASE = referenceBase();

    /** Where an array of references changes when its first element does. */
    private static long referenceBase() {
        Object[] array = new Object[4];
        int[] words = new int[6];
        for (int i = 0; i < words.length; i++) {
            words[i] = U.getInt(array, 8L + 4 * i);
        }
        array[0] = array;
        int at = 0;
        while (U.getInt(array, 8L + 4 * at) == words[at]) {
            at++;
        }
        return 8L + 4 * at;
    }

    static long offset(int kind, int index) {
        return kind == 8 ? REFERENCE_BASE + index * REFERENCE_SCALE : base(kind) + (long) index * width(kind);
    }

    /** The index of the element at an offset. */
    static int indexAt(Object array, long offset) {
        int kind = kindOfElements(array.getClass());
        return (int) ((offset - offset(kind, 0)) / (kind == 8 ? REFERENCE_SCALE : width(kind)));
    }

    private static final long PATTERN = 0x5a5a5a5a5a5a5a5aL;
    private static final long LONG_BASE = find(new long[] {PATTERN});
    private static final long BYTE_BASE = find(new byte[] {0x5a, 0x5a, 0x5a, 0x5a, 0x5a, 0x5a, 0x5a, 0x5a});

    private static long find(Object array) {
        long at = 8;
        while (U.getLong(array, at) != PATTERN) {
            at++;
        }
        return at;
    }

    static int length(Object array) {
        return java.lang.reflect.Array.getLength(array);
    }
}
