package java.lang;

import jdk.internal.misc.Unsafe;

/**
 * Writes that library code does to objects that recorded code has seen.
 *
 * <p>Called from library classes that were rewritten to tell, and from recorded code after it handed an
 * array to a library method that fills it. Nothing is known about who looked for room when, so everything here does.
 */
public final class AskanceLibrary {
    private static final Unsafe U = Unsafe.getUnsafe();
    /** Marked as the library's doing. */
    private static final byte ARRAY_RANGE = 0x09 + 0x20;
    /** Of an ARRAY_RANGE, the most ahead of its elements. */
    private static final int RANGE_HEADER = 20;
    private static final int ARRAY_STORE = 0x0a + 0x20;
    private static final int ARRAY_STORE_NEAR = 0x13 + 0x20;
    private static final int LONGEST_STORE = 17;
    private static final int PUT_FIELD = 0x01 + 0x20;

    private AskanceLibrary() {}

    /** What other threads do from here on comes after what this thread has done. */
    public static void order() {
        if (AskanceRecorder.severalThreads) {
            AskanceRecorder.sync(AskanceRecorder.current());
        }
    }

    private static AskanceRecorder checked() {
        AskanceRecorder r = AskanceRecorder.current();
        AskanceRecorder.check(r);
        r.tellValues();
        return r;
    }

    public static void putI(Object o, int v, int word) {
        if (AskanceIdentity.seen(o)) {
            AskanceRecorder.putI(o, v, checked(), word);
        }
    }

    public static void putB(Object o, int v, int word) {
        if (AskanceIdentity.seen(o)) {
            AskanceRecorder.putB(o, v, checked(), word);
        }
    }

    public static void putS(Object o, int v, int word) {
        if (AskanceIdentity.seen(o)) {
            AskanceRecorder.putS(o, v, checked(), word);
        }
    }

    public static void putF(Object o, float v, int word) {
        if (AskanceIdentity.seen(o)) {
            AskanceRecorder.putF(o, v, checked(), word);
        }
    }

    public static void putJ(Object o, long v, int word) {
        if (AskanceIdentity.seen(o)) {
            AskanceRecorder.putJ(o, v, checked(), word);
        }
    }

    public static void putD(Object o, double v, int word) {
        if (AskanceIdentity.seen(o)) {
            AskanceRecorder.putD(o, v, checked(), word);
        }
    }

    public static void putL(Object o, Object v, int word) {
        if (AskanceIdentity.seen(o)) {
            AskanceRecorder.putL(o, v, checked(), word);
        }
    }

    // ---- objects that threads share ----------------------------------------------------------
    // What they hold is read and noted after it was written, and again until it is still what was noted: so whatever
    // the threads do, the last note in the common order of time is what the object holds in the end.

    /** Library code may have changed this field. */
    public static void changed(Object o, String field) {
        if (AskanceIdentity.seen(o)) {
            AskanceRecorder r = checked();
            AskanceTypes type = AskanceTypes.of(o.getClass(), r);
            noteField(r, o, type, type.indexOf(field));
        }
    }

    /** Library code may have changed what is at this offset of an object or array. */
    public static void changed(Object o, long offset) {
        if (AskanceIdentity.seen(o)) {
            AskanceRecorder r = checked();
            if (o.getClass().isArray()) {
                changed(o, AskanceTypes.indexAt(o, offset));
            } else {
                AskanceTypes type = AskanceTypes.of(o.getClass(), r);
                noteField(r, o, type, type.indexOf(offset));
            }
        }
    }

    /** Library code may have changed this element. */
    public static void changed(Object array, int index) {
        if (!AskanceIdentity.seen(array)) {
            return;
        }
        AskanceRecorder r = checked();
        int length = AskanceTypes.length(array);
        if (index < 0 || index >= length) {
            return;
        }
        int kind = AskanceTypes.kindOfElements(array.getClass());
        long offset = AskanceTypes.offset(kind, index);
        Object reference;
        long bits;
        do {
            AskanceRecorder.sync(r);
            reference = kind == 8 ? AskanceObjects.reference(array, offset) : null;
            bits = kind == 8 ? 0 : bits(array, kind, offset);
            range(r, array, index, 1);
        } while (isStale(array, kind, offset, reference, bits));
    }

