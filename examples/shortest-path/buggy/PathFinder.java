import java.util.HashSet;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/** Dijkstra's algorithm: always goes on from the shortest route found so far. */
class PathFinder {
    private final RoadMap map;

    PathFinder(RoadMap map) {
        this.map = map;
    }

    Route shortest(String from, String to) {
        PriorityQueue<Route> open = new PriorityQueue<>();
        Set<String> done = new HashSet<>();
        open.add(new Route(from, 0, null));
        while (!open.isEmpty()) {
            Route route = open.poll();
            if (route.town.equals(to)) {
                return route;
            }
            if (done.add(route.town)) {
                extend(route, open, done);
            }
        }
        return null;
    }

    /** Adds the routes that lead one road further, to towns that are not done yet. */
    private void extend(Route route, PriorityQueue<Route> open, Set<String> done) {
        for (Map.Entry<String, Integer> road : map.roadsFrom(route.town).entrySet()) {
            if (!done.contains(road.getKey())) {
                open.add(route.to(road.getKey(), road.getValue()));
            }
        }
    }
}
