import java.util.*;
import java.util.concurrent.*;

final class Sets {
    enum Few { A, B, C, D, E }

    enum Many {
        M0, M1, M2, M3, M4, M5, M6, 
        M7, M8, M9, M10, M11, M12, M13, 
        M14, M15, M16, M17, M18, M19, M20, 
        M21, M22, M23, M24, M25, M26, M27, 
        M28, M29, M30, M31, M32, M33, M34, 
        M35, M36, M37, M38, M39, M40, M41, 
        M42, M43, M44, M45, M46, M47, M48, 
        M49, M50, M51, M52, M53, M54, M55, 
        M56, M57, M58, M59, M60, M61, M62, 
        M63, M64, M65, M66, M67, M68, M69, 
    }

    static void run(Random random, int rounds) {
        for (Set<Integer> set : Arrays.<Set<Integer>>asList(
                new HashSet<>(), new LinkedHashSet<>(), new TreeSet<>(), new CopyOnWriteArraySet<>(),
                new ConcurrentSkipListSet<>(), ConcurrentHashMap.newKeySet(), Collections.newSetFromMap(new TreeMap<>()),
                Collections.synchronizedSet(new HashSet<>()))) {
            changes(set, random, rounds, integers());
        }
        changes(EnumSet.noneOf(Few.class), random, rounds, Arrays.asList(Few.values()));
        changes(EnumSet.noneOf(Many.class), random, rounds, Arrays.asList(Many.values()));
        BitSet bits = new BitSet();
        for (int i = 0; i < rounds; i++) {
            switch (random.nextInt(5)) {
                case 0:
                    bits.clear(random.nextInt(200));
                    break;
                case 1:
                    bits.set(random.nextInt(100), 100 + random.nextInt(20));
                    break;
                case 2:
                    bits.flip(random.nextInt(200));
                    break;
                case 3:
                    bits.and(BitSet.valueOf(new long[] {random.nextLong(), random.nextLong(), -1}));
                    break;
                default:
                    bits.set(random.nextInt(200));
            }
            Check.point("BitSet", bits);
        }
    }

    private static List<Integer> integers() {
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            all.add(i);
        }
        return all;
    }

    private static <E> void changes(Set<E> set, Random random, int rounds, List<E> all) {
        String label = set.getClass().getSimpleName();
        Set<E> fixed = Collections.unmodifiableSet(set);
        Check.point(label, set);
        for (int i = 0; i < rounds; i++) {
            E element = all.get(random.nextInt(all.size()));
            switch (random.nextInt(8)) {
                case 0:
                    set.remove(element);
                    break;
                case 1:
                    set.addAll(all.subList(0, random.nextInt(all.size())));
                    break;
                case 2:
                    set.removeIf(each -> each.hashCode() % 3 == 0);
                    break;
                case 3:
                    if (!(set instanceof CopyOnWriteArraySet)) {
                        Iterator<E> first = set.iterator();
                        if (first.hasNext()) {
                            first.next();
                            first.remove();
                        }
                    }
                    break;
                case 4:
                    set.retainAll(all.subList(0, all.size() / 2));
                    break;
                default:
                    set.add(element);
            }
            Check.point(label, set);
            Check.point(label + " unmodifiable", fixed);
        }
    }
}
