import java.io.File;
import java.util.Collections;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** Loads and links every class of jars; prints each, with the kind of error if there is one, below its jar's name. */
class Linker {
    public static void main(String[] arguments) throws Exception {
        for (String argument : arguments) {
            linkAll(argument);
        }
    }

    private static void linkAll(String file) throws Exception {
        System.out.println("# " + new File(file).getName());
        try (JarFile jar = new JarFile(file)) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                String name = entry.getName();
                boolean isOrdinary = !name.startsWith("META-INF/") && !name.equals("module-info.class");
                if (name.endsWith(".class") && isOrdinary) {
                    link(name.substring(0, name.length() - ".class".length()).replace('/', '.'));
                }
            }
        }
    }

    private static void link(String name) {
        try {
            // Asking for its methods links a class, and so verifies it, without initialising it.
            Class.forName(name, false, Linker.class.getClassLoader()).getDeclaredMethods();
            System.out.println(name);
        } catch (Throwable error) {
            System.out.println(name + " " + error.getClass().getName());
        }
    }
}
