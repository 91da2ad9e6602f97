import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** What came to the library after Java 8: nothing of it. */
final class Newer {
    private Newer() {}

    static void collections(Random random) {}

    static void release(AtomicBoolean flag, AtomicReference<String> reference) {}

    static void exchange(
            int n, AtomicInteger number, AtomicLong wide, AtomicBoolean flag, AtomicReference<String> reference) {}
}
