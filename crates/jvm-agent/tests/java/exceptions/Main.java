/** Exceptions on all ways out: through constructors, handlers, finally blocks and locks. */
class Main {
    static class Base {
        Base(int fail) {
            Log.enter(fail);
            if (fail == 1) {
                throw Log.throwing(new IllegalStateException("in super"));
            }
        }
    }

    static class Derived extends Base {
        final int value;

        Derived(int fail) {
            super(before(fail));
            Log.enter(fail);
            value = fail;
            if (fail == 2) {
                throw Log.throwing(new IllegalStateException("after super"));
            }
            Log.here();
        }

        Derived(String text) {
            this(Integer.parseInt(text));
            Log.enter(text);
        }

        static int before(int fail) {
            Log.enter(fail);
            if (fail == 3) {
                throw Log.throwing(new IllegalStateException("before super"));
            }
            return Log.returns(fail);
        }
    }

    static void construct(int fail) {
        Log.enter(fail);
        try {
            Derived derived = new Derived(fail);
            Log.here();
        } catch (IllegalStateException e) {
            Log.here();
        }
        try {
            new Derived(String.valueOf(fail));
        } catch (RuntimeException e) {
            Log.here();
        }
        Log.here();
    }

    static int finals(int way) {
        Log.enter(way);
        int n = 0;
        for (int i = 0; i < 3; i++) {
            try {
                try {
                    n += thrower(way + i);
                    if (way + i == 4) {
                        continue;
                    }
                } catch (ArithmeticException e) {
                    Log.here();
                    throw new IllegalArgumentException("again", e);
                } finally {
                    Log.here();
                    n++;
                }
            } catch (IllegalArgumentException e) {
                n += 10;
                try {
                    thrower(1);
                } catch (RuntimeException inner) {
                    Log.here();
                }
            } finally {
                n += 100;
                if (way == 7) {
                    return Log.returns(n);
                }
            }
        }
        return Log.returns(n);
    }

    static int thrower(int way) {
        Log.enter(way);
        if (way == 1) {
            return 1 / (way - 1);
        } else if (way == 2) {
            throw Log.throwing(new NullPointerException("thrown"));
        } else if (way == 3) {
            throw Log.throwing(new IllegalArgumentException("thrown"));
        }
        return Log.returns(way);
    }

    synchronized int locked(int way) {
        Log.enter(way);
        synchronized (Main.class) {
            return Log.returns(thrower(way));
        }
    }

    static synchronized void lockedStatic(Object[] array, int index) {
        Log.enter(array, index);
        array[index] = "stored";
        Log.here();
    }

    static Object deep(int depth) {
        Log.enter(depth);
        if (depth == 0) {
            return ((Object[]) new Integer[1])[0] = "no integer";
        }
        return deep(depth - 1);
    }

    public static void main(String[] arguments) {
        for (int fail = 0; fail <= 4; fail++) {
            construct(fail);
        }
        for (int way = 0; way <= 8; way++) {
            try {
                finals(way);
            } catch (RuntimeException e) {
                Log.here();
            }
            try {
                new Main().locked(way);
            } catch (RuntimeException e) {
                Log.here();
            }
        }
        for (Object[] array : new Object[][] {new Object[1], new Object[0], new Integer[1], null}) {
            try {
                lockedStatic(array, 0);
            } catch (RuntimeException e) {
                Log.here();
            }
        }
        try {
            deep(20);
        } catch (ArrayStoreException e) {
            Log.here();
        }
        Log.here();
    }
}
