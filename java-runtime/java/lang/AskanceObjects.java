package java.lang;

import jdk.internal.misc.Unsafe;

/**
 * Describes each object when it is first seen, in the objects stream of the thread that saw it. (Where the oldest
 * descriptions are given up, also later: {@link AskanceSpans}.)
 *
 * <p>It never writes to the events stream: it may run while an ENTER event is half written there.
 */
final class AskanceObjects {
    private static final Unsafe U = Unsafe.getUnsafe();

    static final byte OBJECT = 1;
    static final byte NEW_ARRAY = 2;
    static final byte ARRAY = 3;
    static final byte STRING = 4;
    static final byte BOX = 5;
    static final byte ENUM = 6;
    static final byte CLASS = 7;
    static final byte FIELDS = 8;
    static final byte THROWABLE = 9;
    static final byte MASKED = 10;
    /** Added to the others: FIRST, or AGAIN where the object was described before. */
    private static final int FIRST = 0;

    private static final int AGAIN = 0x80;
    /** The same beside the number of an object that is to be described, which has 31 bits. */
    private static final int PENDING_AGAIN = 1 << 31;

    private static final int HEAD = 13;
    private static final int LONGEST_STRING = 1 << 16;
    /** The content of a string that takes at least so many bytes is packed: it may be a part of another. */
    private static final int STRING_PACKED_FROM = 256;
    private static final int LONGEST_ARRAY = 1 << 24;

    private final AskanceRecorder r;
    private Object[] pending = new Object[64];
    private int[] pendingIds = new int[64];
    private int pendingCount;
    private boolean describing;

    AskanceObjects(AskanceRecorder r) {
        this.r = r;
    }

    static Object reference(Object o, long offset) {
        return U.getReference(o, offset);
    }

    private void head(long p, int id, AskanceTypes type) {
        U.putInt(p + 1, id);
        U.putInt(p + 5, type == null ? 0 : type.id);
        U.putInt(p + 9, r.eventsPosition());
    }

    void describeNewArray(Object array, int id) {
        describeLength(array, id, FIRST);
    }

    private void describeLength(Object array, int id, int again) {
        AskanceTypes type = AskanceTypes.of(array.getClass(), r);
        long p = r.roomForObject(HEAD + 4);
        head(p, id, type);
        U.putInt(p + HEAD, AskanceTypes.length(array));
        U.putByte(p, (byte) (NEW_ARRAY | again));
        r.objects = p + HEAD + 4;
    }

    /**
     * Describes the object, and those that its description names, one after the other: a long list
     * must not take a deep stack, and an entry must not begin inside another.
     */
    void describe(Object o, int id) {
        describe(o, id, FIRST);
    }

    /** Describes an object of long ago, as far as that does not change: what it holds is not looked at again. */
    void describeAgain(Object o, int id) {
        AskanceSpans.described(id);
        describe(o, id, AGAIN);
    }

    private void describe(Object o, int id, int again) {
        if (describing) {
            later(o, again == FIRST ? id : id | PENDING_AGAIN);
            return;
        }
        describing = true;
        try {
            describeOne(o, id, again);
            while (pendingCount > 0) {
                Object next = pending[--pendingCount];
                pending[pendingCount] = null;
                int nextId = pendingIds[pendingCount];
                describeOne(next, nextId & ~PENDING_AGAIN, nextId < 0 ? AGAIN : FIRST);
            }
        } finally {
            describing = false;
        }
    }

    private void later(Object o, int id) {
        if (pendingCount == pending.length) {
            Object[] objects = new Object[pendingCount * 2];
            int[] ids = new int[pendingCount * 2];
            System.arraycopy(pending, 0, objects, 0, pendingCount);
            System.arraycopy(pendingIds, 0, ids, 0, pendingCount);
            pending = objects;
            pendingIds = ids;
        }
        pending[pendingCount] = o;
        pendingIds[pendingCount++] = id;
    }

