import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Towns and the lengths of the roads between them. */
class RoadMap {
    private final Map<String, Map<String, Integer>> roads = new TreeMap<>();

    void road(String one, String other, int length) {
        roads.computeIfAbsent(one, town -> new TreeMap<>()).put(other, length);
        roads.computeIfAbsent(other, town -> new TreeMap<>()).put(one, length);
    }

    Set<String> towns() {
        return roads.keySet();
    }

    Map<String, Integer> roadsFrom(String town) {
        return roads.get(town);
    }
}
