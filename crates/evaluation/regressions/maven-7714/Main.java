import org.apache.maven.artifact.versioning.ComparableVersion;

/** Which of two releases of a vendor is the newer one? */
public class Main {
    public static void main(String[] arguments) {
        compare("1.0.final-vendor-1", "1.0.sp1-vendor-1");
        compare("2.1", "2.1.1");
        compare("2.0-rc1", "2.0");
    }

    private static void compare(String one, String other) {
        int order = new ComparableVersion(one).compareTo(new ComparableVersion(other));
        System.out.println(one + (order < 0 ? " < " : order > 0 ? " > " : " = ") + other);
    }
}
