import java.util.*;
import java.util.concurrent.*;
import java.util.function.IntFunction;

final class Maps {
    enum Colour { RED, GREEN, BLUE, WHITE, BLACK }

    /** Many of these fall into one bucket, which then becomes a tree. */
    static final class Key implements Comparable<Key> {
        final int n;

        Key(int n) {
            this.n = n;
        }

        @Override
        public int hashCode() {
            return n % 2;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key && ((Key) other).n == n;
        }

        @Override
        public int compareTo(Key other) {
            return Integer.compare(n, other.n);
        }

        @Override
        public String toString() {
            return "K" + n;
        }
    }

    static void run(Random random, int rounds) {
        IntFunction<Integer> numbers = n -> n;
        for (Map<Integer, Integer> map : Arrays.<Map<Integer, Integer>>asList(
                new HashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>(16, 0.75f, true), new TreeMap<>(),
                new TreeMap<>(Comparator.reverseOrder()), new Hashtable<>(), new ConcurrentHashMap<>(),
                new ConcurrentSkipListMap<>(), Collections.synchronizedMap(new HashMap<>()))) {
            changes(map, random, rounds, numbers);
        }
        Key[] keys = new Key[40];
        Arrays.setAll(keys, Key::new);
        for (Map<Key, Integer> map : Arrays.<Map<Key, Integer>>asList(new HashMap<>(), new ConcurrentHashMap<>(), new LinkedHashMap<>())) {
            changes(map, random, rounds * 2, n -> keys[n]);
        }
        Colour[] colours = Colour.values();
        changes(new EnumMap<Colour, Integer>(Colour.class), random, rounds, n -> colours[n % colours.length]);
        String[] texts = new String[40];
        Arrays.setAll(texts, n -> "text " + n);
        changes(new IdentityHashMap<String, Integer>(), random, rounds, n -> texts[n]);
        Properties properties = new Properties();
        for (int i = 0; i < rounds; i++) {
            properties.setProperty(texts[random.nextInt(10)], texts[i % 40]);
            Check.point("Properties", properties);
        }
    }

    private static <K> void changes(Map<K, Integer> map, Random random, int rounds, IntFunction<K> key) {
        String label = map.getClass().getSimpleName();
        Map<K, Integer> fixed = Collections.unmodifiableMap(map);
        Check.point(label, map);
        for (int i = 0; i < rounds; i++) {
            change(map, random, key);
            Check.point(label, map);
            Check.point(label + " unmodifiable", fixed);
            if (i % 4 == 0) {
                Check.point(label + " keys", map.keySet());
                Check.point(label + " values", map.values());
            }
            if (i % 4 == 1 && !map.isEmpty() && !(map instanceof IdentityHashMap)) {
                Map.Entry<K, Integer> entry = map.entrySet().iterator().next();
                if (!(map instanceof ConcurrentMap) && !(map instanceof EnumMap)) {
                    Check.point(label + " entry", entry);
                    entry.setValue(random.nextInt(10));
                    Check.point(label + " entry", entry);
                    Check.point(label, map);
                }
            }
        }
    }

    private static <K> void change(Map<K, Integer> map, Random random, IntFunction<K> keys) {
        K key = keys.apply(random.nextInt(40));
        int n = random.nextInt(100);
        switch (random.nextInt(16)) {
            case 0:
            case 1:
                map.remove(key);
                break;
            case 2:
                map.merge(key, n, Integer::sum);
                break;
            case 3:
                map.computeIfAbsent(key, k -> n);
                break;
            case 4:
                map.compute(key, (k, v) -> v == null || v % 2 == 0 ? Integer.valueOf(n) : null);
                break;
            case 5:
                map.putIfAbsent(key, n);
                break;
            case 6:
                map.keySet().removeIf(k -> k.hashCode() % 7 == 1);
                break;
            case 7:
                map.values().removeIf(v -> v % 5 == 1);
                break;
            case 8:
                map.replaceAll((k, v) -> v + 1);
                break;
            case 9:
                for (Iterator<Map.Entry<K, Integer>> i = map.entrySet().iterator(); i.hasNext(); ) {
                    Map.Entry<K, Integer> each = i.next();
                    if (each.getValue() % 4 == 0) {
                        i.remove();
                    } else if (!(map instanceof ConcurrentSkipListMap)) {
                        each.setValue(each.getValue() + 1);
                    }
                }
                break;
            case 10:
                map.get(key);
                break;
            case 11:
                if (map instanceof NavigableMap) {
                    ((NavigableMap<K, Integer>) map).pollFirstEntry();
                }
                break;
            case 12:
                if (random.nextInt(4) == 0) {
                    map.clear();
                }
                break;
            default:
                for (int i = 0; i < 6; i++) {
                    map.put(keys.apply(random.nextInt(40)), random.nextInt(100));
                }
        }
    }
}
