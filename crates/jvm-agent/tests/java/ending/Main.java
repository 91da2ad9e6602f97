import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Busy for as long as it is told, in calls that return, throw, and write to the heap. */
class Main {
    static long sum;

    static int work(int depth, int[] array) {
        if (depth == 0) {
            throw new IllegalStateException("bottom");
        }
        array[depth % array.length] += depth;
        sum += array[0];
        try {
            return work(depth - 1, array) + 1;
        } catch (IllegalStateException e) {
            if (depth % 3 == 0) {
                return depth;
            }
            throw e;
        }
    }

    static void round(int n) {
        work(20, new int[7]);
        List<String> list = new ArrayList<>();
        list.add("round " + n);
    }

    static void endless() {
        for (int n = 0; ; n++) {
            round(n);
        }
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        switch (arguments[0]) {
            case "endless":
                Thread other = new Thread(Main::endless, "other");
                other.start();
                endless();
                break;
            case "rounds":
                Thread thread = new Thread(() -> rounds(arguments[1]), "other");
                thread.start();
                rounds(arguments[1]);
                thread.join();
                System.out.println("rounds " + arguments[1]);
                break;
            case "parent":
                String java = System.getProperty("java.home") + "/bin/java";
                ProcessBuilder child = new ProcessBuilder(java, "-cp",
                        System.getProperty("java.class.path"), "Main", "rounds", "3");
                System.out.println("child " + child.inheritIO().start().waitFor());
                break;
            default:
                throw new IllegalArgumentException(arguments[0]);
        }
    }

    static void rounds(String count) {
        for (int n = 0; n < Integer.parseInt(count); n++) {
            round(n);
        }
    }
}
