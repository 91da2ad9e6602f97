import java.io.File;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.zip.ZipFile;

/** What the tests need a JVM for: taking jars apart, and having classes verified. */
public class Loader {
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[1]);
        switch (arguments[0]) {
            case "extract" -> {
                for (int i = 2; i < arguments.length; i++) {
                    extract(new File(arguments[i]), directory);
                }
            }
            case "module" -> extractModule(arguments[2], directory);
            case "link" -> link(directory);
            case "call" -> call(directory, arguments[2], arguments[3], Integer.parseInt(arguments[4]));
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /** One directory per jar; only plain classes, not those for particular Java versions. */
    static void extract(File jar, Path directory) throws Exception {
        Path target = directory.resolve(jar.getName());
        try (ZipFile zip = new ZipFile(jar)) {
            for (var entry : Collections.list(zip.entries())) {
                String name = entry.getName();
                if (!name.endsWith(".class") || name.startsWith("META-INF/") || name.endsWith("-info.class")) {
                    continue;
                }
                Path file = target.resolve(name);
                Files.createDirectories(file.getParent());
                try (InputStream in = zip.getInputStream(entry)) {
                    Files.copy(in, file);
                }
            }
        }
    }

    /** The classes of a module of the JDK. */
    static void extractModule(String module, Path directory) throws Exception {
        Path root = Path.of(URI.create("jrt:/" + module));
        try (var files = Files.walk(root)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (file.toString().endsWith(".class") && !file.endsWith("module-info.class")) {
                    Path target = directory.resolve(root.relativize(file).toString());
                    Files.createDirectories(target.getParent());
                    Files.copy(file, target);
                }
            }
        }
    }

    /** Prints the name and the error of each class that cannot be linked. */
    static void link(Path directory) throws Exception {
        PrintStream out = System.out;
        List<Path> jars = new ArrayList<>();
        try (var files = Files.list(directory)) {
            files.sorted().forEach(jars::add);
        }
        for (Path jar : jars) {
            List<URL> path = new ArrayList<>();
            path.add(jar.toUri().toURL());
            for (Path other : jars) {
                path.add(other.toUri().toURL());
            }
            // Its own loader above the platform's: the application's class path is not ours.
            try (var loader = new URLClassLoader(path.toArray(new URL[0]), ClassLoader.getPlatformClassLoader())) {
                List<String> names = new ArrayList<>();
                try (var files = Files.walk(jar)) {
                    files.map(file -> jar.relativize(file).toString())
                            .filter(name -> name.endsWith(".class"))
                            .map(name -> name.substring(0, name.length() - 6).replace('/', '.'))
                            .sorted()
                            .forEach(names::add);
                }
                for (String name : names) {
                    try {
                        // Asking for members links the class but does not initialise it.
                        Class.forName(name, false, loader).getDeclaredConstructors();
                    } catch (Throwable error) {
                        String message = String.valueOf(error.getMessage()).replace('\n', '|');
                        out.println(jar.getFileName() + "/" + name + "\t" + error.getClass().getName() + "\t" + message);
                    }
                }
            }
        }
    }

    /** Prints the result of a static method from int to int. */
    static void call(Path directory, String name, String method, int argument) throws Exception {
        URL[] path = {directory.toUri().toURL()};
        try (var loader = new URLClassLoader(path, ClassLoader.getPlatformClassLoader())) {
            System.out.println(loader.loadClass(name).getMethod(method, int.class).invoke(null, argument));
        }
    }
}
