import java.util.TreeSet;
import org.jgrapht.Graph;
import org.jgrapht.alg.color.GreedyColoring;
import org.jgrapht.alg.connectivity.KosarajuStrongConnectivityInspector;
import org.jgrapht.alg.flow.PushRelabelMFImpl;
import org.jgrapht.alg.matching.blossom.v5.KolmogorovWeightedMatching;
import org.jgrapht.alg.scoring.PageRank;
import org.jgrapht.alg.shortestpath.DijkstraShortestPath;
import org.jgrapht.alg.shortestpath.FloydWarshallShortestPaths;
import org.jgrapht.alg.spanning.KruskalMinimumSpanningTree;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleDirectedWeightedGraph;
import org.jgrapht.graph.SimpleWeightedGraph;
import org.jgrapht.util.SupplierUtil;

/** Paths, flows, trees, colours and matchings of graphs. */
public class Workload {
    public static void main(String[] args) {
        int scale = Integer.parseInt(args[0]);
        long checksum = 0;
        for (int round = 0; round < scale; round++) {
            checksum = checksum * 31 + directed(30, round);
            checksum = checksum * 31 + undirected(24, round);
        }
        System.out.println("checksum " + checksum);
        try {
            new SimpleWeightedGraph<Integer, DefaultWeightedEdge>(DefaultWeightedEdge.class).addEdge(1, 2);
        } catch (IllegalArgumentException e) {
            System.out.println("expected: " + e.getMessage());
        }
    }

    private static long directed(int size, int seed) {
        Graph<Integer, DefaultWeightedEdge> graph = new SimpleDirectedWeightedGraph<>(DefaultWeightedEdge.class);
        fill(graph, size, seed);
        long hash = Math.round(new PushRelabelMFImpl<>(graph).calculateMaximumFlow(0, size - 1));
        hash = hash * 31 + new KosarajuStrongConnectivityInspector<>(graph).stronglyConnectedSets().size();
        FloydWarshallShortestPaths<Integer, DefaultWeightedEdge> all = new FloydWarshallShortestPaths<>(graph);
        DijkstraShortestPath<Integer, DefaultWeightedEdge> dijkstra = new DijkstraShortestPath<>(graph);
        for (int target = 1; target < size; target += 4) {
            double distance = dijkstra.getPathWeight(0, target);
            hash = hash * 31 + Math.round(distance) + (distance == all.getPathWeight(0, target) ? 1 : 0);
        }
        double rank = new PageRank<>(graph).getVertexScore(size / 2);
        return hash * 31 + Math.round(rank * 1e6);
    }

    private static long undirected(int size, int seed) {
        // A matching adds vertices of its own.
        Graph<Integer, DefaultWeightedEdge> graph =
            new SimpleWeightedGraph<>(SupplierUtil.createIntegerSupplier(1000), DefaultWeightedEdge::new);
        fill(graph, size, seed);
        long hash = Math.round(new KruskalMinimumSpanningTree<>(graph).getSpanningTree().getWeight());
        hash = hash * 31 + new GreedyColoring<>(graph).getColoring().getNumberColors();
        hash = hash * 31 + Math.round(new KolmogorovWeightedMatching<>(graph).getMatching().getWeight());
        return hash * 31 + new TreeSet<>(graph.vertexSet()).hashCode();
    }

    private static void fill(Graph<Integer, DefaultWeightedEdge> graph, int size, int seed) {
        for (int i = 0; i < size; i++) {
            graph.addVertex(i);
        }
        for (int i = 0; i < size; i++) {
            for (int step = 1; step <= 5; step++) {
                int target = (i + step * step + seed % 3) % size;
                DefaultWeightedEdge edge = target == i ? null : graph.addEdge(i, target);
                if (edge != null) {
                    graph.setEdgeWeight(edge, 1 + (i * 7 + step * 11 + seed) % 23);
                }
            }
        }
    }
}
