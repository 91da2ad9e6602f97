import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.*;

/** Objects that stay as they are made. */
final class Fixed {
    static void run(Random random) {
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
        Check.point("SimpleEntry", new AbstractMap.SimpleEntry<>("k", 5));
        Check.point("nCopies", Collections.nCopies(4, "again"));
        Check.point("singleton", Collections.singleton(7));
        Check.point("singletonList", Collections.singletonList(null));
        Check.point("singletonMap", Collections.singletonMap("k", 1.5));
        Check.point("emptyList", Collections.emptyList());
        Check.point("emptyMap", Collections.emptyMap());
        Check.point("emptySet", Collections.emptySet());
        Check.point("Optional", Optional.of("here"));
        Check.point("Optional", Optional.empty());
        Check.point("OptionalInt", OptionalInt.of(random.nextInt()));
        Check.point("OptionalInt", OptionalInt.empty());
        Check.point("OptionalLong", OptionalLong.of(random.nextLong()));
        Check.point("OptionalDouble", OptionalDouble.of(0.25));
        Check.point("nested", List.of(List.of(1, 2), Map.of("k", Optional.of(Set.of('c'))), new ArrayDeque<>(List.of(true))));
        for (int i = 0; i < 20; i++) {
            BigInteger big = new BigInteger(1 + random.nextInt(200), random);
            Check.point("BigInteger", i % 2 == 0 ? big : big.negate());
            Check.point("BigDecimal", new BigDecimal(big, random.nextInt(40) - 10));
            Check.point("BigDecimal", BigDecimal.valueOf(random.nextInt(), random.nextInt(12) - 2));
            Check.point("UUID", new UUID(random.nextLong(), random.nextLong()));
        }
        Check.point("boxes", List.of(1, 2L, 'c', true, (byte) 3, (short) 4, 1.5f, 2.5));
    }
}