    /** Describes an object whose constructor is running in recorded code. */
    void describeNew(Object o, int id) {
        AskanceTypes type = AskanceTypes.of(o.getClass(), r);
        if (type.howNew == OBJECT) {
            describePlain(id, type, FIRST);
        } else {
            describe(o, id);
        }
    }

    private void describePlain(int id, AskanceTypes type, int again) {
        long p = r.roomForObject(HEAD);
        head(p, id, type);
        U.putByte(p, (byte) (OBJECT | again));
        r.objects = p + HEAD;
    }

    private void describeOne(Object o, int id, int again) {
        AskanceTypes type = AskanceTypes.of(o.getClass(), r);
        if (AskanceSecrets.isSecret(o)) {
            describeMasked(o, id, type, again);
            return;
        }
        switch (type.how) {
            case STRING:
                describeString((String) o, id, type, 0, again);
                break;
            case ARRAY:
                if (again == AGAIN) {
                    describeLength(o, id, AGAIN);
                } else {
                    describeArray(o, id, type);
                }
                break;
            case BOX:
                describeBox(o, id, type, again);
                break;
            case ENUM:
                describeEnum((Enum<?>) o, id, type, again);
                break;
            case THROWABLE:
                describeThrowable(o, id, type, again);
                break;
            case FIELDS:
                if (again == AGAIN) {
                    describePlain(id, type, AGAIN);
                } else {
                    describeFields(o, id, type);
                }
                break;
            default:
                describePlain(id, type, again);
        }
    }

    private static final long STRING_VALUE = AskanceFields.offset(String.class, "value");
    private static final int IS_CONSTANT = 2;
    private static final int IS_PACKED = 4;
    /** Up to Java 8 there is none: the value is a char[], and is described as later versions would keep it. */
    private static final long STRING_CODER = AskanceFields.offsetIfAny(String.class, "coder");
    private static final int CHAR_KIND = 2;

    /** Once more, now as the one string of this content that code names as a constant. */
    void describeConstant(String s, int id) {
        describeString(s, id, AskanceTypes.of(String.class, r), IS_CONSTANT, FIRST);
    }

    private void describeString(String s, int id, AskanceTypes type, int flag, int again) {
        Object value = reference(s, STRING_VALUE);
        int coder = STRING_CODER < 0 ? coderOf((char[]) value) : U.getByte(s, STRING_CODER);
        int bytes = STRING_CODER < 0 ? ((char[]) value).length << coder : ((byte[]) value).length;
        int stored = Math.min(bytes, LONGEST_STRING);
        // What packed text leads to may be given up, in a trace that gives up its oldest descriptions.
        boolean packed = stored >= STRING_PACKED_FROM && !AskanceSpans.ARE_THERE;
        long p = r.roomForObject(HEAD + 17L + stored + AskanceRecorder.PACKING_ADDS);
        head(p, id, type);
        U.putByte(p + HEAD, (byte) (coder | flag | (packed ? IS_PACKED : 0)));
        U.putInt(p + HEAD + 1, bytes >> coder);
        U.putInt(p + HEAD + 5, stored);
        long at = p + HEAD + (packed ? 13 : 9);
        if (STRING_CODER >= 0) {
            U.copyMemory(value, AskanceTypes.base(1), null, at, stored);
        } else if (coder == 0) {
            putNarrow((char[]) value, stored, at);
        } else {
            U.copyMemory(value, AskanceTypes.base(CHAR_KIND), null, at, stored);
        }
        if (packed) {
            stored = r.pack(AskanceRecorder.OBJECTS, p, at, stored, 1 << coder);
            U.putInt(at - 4, stored);
        }
        U.putInt(at + stored, s.hashCode());
        U.putByte(p, (byte) (STRING | again));
        r.objects = at + stored + 4;
    }

    /** 0 if each of the characters fits into a byte, else 1. */
    private static int coderOf(char[] text) {
        for (char c : text) {
            if (c >= 0x100) {
                return 1;
            }
        }
        return 0;
    }

