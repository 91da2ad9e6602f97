import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.lang.reflect.Constructor;

/**
 * Classes whose loader is recorded code: wherever the JVM first needs one by its name it calls the loader, in the
 * middle of whatever method names it.
 */
class Main {
    static int sink;

    /** Which of a loader's methods are its own decides what the JVM's call of it is seen to call. */
    static class Whole extends Defining {
        Whole(ClassLoader parent) {
            super(parent);
        }

        @Override
        public Class<?> loadClass(String name) throws ClassNotFoundException {
            sink++;
            return super.loadClass(name);
        }
    }

    static class WithLock extends Defining {
        WithLock(ClassLoader parent) {
            super(parent);
        }

        @Override
        protected Object getClassLoadingLock(String name) {
            sink++;
            return this;
        }
    }

    static class Defining extends ClassLoader {
        Defining(ClassLoader parent) {
            super(parent);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("Needed") && !name.equals("Needs")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : findClass(name);
            }
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.equals("NeededButMissing")) {
                throw new ClassNotFoundException(name);
            }
            try (InputStream in = getParent().getResourceAsStream(name + ".class")) {
                byte[] bytes = allBytes(in);
                return defineClass(name, bytes, 0, bytes.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    /** Hides what there is from its children, so that these find it themselves. */
    static class Finding extends ClassLoader {
        private final ClassLoader source;

        Finding(ClassLoader source) {
            super(ClassLoader.getSystemClassLoader().getParent());
            this.source = source;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.equals("Main") || name.equals("NeededButMissing")) {
                throw new ClassNotFoundException(name);
            }
            try (InputStream in = source.getResourceAsStream(name + ".class")) {
                byte[] bytes = allBytes(in);
                return defineClass(name, bytes, 0, bytes.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static byte[] allBytes(InputStream in) throws java.io.IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] part = new byte[1000];
        for (int count = in.read(part); count > 0; count = in.read(part)) {
            all.write(part, 0, count);
        }
        return all.toByteArray();
    }

    public static void main(String[] arguments) throws Exception {
        ClassLoader own = Main.class.getClassLoader();
        ClassLoader[] loaders = {new Defining(own), new Whole(own), new WithLock(own), new Finding(own)};
        for (ClassLoader loader : loaders) {
            Class<?> needs = Class.forName("Needs", true, loader);
            Constructor<?> constructor = needs.getDeclaredConstructor();
            constructor.setAccessible(true);
            ((Runnable) constructor.newInstance()).run();
        }
        System.out.println("done");
    }
}

class NeededByArray {}
class NeededByArrays {}
class NeededByCast {}
class NeededByTest {}
class NeededByConstant {}
class NeededByNew {}
class NeededByStaticRead { static int value = 3; }
class NeededByStaticWrite { static int value; }
class NeededByFinal { int field = 4; }
class NeededByRead { int field = 4; }
class NeededByWrite { int field; }
class NeededByCall { static int call() { return 5; } }
class NeededToVerify extends NeededAbove { static NeededAbove make() { return new NeededToVerify(); } }
class NeededAbove {}
class NeededToCatch extends RuntimeException {}
class NeededLate extends RuntimeException {}
class NeededByCastToo {}
class NeededByTestToo {}

class Needs implements Runnable {
    int sum;
    Object last;

    @Override
    public void run() {
        arrays();
        types(this);
        types(null);
        moreTypes(null);
        constants();
        statics();
        fields(maker(), writer());
        verified();
        sum += caught(0);
        sum += caught(1);
        missing();
    }

    void arrays() {
        last = new NeededByArray[2];
        int a = ((Object[]) last).length;
        last = new NeededByArrays[2][a];
        sum += own(a);
    }

    void types(Object object) {
        if (object instanceof NeededByTest) {
            sum++;
        }
        try {
            last = (NeededByCast) object;
        } catch (ClassCastException e) {
            sum += own(2);
        }
    }

    /** Nothing is read between the resolution and the call, which is sure to reach the own class. */
    private int moreTypes(Object object) {
        boolean is = object instanceof NeededByTestToo;
        int a = own(is ? 1 : 2);
        Object cast = (NeededByCastToo) object;
        return own(a);
    }

    void constants() {
        last = NeededByConstant.class;
        last = new NeededByNew();
        last = NeededByConstant.class.getName() + own(3);
    }

    void statics() {
        sum += NeededByStaticRead.value;
        NeededByStaticWrite.value = own(4);
        sum += NeededByCall.call();
    }

    static Object maker() {
        return new NeededByRead();
    }

    static Object writer() {
        return new NeededByWrite();
    }

    void fields(Object read, Object write) {
        sum += ((NeededByRead) read).field;
        ((NeededByWrite) write).field = own(6);
        sum += new NeededByFinal().field;
    }

    void verified() {
        last = NeededToVerify.make();
    }

    static int caught(int n) {
        try {
            try {
                return 1 / n;
            } catch (NeededToCatch e) {
                return 2;
            }
        } catch (NeededLate e) {
            return 3;
        } catch (ArithmeticException e) {
            return own(4);
        }
    }

    static void missing() {
        try {
            Object missing = new NeededButMissing[1];
        } catch (NoClassDefFoundError e) {
            own(1);
        }
        try {
            NeededButMissing.value = own(1);
        } catch (NoClassDefFoundError e) {
            own(2);
        }
        try {
            Object cast = (NeededButMissing) (Object) "x";
        } catch (NoClassDefFoundError e) {
            own(3);
        }
        try {
            Object text = "x";
            own(text instanceof NeededButMissing ? 1 : 2);
        } catch (NoClassDefFoundError e) {
            own(4);
        }
        try {
            Object named = NeededButMissing.class;
        } catch (NoClassDefFoundError e) {
            own(5);
        }
        try {
            Object made = new NeededButMissing();
        } catch (NoClassDefFoundError e) {
            own(6);
        }
    }

    private static int own(int n) {
        return n + 1;
    }
}

class NeededButMissing { static int value; }
