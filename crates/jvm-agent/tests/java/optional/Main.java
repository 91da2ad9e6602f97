/** Makes use of `Absent` only where it is asked to, and must run without that class. */
public class Main {
    public static void main(String[] args) {
        boolean wanted = args.length > 0;
        System.out.println(sharedLocal(wanted));
        System.out.println(setParameter(wanted, new Present()));
        System.out.println(afterLoop(wanted, 3));
        System.out.println(stored(wanted)[0]);
        System.out.println(copied(wanted)[0]);
        System.out.println(appended(wanted));
        System.out.println(caught(wanted));
        System.out.println(new Main(wanted).name);
    }

    private final String name;

    Main(boolean wanted) {
        if (wanted) {
            Absent absent = Absent.make();
            name = absent.name();
            return;
        }
        Present present = new Present();
        name = present.name();
    }

    /** One local, whose two contents never come together. */
    static String sharedLocal(boolean wanted) {
        if (wanted) {
            Absent absent = Absent.make();
            return absent.name();
        }
        Present present = new Present();
        return present.name();
    }

    static String setParameter(boolean wanted, Present given) {
        if (wanted) {
            given = Absent.make();
            return String.valueOf(given);
        }
        return given.name();
    }

    static String afterLoop(boolean wanted, int times) {
        long sum = 0;
        for (int i = 0; i < times; i++) {
            Present present = new Present();
            sum += present.name().length();
        }
        if (wanted) {
            Absent absent = Absent.make();
            return absent.name() + sum;
        }
        return "sum " + sum;
    }

    static Object[] stored(boolean wanted) {
        Object[] kept = new Object[1];
        if (wanted) {
            kept[0] = Absent.make();
        } else {
            kept[0] = new Present();
        }
        return kept;
    }

    static Object[] copied(boolean wanted) {
        Object[] kept = new Object[1];
        if (wanted) {
            System.arraycopy(Absent.all(), 0, kept, 0, 1);
        } else {
            System.arraycopy(Present.all(), 0, kept, 0, 1);
        }
        return kept;
    }

    static String appended(boolean wanted) {
        StringBuilder text = new StringBuilder("with ");
        if (wanted) {
            text.append(Absent.make());
        } else {
            text.append(new Present());
        }
        return text.toString();
    }

    static String caught(boolean wanted) {
        try {
            if (wanted) {
                Absent absent = Absent.make();
                return absent.name();
            }
            throw new IllegalStateException("not there");
        } catch (IllegalStateException e) {
            Present present = new Present();
            return e.getMessage() + ", but " + present.name();
        }
    }
}