    private static void putNarrow(char[] text, int count, long at) {
        for (int i = 0; i < count; i++) {
            U.putByte(at + i, (byte) text[i]);
        }
    }

    /** A secret: of an array its length, of a builder nothing, of a string not even that. */
    private void describeMasked(Object o, int id, AskanceTypes type, int again) {
        long p = r.roomForObject(HEAD + 9);
        head(p, id, type);
        U.putByte(p + HEAD, (byte) 0);
        U.putInt(p + HEAD + 1, type.how == ARRAY ? AskanceTypes.length(o) : 0);
        U.putInt(p + HEAD + 5, 0);
        U.putByte(p, (byte) (MASKED | again));
        r.objects = p + HEAD + 9;
    }

    private void describeArray(Object array, int id, AskanceTypes type) {
        int length = AskanceTypes.length(array);
        int kind = AskanceTypes.kindOfElements(array.getClass());
        int width = AskanceTypes.width(kind);
        int stored = Math.min(length, LONGEST_ARRAY / width);
        int[] ids = null;
        if (kind == 8) {
            ids = new int[stored];
            for (int i = 0; i < stored; i++) {
                ids[i] = r.id(((Object[]) array)[i]);
            }
        }
        int bytes = stored * width;
        long p = r.roomForObject(HEAD + 13L + bytes + AskanceRecorder.PACKING_ADDS);
        boolean packed = bytes >= AskanceRecorder.PACKED_FROM;
        head(p, id, type);
        U.putByte(p + HEAD, (byte) (packed ? kind | AskanceRecorder.PACKED : kind));
        U.putInt(p + HEAD + 1, length);
        U.putInt(p + HEAD + 5, stored);
        long at = p + HEAD + (packed ? 13 : 9);
        if (kind == 8) {
            for (int i = 0; i < stored; i++) {
                U.putInt(at + 4L * i, ids[i]);
            }
        } else {
            U.copyMemory(array, AskanceTypes.base(kind), null, at, bytes);
        }
        if (packed) {
            bytes = r.pack(AskanceRecorder.OBJECTS, p, at, bytes, width);
            U.putInt(at - 4, bytes);
        }
        U.putByte(p, ARRAY);
        r.objects = at + bytes;
    }

    private void describeBox(Object box, int id, AskanceTypes type, int again) {
        int kind = AskanceTypes.boxKind(type.type);
        long p = r.roomForObject(HEAD + 9);
        head(p, id, type);
        U.putByte(p + HEAD, (byte) kind);
        long at = p + HEAD + 1;
        int size;
        switch (kind) {
            case 0:
                U.putByte(at, (byte) ((Boolean) box ? 1 : 0));
                size = 1;
                break;
            case 1:
                U.putByte(at, (Byte) box);
                size = 1;
                break;
            case 2:
                U.putChar(at, (Character) box);
                size = 2;
                break;
            case 3:
                U.putShort(at, (Short) box);
                size = 2;
                break;
            case 4:
                U.putInt(at, (Integer) box);
                size = 4;
                break;
            case 5:
                U.putFloat(at, (Float) box);
                size = 4;
                break;
            case 6:
                U.putLong(at, (Long) box);
                size = 8;
                break;
            default:
                U.putDouble(at, (Double) box);
                size = 8;
        }
        U.putByte(p, (byte) (BOX | again));
        r.objects = at + size;
    }

    private static final long ENUM_NAME = AskanceFields.offset(Enum.class, "name");

    private void describeEnum(Enum<?> constant, int id, AskanceTypes type, int again) {
        int name = r.id(reference(constant, ENUM_NAME));
        long p = r.roomForObject(HEAD + 8);
        head(p, id, type);
        U.putInt(p + HEAD, constant.ordinal());
        U.putInt(p + HEAD + 4, name);
        U.putByte(p, (byte) (ENUM | again));
        r.objects = p + HEAD + 8;
    }

    private static final long MESSAGE = AskanceFields.offset(Throwable.class, "detailMessage");

