import java.util.Collections;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** Loads and links every class of a jar; prints each, with the kind of error if there is one. */
class Linker {
    public static void main(String[] arguments) throws Exception {
        try (JarFile jar = new JarFile(arguments[0])) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                String file = entry.getName();
                boolean isOrdinary = !file.startsWith("META-INF/") && !file.equals("module-info.class");
                if (file.endsWith(".class") && isOrdinary) {
                    link(file.substring(0, file.length() - ".class".length()).replace('/', '.'));
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