    private static void noteField(AskanceRecorder r, Object o, AskanceTypes type, int field) {
        if (field < 0) {
            return;
        }
        int kind = type.words[field] & 0xff;
        int word = type.words[field] & ~0xff | PUT_FIELD;
        long offset = type.offsets[field];
        Object reference = null;
        long bits = 0;
        do {
            AskanceRecorder.sync(r);
            AskanceRecorder.check(r);
            if (kind == 8) {
                reference = AskanceObjects.reference(o, offset);
                AskanceRecorder.putL(o, reference, r, word);
            } else {
                bits = bits(o, kind, offset);
                switch (AskanceTypes.width(kind)) {
                    case 1:
                        AskanceRecorder.putB(o, (int) bits, r, word);
                        break;
                    case 2:
                        AskanceRecorder.putS(o, (int) bits, r, word);
                        break;
                    case 4:
                        AskanceRecorder.putI(o, (int) bits, r, word);
                        break;
                    default:
                        AskanceRecorder.putJ(o, bits, r, word);
                }
            }
        } while (isStale(o, kind, offset, reference, bits));
    }

    private static boolean isStale(Object o, int kind, long offset, Object reference, long bits) {
        if (!AskanceRecorder.severalThreads) {
            return false;
        }
        U.loadFence();
        return kind == 8 ? AskanceObjects.reference(o, offset) != reference : bits(o, kind, offset) != bits;
    }

    private static long bits(Object o, int kind, long offset) {
        switch (AskanceTypes.width(kind)) {
            case 1:
                return U.getByte(o, offset);
            case 2:
                return U.getShort(o, offset);
            case 4:
                return U.getInt(o, offset);
            default:
                return U.getLong(o, offset);
        }
    }

    // ---- string builders ---------------------------------------------------------------------
    // Up to Java 8 their text is a char[] and they have no coder: its word is 0 then.

    private static final long TEXT = AskanceFields.offset(AbstractStringBuilder.class, "value");

    /** The array that a builder keeps its text in. */
    static Object textArray(AbstractStringBuilder b) {
        return AskanceObjects.reference(b, TEXT);
    }

    /** The builder's text goes on from {@code from}, where it ended before. */
    public static void appended(AbstractStringBuilder b, int from, int valueWord, int coderWord, int countWord) {
        if (AskanceIdentity.seen(b)) {
            text(b, Math.min(from, b.count), b.count, b.count != from, valueWord, coderWord, countWord);
        }
    }

    /** The builder's text may be another one from {@code from} on. */
    public static void rewritten(AbstractStringBuilder b, int from, int valueWord, int coderWord, int countWord) {
        if (AskanceIdentity.seen(b)) {
            text(b, Math.min(from, b.count), b.count, true, valueWord, coderWord, countWord);
        }
    }

    /** One character of the builder may be another one. */
    public static void characterSet(AbstractStringBuilder b, int at, int valueWord, int coderWord, int countWord) {
        if (AskanceIdentity.seen(b)) {
            text(b, at, at + 1, false, valueWord, coderWord, countWord);
        }
    }

    private static void text(
            AbstractStringBuilder b,
            int from,
            int to,
            boolean counted,
            int valueWord,
            int coderWord,
            int countWord) {
        AskanceRecorder r = checked();
        Object value = textArray(b);
        int coder = coderWord == 0 ? 0 : b.coder;
        int start = from << coder;
        int elements = (to - from) << coder;
        if (!AskanceIdentity.seen(value)) {
            // It has moved to a larger array, or to wider characters. The array is described as it is now.
            AskanceRecorder.check(r);
            AskanceSecrets.moved(b, r);
            AskanceRecorder.putL(b, value, r, valueWord);
            if (coderWord != 0) {
                AskanceRecorder.putB(b, coder, r, coderWord);
            }
        } else {
            range(r, value, start, elements);
        }
        if (counted) {
            AskanceRecorder.check(r);
            AskanceRecorder.putI(b, b.count, r, countWord);
        }
    }

    // ---- arrays ------------------------------------------------------------------------------

    /** Library code may have changed this array: note elements {@code from..from+count} as they are now. */
    public static void filled(Object array, int from, int count) {
        if (array != null && array.getClass().isArray() && AskanceIdentity.seen(array)) {
            range(checked(), array, from, count);
        }
    }

    /** An array was handed to library code, which has returned. */
    public static void handedOut(Object array, AskanceRecorder r) {
        if (array != null && array.getClass().isArray()) {
            AskanceRecorder.check(r);
            r.tellValues();
            range(r, array, 0, AskanceTypes.length(array));
        }
    }

