import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.io.WKTReader;

/** Tells whether wide buffers around a closed line cover the line. */
public class Main {
    public static void main(String[] args) throws Exception {
        Geometry line = new WKTReader().read("LINESTRING (-13 8, 13 4, 14 -15, -16 -9, -13 8)");
        for (int distance : new int[] {5, 35, 60}) {
            System.out.println(distance + ": " + line.buffer(distance).covers(line));
        }
    }
}
