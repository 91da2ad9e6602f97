package java.lang;

import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where the program goes by identity hashes: those of recorded objects are our numbers, and so are others than in an
 * unrecorded run.
 *
 * <p>Called by recorded code before it asks for such a hash, makes a text that shows one, or goes through a
 * collection in an order that depends on them. What is found is told once, with the class and the place. None of
 * these methods calls the program's code, loads a class or throws.
 */
public final class AskanceHashes {
    /** More sentences help nobody. */
    private static final int MOST = 20;

    /** Of a class: {@code hashCode} is the identity hash, {@code toString} shows it. */
    private static final int HASH = 1;
    private static final int TEXT = 2;
    /** What was told of it already: its hash was asked for, a text was made, it is a key of what was gone through. */
    private static final int TOLD_HASH = 4;
    private static final int TOLD_TEXT = 8;
    private static final int TOLD_KEY = 16;

    private static final AskanceHashes[] KNOWN = new AskanceHashes[512];
    private static int told;

    private final Class<?> type;
    private int what;

    private AskanceHashes(Class<?> type, int what) {
        this.type = type;
        this.what = what;
    }

    /** {@link #HASH} and {@link #TEXT}, as far as they hold for a class. */
    private static native int ofIdentity(Class<?> type);

    /** A sentence for the trace's log. */
    private static native void tell(String sentence);

    private static AskanceHashes of(Object o) {
        Class<?> type = o.getClass();
        int at = System.identityHashCode(type) & KNOWN.length - 1;
        AskanceHashes known = KNOWN[at];
        if (known == null || known.type != type) {
            known = new AskanceHashes(type, ofIdentity(type));
            KNOWN[at] = known;
        }
        return known;
    }

    /** The identity hash of an object is asked for, whatever its {@code hashCode}. */
    public static void asked(Object o) {
        if (o != null && told < MOST) {
            AskanceHashes known = of(o);
            if ((known.what & TOLD_HASH) == 0) {
                known.tell(TOLD_HASH, "uses the identity hash of ", "", "which differs");
            }
        }
    }

    /** {@code hashCode} of an object is called. */
    public static void hashed(Object o) {
        if (o != null && told < MOST && (of(o).what & (HASH | TOLD_HASH)) == HASH) {
            asked(o);
        }
    }

    /** A text is made of an object. */
    public static void said(Object o) {
        if (o == null || told >= MOST || o instanceof String) {
            return;
        }
        AskanceHashes known = of(o);
        if ((known.what & (TEXT | TOLD_TEXT)) == TEXT) {
            known.tell(TOLD_TEXT, "makes a text of ", " that shows its identity hash", "which differs");
        }
        walked(o);
    }

    /** A collection is gone through. */
    public static void walked(Object o) {
        if (o == null || told >= MOST) {
            return;
        }
        try {
            Object key = Places.firstKey(o);
            if (key == null) {
                return;
            }
            AskanceHashes known = of(key);
            boolean always = o instanceof IdentityHashMap;
            if ((known.what & TOLD_KEY) == 0 && (always || (known.what & HASH) != 0)) {
                String does = "goes through a ".concat(o.getClass().getName());
                does = does.concat(" in the order of its keys' identity hashes, those of ");
                known.tell(TOLD_KEY, does, "", "which differ");
            }
        } catch (Throwable thrown) {
            // Another thread may change it meanwhile, or there is no memory left.
        }
    }

    private void tell(int what, String does, String suffix, String differ) {
        synchronized (KNOWN) {
            if ((this.what & what) != 0 || told >= MOST) {
                return;
            }
            this.what |= what;
            told++;
        }
        try {
            // Plain calls: joining by + would make the JVM set up machinery that the program may never have needed.
            String sentence = place().concat(" ").concat(does).concat(type.getName()).concat(suffix);
            tell(sentence.concat(", ").concat(differ).concat(" from what an unrecorded run would give"));
        } catch (Throwable thrown) {
            // No stack or no memory left for this: the program goes on without.
        }
    }

    private static String place() {
        for (StackTraceElement frame : new Throwable().getStackTrace()) {
            String name = frame.getClassName();
            if (!name.startsWith("java.lang.Askance")) {
                name = name.concat(".").concat(frame.getMethodName());
                String file = frame.getFileName();
                if (file == null) {
                    return name;
                }
                String line = Integer.toString(frame.getLineNumber());
                return name.concat(" (").concat(file).concat(":").concat(line).concat(")");
            }
        }
        return "recorded code";
    }

    /** Where the JDK's collections have their keys. Made when the first one is gone through. */
    private static final class Places {
        private static final Class<?> KEYS;
        private static final Class<?> VALUES;
        private static final Class<?> ENTRIES;
        private static final long TABLE = AskanceFields.offset(HashMap.class, "table");
        private static final long OF_SET = AskanceFields.offset(HashSet.class, "map");
        private static final long OF_KEYS;
        private static final long OF_VALUES;
        private static final long OF_ENTRIES;
        private static final long CONCURRENT = AskanceFields.offset(ConcurrentHashMap.class, "table");
        private static final long IDENTITY = AskanceFields.offset(IdentityHashMap.class, "table");

        static {
            HashMap<Object, Object> map = new HashMap<>();
            KEYS = map.keySet().getClass();
            VALUES = map.values().getClass();
            ENTRIES = map.entrySet().getClass();
            OF_KEYS = AskanceFields.offset(KEYS, "this$0");
            OF_VALUES = AskanceFields.offset(VALUES, "this$0");
            OF_ENTRIES = AskanceFields.offset(ENTRIES, "this$0");
        }

        /** The key that is met first, if the order of several depends on hashes. */
        static Object firstKey(Object o) {
            Class<?> type = o.getClass();
            if (type == HashSet.class) {
                o = AskanceObjects.reference(o, OF_SET);
            } else if (type == KEYS) {
                o = AskanceObjects.reference(o, OF_KEYS);
            } else if (type == ENTRIES) {
                o = AskanceObjects.reference(o, OF_ENTRIES);
            } else if (type == VALUES) {
                o = AskanceObjects.reference(o, OF_VALUES);
            } else if (type != HashMap.class && type != ConcurrentHashMap.class && type != IdentityHashMap.class) {
                return null;
            }
            type = o == null ? null : o.getClass();
            if (type == HashMap.class) {
                return ((HashMap<?, ?>) o).size() < 2 ? null : inNodes((Object[]) AskanceObjects.reference(o, TABLE));
            }
            if (type == ConcurrentHashMap.class) {
                Object[] table = (Object[]) AskanceObjects.reference(o, CONCURRENT);
                return ((ConcurrentHashMap<?, ?>) o).size() < 2 ? null : inNodes(table);
            }
            if (type == IdentityHashMap.class) {
                Object[] table = (Object[]) AskanceObjects.reference(o, IDENTITY);
                return ((IdentityHashMap<?, ?>) o).size() < 2 ? null : inTable(table);
            }
            return null;
        }

        private static Object inNodes(Object[] table) {
            if (table != null) {
                for (Object node : table) {
                    if (node != null) {
                        return ((Map.Entry<?, ?>) node).getKey();
                    }
                }
            }
            return null;
        }

        private static Object inTable(Object[] table) {
            for (int i = 0; i < table.length; i += 2) {
                if (table[i] != null) {
                    return table[i];
                }
            }
            return null;
        }
    }
}
