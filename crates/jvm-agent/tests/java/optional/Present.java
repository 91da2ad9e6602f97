public class Present {
    static Present[] all() {
        return new Present[] {new Present()};
    }

    String name() {
        return "present";
    }

    @Override
    public String toString() {
        return name();
    }
}
