/** A way to a town: the last road of it, and the route that it goes on from. */
final class Route implements Comparable<Route> {
    final String town;
    final int length;
    final Route before;

    Route(String town, int length, Route before) {
        this.town = town;
        this.length = length;
        this.before = before;
    }

    Route to(String next, int road) {
        return new Route(next, length + road, this);
    }

    /** Shorter routes come first; among equally long ones, the one with fewer stops. */
    @Override
    public int compareTo(Route other) {
        if (length != other.length) {
            return Integer.compare(length, other.length);
        }
        return Integer.compare(stops(), other.stops());
    }

    int stops() {
        return before == null ? 0 : 1 + before.stops();
    }

    @Override
    public String toString() {
        return before == null ? town : before + " - " + town + " " + length;
    }
}
