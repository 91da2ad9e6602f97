import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * Links the classes of many hybrids, each in a loader of its own, which has everything else from jars.
 *
 * <p>The first argument is a folder with a file {@code list}: a line for each hybrid, with the name of its folder of
 * class files and the names of the classes to link, separated by blanks. The others are the jars. Prints the name and a
 * class, and what was thrown if it cannot be linked.
 */
class HybridLinker {
    public static void main(String[] arguments) throws Exception {
        Map<String, byte[]> classes = new HashMap<>();
        for (int at = 1; at < arguments.length; at++) {
            read(arguments[at], classes);
        }
        Path folder = Path.of(arguments[0]);
        for (String line : Files.readAllLines(folder.resolve("list"))) {
            String[] words = line.split(" ");
            Loader loader = new Loader(folder.resolve(words[0]), classes);
            for (int at = 1; at < words.length; at++) {
                System.out.println(words[0] + " " + words[at] + " " + link(words[at], loader));
            }
        }
    }

    private static void read(String file, Map<String, byte[]> classes) throws IOException {
        try (JarFile jar = new JarFile(file)) {
            for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
                String name = entry.getName();
                if (name.endsWith(".class") && !name.startsWith("META-INF/")) {
                    String dotted = name.substring(0, name.length() - ".class".length()).replace('/', '.');
                    classes.putIfAbsent(dotted, jar.getInputStream(entry).readAllBytes());
                }
            }
        }
    }

    private static String link(String name, ClassLoader loader) {
        try {
            // Asking for its methods links a class, and so verifies it, without initialising it.
            Class.forName(name, false, loader).getDeclaredMethods();
            return "";
        } catch (Throwable error) {
            String message = String.valueOf(error.getMessage()).lines().findFirst().orElse("");
            return error.getClass().getName() + ": " + message;
        }
    }

    /** Has the classes of a hybrid, before those of the jars, before those of the JDK. */
    private static final class Loader extends ClassLoader {
        private final Path folder;
        private final Map<String, byte[]> classes;

        Loader(Path folder, Map<String, byte[]> classes) {
            super(ClassLoader.getPlatformClassLoader());
            this.folder = folder;
            this.classes = classes;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            File own = folder.resolve(name + ".class").toFile();
            byte[] bytes = classes.get(name);
            try {
                if (own.isFile()) {
                    bytes = Files.readAllBytes(own.toPath());
                }
            } catch (IOException error) {
                throw new ClassNotFoundException(name, error);
            }
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes, 0, bytes.length);
        }
    }
}