    /** A part of an array was handed to library code, which has returned. */
    public static void handedOut(Object array, int from, int count, AskanceRecorder r) {
        if (array != null && array.getClass().isArray()) {
            AskanceRecorder.check(r);
            r.tellValues();
            range(r, array, from, count);
        }
    }

    private static final int RANGE_BYTES = 1 << 16;

    private static void range(AskanceRecorder r, Object array, int from, int count) {
        int length = AskanceTypes.length(array);
        if (from < 0 || count <= 0 || from >= length || r.isSilent()) {
            return;
        }
        int end = count < length - from ? from + count : length;
        int kind = AskanceTypes.kindOfElements(array.getClass());
        if (end - from == 1) {
            element(r, array, kind, from);
            return;
        }
        int most = RANGE_BYTES / AskanceTypes.width(kind);
        for (int start = from; start < end; start += most) {
            piece(r, array, kind, start, Math.min(end - start, most));
        }
    }

    private static void piece(AskanceRecorder r, Object array, int kind, int start, int count) {
        int id = r.id(array);
        if (kind == 8) {
            // First make sure of every id: that may write to the objects stream, never to events.
            for (int i = start; i < start + count; i++) {
                r.id(((Object[]) array)[i]);
            }
        }
        int width = AskanceTypes.width(kind);
        int bytes = count * width;
        long p = r.roomForEvent(RANGE_HEADER + bytes + AskanceRecorder.PACKING_ADDS);
        boolean packed = bytes >= AskanceRecorder.PACKED_FROM;
        long at = varint(varint(p + 6, start), count) + (packed ? 4 : 0);
        if (AskanceSecrets.isSecret(array)) {
            U.setMemory(at, bytes, (byte) 0);
        } else {
            copy(r, array, kind, start, count, at);
        }
        if (packed) {
            bytes = r.pack(AskanceRecorder.EVENTS, p, at, bytes, width);
            U.putInt(at - 4, bytes);
        }
        U.putByte(p + 1, (byte) (packed ? kind | AskanceRecorder.PACKED : kind));
        U.putInt(p + 2, id);
        U.putByte(p, ARRAY_RANGE);
        r.events = at + bytes;
    }

    private static void copy(AskanceRecorder r, Object array, int kind, int start, int count, long at) {
        int width = AskanceTypes.width(kind);
        if (kind == 8) {
            for (int i = 0; i < count; i++) {
                U.putInt(at + 4L * i, r.id(((Object[]) array)[start + i]));
            }
        } else if (kind == 1 && count <= 16) {
            for (int i = 0; i < count; i++) {
                U.putByte(at + i, ((byte[]) array)[start + i]);
            }
        } else {
            U.copyMemory(array, AskanceTypes.base(kind) + (long) start * width, null, at, (long) count * width);
        }
    }

    /** Stores a number in as few bytes as it needs, and returns where it ends. */
    private static long varint(long at, int number) {
        for (; number >>> 7 != 0; number >>>= 7) {
            U.putByte(at++, (byte) (number | 0x80));
        }
        U.putByte(at, (byte) number);
        return at + 1;
    }

    private static void element(AskanceRecorder r, Object array, int kind, int index) {
        long offset = AskanceTypes.offset(kind, index);
        int id = r.id(array);
        int value = kind == 8 ? r.id(AskanceObjects.reference(array, offset)) : 0;
        long p = r.roomForEvent(LONGEST_STORE);
        boolean near = index >>> 16 == 0;
        U.putInt(p + 1, id);
        U.putInt(p + 5, index);
        // A small index has no upper half: the value is stored over it.
        long at = near ? p + 7 : p + 9;
        int width = AskanceTypes.width(kind);
        if (kind == 8) {
            U.putInt(at, value);
        } else {
            switch (width) {
                case 1:
                    U.putByte(at, (byte) AskanceSecrets.masked(U.getByte(array, offset), array));
                    break;
                case 2:
                    U.putShort(at, (short) AskanceSecrets.masked(U.getShort(array, offset), array));
                    break;
                case 4:
                    U.putInt(at, U.getInt(array, offset));
                    break;
                default:
                    U.putLong(at, U.getLong(array, offset));
            }
        }
        U.putByte(p, (byte) ((near ? ARRAY_STORE_NEAR : ARRAY_STORE) + kind));
        r.events = at + width;
    }
}
