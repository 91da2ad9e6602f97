/** Finds the shortest way between towns with Dijkstra's algorithm. */
public class Main {
    public static void main(String[] args) {
        RoadMap map = new RoadMap();
        map.road("Aachen", "Bonn", 91);
        map.road("Aachen", "Celle", 384);
        map.road("Bonn", "Celle", 310);
        map.road("Bonn", "Dresden", 560);
        map.road("Celle", "Dresden", 340);
        map.road("Celle", "Emden", 240);
        map.road("Bonn", "Emden", 320);
        map.road("Dresden", "Frankfurt", 460);
        map.road("Bonn", "Frankfurt", 175);
        map.road("Frankfurt", "Celle", 320);

        PathFinder finder = new PathFinder(map);
        for (String town : map.towns()) {
            System.out.println(finder.shortest("Aachen", town));
        }
    }
}