    private void describeThrowable(Object exception, int id, AskanceTypes type, int again) {
        int message = r.id(reference(exception, MESSAGE));
        long p = r.roomForObject(HEAD + 4);
        head(p, id, type);
        U.putInt(p + HEAD, message);
        U.putByte(p, (byte) (THROWABLE | again));
        r.objects = p + HEAD + 4;
    }

    /** What the JDK keeps in the second place of a list or set of one: noted as null, which it means. */
    private static final Object NO_ELEMENT = noElement();

    private static Object noElement() {
        try {
            Class<?> owner = Class.forName("java.util.ImmutableCollections");
            java.lang.reflect.Field field = owner.getDeclaredField("EMPTY");
            return reference(U.staticFieldBase(field), U.staticFieldOffset(field));
        } catch (ReflectiveOperationException e) {
            return null; // older JDKs keep null there
        }
    }

    private void describeFields(Object o, int id, AskanceTypes type) {
        int count = type.words.length;
        int[] ids = new int[count];
        for (int i = 0; i < count; i++) {
            if ((type.words[i] & 0xff) == 8) {
                Object value = reference(o, type.offsets[i]);
                ids[i] = value == NO_ELEMENT ? 0 : r.id(value);
            }
        }
        long p = r.roomForObject(HEAD + 2 + 12L * count);
        head(p, id, type);
        U.putShort(p + HEAD, (short) count);
        long at = p + HEAD + 2;
        for (int i = 0; i < count; i++) {
            U.putInt(at, type.words[i]);
            at += 4;
            long offset = type.offsets[i];
            switch (type.words[i] & 0xff) {
                case 0:
                case 1:
                    U.putByte(at, U.getByte(o, offset));
                    at += 1;
                    break;
                case 2:
                case 3:
                    U.putShort(at, U.getShort(o, offset));
                    at += 2;
                    break;
                case 6:
                case 7:
                    U.putLong(at, U.getLong(o, offset));
                    at += 8;
                    break;
                case 8:
                    U.putInt(at, ids[i]);
                    at += 4;
                    break;
                default:
                    U.putInt(at, U.getInt(o, offset));
                    at += 4;
            }
        }
        U.putByte(p, FIELDS);
        r.objects = at;
    }

    void describeClass(Class<?> type, int id) {
        int loader = r.id(type.getClassLoader0());
        int superclass = r.id(type.getSuperclass());
        Class<?>[] interfaces = type.getInterfaces();
        int[] ids = new int[interfaces.length];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = r.id(interfaces[i]);
        }
        String name = type.getName();
        int length = Math.min(name.length(), 20000);
        long p = r.roomForObject(HEAD + 13 + 4L * ids.length + 3L * length);
        head(p, id, null);
        U.putInt(p + HEAD, loader);
        U.putInt(p + HEAD + 4, superclass);
        U.putByte(p + HEAD + 8, (byte) (type.isInterface() ? 1 : 0));
        U.putShort(p + HEAD + 9, (short) ids.length);
        long at = p + HEAD + 11;
        for (int each : ids) {
            U.putInt(at, each);
            at += 4;
        }
        long end = putName(name, length, at + 2);
        U.putShort(at, (short) (end - at - 2));
        U.putByte(p, CLASS);
        r.objects = end;
    }

    /** Writes the first characters of the name as modified UTF-8 and returns where it ends. */
    private static long putName(String name, int length, long at) {
        for (int i = 0; i < length; i++) {
            char c = name.charAt(i);
            if (c < 0x80 && c != 0) {
                U.putByte(at++, (byte) c);
            } else if (c < 0x800) {
                U.putByte(at++, (byte) (0xc0 | c >> 6));
                U.putByte(at++, (byte) (0x80 | c & 0x3f));
            } else {
                U.putByte(at++, (byte) (0xe0 | c >> 12));
                U.putByte(at++, (byte) (0x80 | c >> 6 & 0x3f));
                U.putByte(at++, (byte) (0x80 | c & 0x3f));
            }
        }
        return at;
    }
}
