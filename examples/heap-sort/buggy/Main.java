import java.util.Arrays;

/** Sorts a shuffled row of numbers with a binary heap. */
public class Main {
    public static void main(String[] args) {
        int[] values = shuffled(24);
        System.out.println("before " + Arrays.toString(values));
        HeapSort.sort(values);
        System.out.println("after  " + Arrays.toString(values));
        System.out.println("ascending: " + ascending(values));
    }

    /** The numbers from 1 to {@code count} in an order that looks random and never changes. */
    static int[] shuffled(int count) {
        int[] values = new int[count];
        for (int i = 0; i < count; i++) {
            values[i] = i + 1;
        }
        int seed = 17;
        for (int i = count - 1; i > 0; i--) {
            seed = (seed * 31 + 7) % 1009;
            int j = seed % (i + 1);
            HeapSort.swap(values, i, j);
        }
        return values;
    }

    static boolean ascending(int[] values) {
        for (int i = 1; i < values.length; i++) {
            if (values[i - 1] > values[i]) {
                return false;
            }
        }
        return true;
    }
}
