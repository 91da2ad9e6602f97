import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Prints objects as they are, by reflection, to be compared with what the trace says they were. Not
 * recorded itself; {@code Mark.at} is called with each object and the number of its line.
 */
final class State {
    private static int lines;

    static void of(Object object) {
        int line = ++lines;
        Mark.at(line, object);
        StringBuilder text = new StringBuilder();
        render(object, text, new IdentityHashMap<>());
        System.out.println("@" + line + "\t" + text);
    }

    static void ofStatics(Class<?> type) {
        int line = ++lines;
        Mark.at(line, type);
        StringBuilder text = new StringBuilder();
        fields(type, null, text, new IdentityHashMap<>());
        System.out.println("@" + line + "\t" + text);
    }

    private static final Set<String> SHOWN = setOf("java.util.ArrayList", "java.util.LinkedList",
            "java.util.LinkedList$Node", "java.util.ArrayDeque", "java.util.PriorityQueue",
            "java.util.HashMap", "java.util.HashMap$Node", "java.util.HashMap$TreeNode",
            "java.util.LinkedHashMap", "java.util.LinkedHashMap$Entry", "java.util.TreeMap",
            "java.util.TreeMap$Entry", "java.util.HashSet", "java.util.LinkedHashSet", "java.util.TreeSet",
            "java.util.Arrays$ArrayList", "java.util.Optional", "java.util.BitSet", "java.util.Vector",
            "java.util.Stack", "java.util.EnumMap", "java.util.Hashtable",
            "java.util.Hashtable$Entry");
    private static final Set<String> HIDDEN = setOf("modCount", "keySet", "values", "entrySet",
            "navigableKeySet", "descendingMap");

    private static Set<String> setOf(String... elements) {
        return new HashSet<>(Arrays.asList(elements));
    }

    private static void render(Object o, StringBuilder text, Map<Object, Integer> seen) {
        if (o == null) {
            text.append("null");
        } else if (o instanceof String) {
            text.append('"').append(o).append('"');
        } else if (o instanceof Character) {
            text.append((int) (Character) o);
        } else if (o instanceof Float) {
            text.append(Integer.toHexString(Float.floatToRawIntBits((Float) o))).append('f');
        } else if (o instanceof Double) {
            text.append(Long.toHexString(Double.doubleToRawLongBits((Double) o))).append('d');
        } else if (o instanceof Number || o instanceof Boolean) {
            text.append(o);
        } else if (o instanceof Class) {
            text.append("class ").append(((Class<?>) o).getName());
        } else if (seen.containsKey(o)) {
            text.append('#').append(seen.get(o));
        } else {
            seen.put(o, seen.size());
            if (o.getClass().isArray()) {
                text.append('[');
                for (int i = 0; i < Array.getLength(o); i++) {
                    text.append(i > 0 ? " " : "");
                    render(Array.get(o, i), text, seen);
                }
                text.append(']');
            } else if (o instanceof Enum) {
                text.append(((Enum<?>) o).name());
            } else {
                String name = o.getClass().getName().split("\\$\\$Lambda")[0];
                text.append(name);
                if (!name.startsWith("java.") || SHOWN.contains(name)) {
                    fields(o.getClass(), o, text, seen);
                }
            }
        }
    }

    /** The fields by name, without those that hold zero. */
    private static void fields(Class<?> type, Object o, StringBuilder text, Map<Object, Integer> seen) {
        Map<String, Field> fields = new TreeMap<>();
        for (Class<?> c = type; c != null; c = o == null ? null : c.getSuperclass()) {
            boolean isLibrary = c.getName().startsWith("java.");
            for (Field field : c.getDeclaredFields()) {
                boolean isHidden = isLibrary && (HIDDEN.contains(field.getName()) || !SHOWN.contains(c.getName()));
                if (Modifier.isStatic(field.getModifiers()) == (o == null) && !isHidden) {
                    fields.put(c.getName() + "." + field.getName(), field);
                }
            }
        }
        text.append('{');
        List<String> names = new ArrayList<>(fields.keySet());
        for (String name : names) {
            Field field = fields.get(name);
            try {
                field.setAccessible(true);
                Object value = field.get(o);
                if (!isZero(value, field.getType())) {
                    text.append(' ').append(name).append('=');
                    render(value, text, seen);
                }
            } catch (IllegalAccessException e) {
                throw new AssertionError(e);
            }
        }
        text.append(" }");
    }

    private static boolean isZero(Object value, Class<?> type) {
        return value == null || type.isPrimitive() && (value.equals(false) || value.equals('\0')
                || value instanceof Float && Float.floatToRawIntBits((Float) value) == 0
                || value instanceof Double && Double.doubleToRawLongBits((Double) value) == 0
                || !(value instanceof Float) && !(value instanceof Double)
                        && value instanceof Number && ((Number) value).longValue() == 0);
    }
}
