package java.lang;

import jdk.internal.misc.Unsafe;

/** Writes of fields and of elements of arrays, by recorded code. Room for them was made before: see {@link AskanceValues}. */
public final class AskanceWrites {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final int PUT_FIELD = 0x01;
    private static final int PUT_THIS = 0x02;
    private static final int ARRAY_STORE = 0x0a;
    private static final int ARRAY_STORE_NEAR = 0x13;

    private AskanceWrites() {}

    // ---- fields of objects -------------------------------------------------------------------

    /** Stores the object of a field write, and returns where the value goes. */
    private static long field(AskanceRecorder r, Object o) {
        int id = r.id(o);
        long p = r.events;
        U.putInt(p + 4, id);
        return p + 8;
    }

    /** The same for a write in a method of {@code self}: if that is the object, the tag says it all. */
    private static long field(AskanceRecorder r, Object o, Object self) {
        return o == self ? r.events + 4 : field(r, o);
    }

    private static void put(AskanceRecorder r, long value, int word, int size) {
        U.putInt(r.events, value == r.events + 4 ? word + (PUT_THIS - PUT_FIELD) : word);
        r.events = value + size;
    }

    public static void putB(Object o, int v, AskanceRecorder r, int word) {
        long at = field(r, o);
        U.putByte(at, (byte) v);
        put(r, at, word, 1);
    }

    public static void putB(Object o, int v, Object self, AskanceRecorder r, int word) {
        long at = field(r, o, self);
        U.putByte(at, (byte) v);
        put(r, at, word, 1);
    }

    public static void putS(Object o, int v, AskanceRecorder r, int word) {
        long at = field(r, o);
        U.putShort(at, (short) v);
        put(r, at, word, 2);
    }

    public static void putS(Object o, int v, Object self, AskanceRecorder r, int word) {
        long at = field(r, o, self);
        U.putShort(at, (short) v);
        put(r, at, word, 2);
    }

    public static void putI(Object o, int v, AskanceRecorder r, int word) {
        long at = field(r, o);
        U.putInt(at, v);
        put(r, at, word, 4);
    }

    public static void putI(Object o, int v, Object self, AskanceRecorder r, int word) {
        long at = field(r, o, self);
        U.putInt(at, v);
        put(r, at, word, 4);
    }

    public static void putF(Object o, float v, AskanceRecorder r, int word) {
        long at = field(r, o);
        U.putFloat(at, v);
        put(r, at, word, 4);
    }

    public static void putF(Object o, float v, Object self, AskanceRecorder r, int word) {
        long at = field(r, o, self);
        U.putFloat(at, v);
        put(r, at, word, 4);
    }

    public static void putJ(Object o, long v, AskanceRecorder r, int word) {
        long at = field(r, o);
        U.putLong(at, v);
        put(r, at, word, 8);
    }

    public static void putJ(Object o, long v, Object self, AskanceRecorder r, int word) {
        long at = field(r, o, self);
        U.putLong(at, v);
        put(r, at, word, 8);
    }

    public static void putD(Object o, double v, AskanceRecorder r, int word) {
        long at = field(r, o);
        U.putDouble(at, v);
        put(r, at, word, 8);
    }

    public static void putD(Object o, double v, Object self, AskanceRecorder r, int word) {
        long at = field(r, o, self);
        U.putDouble(at, v);
        put(r, at, word, 8);
    }

    public static void putL(Object o, Object v, AskanceRecorder r, int word) {
        int value = r.id(v);
        putI(o, value, r, word);
    }

    public static void putL(Object o, Object v, Object self, AskanceRecorder r, int word) {
        int value = r.id(v);
        putI(o, value, self, r, word);
    }

    // ---- static fields -----------------------------------------------------------------------

    public static void setB(int v, AskanceRecorder r, int word) {
        long p = r.events;
        U.putByte(p + 4, (byte) v);
        U.putInt(p, word);
        r.events = p + 5;
    }

    public static void setS(int v, AskanceRecorder r, int word) {
        long p = r.events;
        U.putShort(p + 4, (short) v);
        U.putInt(p, word);
        r.events = p + 6;
    }

    public static void setI(int v, AskanceRecorder r, int word) {
        long p = r.events;
        U.putInt(p + 4, v);
        U.putInt(p, word);
        r.events = p + 8;
    }

    public static void setF(float v, AskanceRecorder r, int word) {
        long p = r.events;
        U.putFloat(p + 4, v);
        U.putInt(p, word);
        r.events = p + 8;
    }

    public static void setJ(long v, AskanceRecorder r, int word) {
        long p = r.events;
        U.putLong(p + 4, v);
        U.putInt(p, word);
        r.events = p + 12;
    }

    public static void setD(double v, AskanceRecorder r, int word) {
        long p = r.events;
        U.putDouble(p + 4, v);
        U.putInt(p, word);
        r.events = p + 12;
    }

    public static void setL(Object v, AskanceRecorder r, int word) {
        int value = r.id(v);
        long p = r.events;
        U.putInt(p + 4, value);
        U.putInt(p, word);
        r.events = p + 8;
    }

    // ---- elements of arrays ------------------------------------------------------------------

    /** Stores array and index, and returns where the value goes. */
    private static long element(AskanceRecorder r, Object array, int index) {
        int id = r.id(array);
        long p = r.events;
        U.putInt(p + 1, id);
        U.putInt(p + 5, index);
        // A small index has no upper half: the value is stored over it.
        return index >>> 16 == 0 ? p + 7 : p + 9;
    }

    private static void stored(AskanceRecorder r, long value, int kind, int size) {
        long p = r.events;
        U.putByte(p, (byte) (value == p + 7 ? ARRAY_STORE_NEAR + kind : ARRAY_STORE + kind));
        r.events = value + size;
    }

    public static void storeB(Object array, int index, int v, AskanceRecorder r) {
        long at = element(r, array, index);
        U.putByte(at, (byte) AskanceSecrets.masked(v, array));
        stored(r, at, 1, 1);
    }

    public static void storeC(Object array, int index, int v, AskanceRecorder r) {
        long at = element(r, array, index);
        U.putShort(at, (short) AskanceSecrets.masked(v, array));
        stored(r, at, 2, 2);
    }

    public static void storeS(Object array, int index, int v, AskanceRecorder r) {
        long at = element(r, array, index);
        U.putShort(at, (short) v);
        stored(r, at, 3, 2);
    }

    public static void storeI(Object array, int index, int v, AskanceRecorder r) {
        long at = element(r, array, index);
        U.putInt(at, v);
        stored(r, at, 4, 4);
    }

    public static void storeF(Object array, int index, float v, AskanceRecorder r) {
        long at = element(r, array, index);
        U.putFloat(at, v);
        stored(r, at, 5, 4);
    }

    public static void storeJ(Object array, int index, long v, AskanceRecorder r) {
        long at = element(r, array, index);
        U.putLong(at, v);
        stored(r, at, 6, 8);
    }

    public static void storeD(Object array, int index, double v, AskanceRecorder r) {
        long at = element(r, array, index);
        U.putDouble(at, v);
        stored(r, at, 7, 8);
    }

    public static void storeL(Object array, int index, Object v, AskanceRecorder r) {
        int value = r.id(v);
        long at = element(r, array, index);
        U.putInt(at, value);
        stored(r, at, 8, 4);
    }
}
