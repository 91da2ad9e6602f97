/** What a test looks for in the trace: an object, and what the program itself printed of it. */
final class Check {
    private Check() {}

    static void point(String label, Object object, String printed) {}

    static void point(String label, Object object) {
        point(label, object, String.valueOf(object));
    }
}
