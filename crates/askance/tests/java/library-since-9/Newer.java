import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** What came to the library after Java 8. */
final class Newer {
    private Newer() {}

    static void collections(Random random) {
        Object bare = new Object();
        Check.point("bare", List.of("x", bare).size() == 2 ? List.of("x", "y") : null);
        List<Integer> grown = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Check.point("copyOf", List.copyOf(grown));
            Check.point("Set.copyOf", Set.copyOf(grown));
            Map<Integer, String> map = new HashMap<>();
            grown.forEach(n -> map.put(n, "v" + n));
            Check.point("Map.copyOf", Map.copyOf(map));
            grown.add(random.nextInt(1000));
        }
        Check.point("part", List.copyOf(grown).subList(1, 4));
        Check.point("List.of", List.of(1));
        Check.point("Set.of", Set.of("only"));
        Check.point("Map.of", Map.of("a", 1, "b", 2));
        Check.point("Map.entry", Map.entry("k", 5));
        List<?> nested = List.of(List.of(1, 2), Map.of("k", Optional.of(Set.of('c'))), new ArrayDeque<>(List.of(true)));
        Check.point("nested", nested);
        Check.point("boxes", List.of(1, 2L, 'c', true, (byte) 3, (short) 4, 1.5f, 2.5));
    }

    static void release(AtomicBoolean flag, AtomicReference<String> reference) {
        flag.setPlain(true);
        reference.setRelease("released");
    }

    static void exchange(
            int n, AtomicInteger number, AtomicLong wide, AtomicBoolean flag, AtomicReference<String> reference) {
        number.setOpaque(n);
        wide.setPlain(n);
        flag.compareAndExchange(false, true);
        reference.weakCompareAndSetPlain("released", "weak");
    }
}
