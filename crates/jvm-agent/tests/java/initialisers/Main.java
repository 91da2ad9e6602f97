/** Class initialisers run inside whatever instruction comes first, and may throw. */
class Main {
    static class Failing {
        static int value = fail();

        static int fail() {
            Log.enter();
            throw Log.throwing(new UnsupportedOperationException("no value"));
        }
    }

    static class Lazy {
        static int count;

        static {
            Log.here();
            count = Nested.of(3);
            Log.here();
        }
    }

    static class Nested {
        static final int FACTOR = new java.util.Random(1).nextInt(1) + 2;
        static final Nested ONE = new Nested(1);
        final int number;

        Nested(int number) {
            Log.enter(number);
            this.number = number;
        }

        static int of(int n) {
            Log.enter(n);
            return Log.returns(n * FACTOR + ONE.number);
        }
    }

    interface Constants {
        Object OBJECT = Main.make("constant");
    }

    static Object make(String name) {
        Log.enter(name);
        return Log.returns(new StringBuilder(name));
    }

    enum Planet {
        EARTH(1) {
            @Override
            int weight() {
                Log.enter();
                return Log.returns(6);
            }
        },
        MARS(2);

        final int number;

        Planet(int number) {
            this.number = number;
        }

        int weight() {
            Log.enter();
            return Log.returns(number);
        }
    }

    public static void main(String[] arguments) {
        try {
            System.out.println(Failing.value);
        } catch (ExceptionInInitializerError e) {
            Log.here();
        }
        try {
            new Failing();
        } catch (NoClassDefFoundError e) {
            Log.here();
        }
        Lazy.count++;
        Log.here();
        Log.enter(new Object[] {arguments});
        Constants.OBJECT.hashCode();
        for (Planet planet : Planet.values()) {
            planet.weight();
        }
        switch (Planet.valueOf("MARS")) {
            case EARTH:
                break;
            case MARS:
                Log.here();
                break;
        }
        Log.here();
    }
}
