/** Conditions that go one way only. */
class Main {
    public static void main(String[] args) {
        first(3);
        loop(new int[] {1, 2});
        chosen(2);
        oneLine(true);
        asserted(1);
        both(true, false);
        System.out.println("done");
    }

    static int first(int n) {
        if (n < 0) {
            return -1;
        }
        return n;
    }

    static int loop(int[] values) {
        for (int value : values) {
            if (value == 2) {
                return value;
            }
        }
        return 0;
    }

    static String chosen(int n) {
        switch (n) {
            case 1:
                return "one";
            case 2:
                return "two";
            default:
                return "many";
        }
    }

    static int oneLine(boolean yes) {
        return yes ? 1 : 2;
    }

    static int asserted(int n) {
        assert n > 0;
        return n;
    }

    static int both(boolean a, boolean b) {
        int n = 0;
        if (a && b) {
            n = 1;
        } else {
            n = 2;
        }
        return n;
    }
}
