import java.net.URL;
import java.net.URLClassLoader;
import java.util.function.IntUnaryOperator;

/** The same class in two loaders of its own, and once more in the usual one. */
class Main {
    public static class Plugin implements IntUnaryOperator {
        static int calls;

        @Override
        public int applyAsInt(int n) {
            calls++;
            return n * 10 + calls;
        }
    }

    public static void main(String[] arguments) throws Exception {
        URL here = Main.class.getProtectionDomain().getCodeSource().getLocation();
        ClassLoader usual = Main.class.getClassLoader();
        ClassLoader first = new URLClassLoader(new URL[] {here}, null);
        ClassLoader second = new URLClassLoader(new URL[] {here}, null);
        for (ClassLoader loader : new ClassLoader[] {usual, first, second, first}) {
            Object plugin = loader.loadClass("Main$Plugin").getDeclaredConstructor().newInstance();
            System.out.println(use((IntUnaryOperator) plugin));
        }
    }

    static int use(IntUnaryOperator plugin) {
        return plugin.applyAsInt(4);
    }
}
