import com.google.common.base.CharMatcher;
import com.google.common.base.Joiner;
import com.google.common.base.Splitter;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import com.google.common.collect.HashBasedTable;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableRangeSet;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Iterables;
import com.google.common.collect.Multimap;
import com.google.common.collect.Ordering;
import com.google.common.collect.Range;
import com.google.common.collect.Sets;
import com.google.common.collect.Table;
import com.google.common.collect.TreeMultimap;
import com.google.common.collect.TreeMultiset;
import com.google.common.graph.Graphs;
import com.google.common.graph.GraphBuilder;
import com.google.common.graph.MutableGraph;
import com.google.common.hash.Hashing;
import com.google.common.math.BigIntegerMath;
import com.google.common.math.LongMath;
import com.google.common.primitives.Ints;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Collections, caches, graphs, hashes and texts. */
public class Workload {
    public static void main(String[] args) {
        int scale = Integer.parseInt(args[0]);
        long checksum = 0;
        for (int round = 0; round < scale; round++) {
            checksum = checksum * 31 + collections(round);
            checksum = checksum * 31 + texts(round);
            checksum = checksum * 31 + cache(round);
            checksum = checksum * 31 + graph(round);
        }
        System.out.println("checksum " + checksum);
        try {
            ImmutableSortedMap.of("a", 1, "a", 2);
        } catch (IllegalArgumentException e) {
            System.out.println("expected: " + e.getMessage());
        }
    }

    private static long collections(int seed) {
        Multimap<Integer, String> byLength = TreeMultimap.create();
        TreeMultiset<Integer> counted = TreeMultiset.create();
        Table<Integer, Integer, Integer> table = HashBasedTable.create();
        for (int i = 0; i < 200; i++) {
            int number = (i * 7919 + seed) % 1009;
            byLength.put(Integer.toString(number).length(), "n" + number);
            counted.add(number % 20);
            table.put(i % 8, i % 5, number);
        }
        long hash = byLength.toString().hashCode() * 31L + counted.headMultiset(10, com.google.common.collect.BoundType.OPEN).size();
        for (Map.Entry<Integer, Map<Integer, Integer>> row : table.rowMap().entrySet()) {
            hash = hash * 31 + row.getKey() + row.getValue().values().stream().mapToInt(value -> value).sum();
        }
        List<Integer> sorted = Ordering.natural().reverse().onResultOf((Integer value) -> value % 10).compound(Ordering.natural())
            .immutableSortedCopy(Iterables.limit(counted, 60));
        ImmutableRangeSet<Integer> ranges = ImmutableRangeSet.unionOf(ImmutableList.of(
            Range.closedOpen(1, 5), Range.closedOpen(4, 9), Range.openClosed(20, 30 + seed % 5)));
        int products = Sets.cartesianProduct(Sets.newTreeSet(Ints.asList(1, 2, 3)), Sets.newTreeSet(Ints.asList(4, 5))).size();
        return hash * 31 + sorted.hashCode() + ranges.toString().hashCode() + products;
    }

    private static long texts(int seed) {
        Iterable<String> parts = Splitter.on(CharMatcher.anyOf(",;")).trimResults().omitEmptyStrings()
            .split("one, two;;three ,four" + seed + ";five");
        String joined = Joiner.on('|').withKeyValueSeparator("=").join(
            Splitter.on('&').withKeyValueSeparator('=').split("a=1&b=2&c=" + seed));
        long hash = Joiner.on('-').join(parts).hashCode() * 31L + joined.hashCode();
        hash = hash * 31 + Hashing.murmur3_128(seed).hashString(joined, StandardCharsets.UTF_8).asLong();
        hash = hash * 31 + Hashing.sipHash24().hashInt(seed).asLong() + Hashing.crc32c().hashLong(seed).asInt();
        return hash * 31 + BigIntegerMath.factorial(25).hashCode() + LongMath.binomial(30, 12) + LongMath.gcd(seed + 12, 18);
    }

    private static long cache(int seed) {
        LoadingCache<Integer, String> cache = CacheBuilder.newBuilder().maximumSize(30).concurrencyLevel(1)
            .build(CacheLoader.from(key -> "value " + key * seed));
        long hash = 0;
        for (int i = 0; i < 150; i++) {
            hash = hash * 31 + cache.getUnchecked(i * i % 47).hashCode();
        }
        return hash;
    }

    private static long graph(int seed) {
        MutableGraph<Integer> graph = GraphBuilder.directed().allowsSelfLoops(false).build();
        for (int i = 1; i < 40; i++) {
            graph.putEdge(i, (i * 3 + seed) % i);
        }
        return Graphs.transitiveClosure(graph).edges().size() * 31L + Graphs.reachableNodes(graph, 39).size()
            + (Graphs.hasCycle(graph) ? 1 : 0);
    }
}
