import java.util.Arrays;

/** Sorts a few numbers by merge sort: split in two, sort each half, merge the halves. */
public class Main {
    public static void main(String[] args) {
        int[] values = {4, 9, 1, 7};
        int[] sorted = sort(values);
        System.out.println(Arrays.toString(sorted));
    }

    /** Returns the same numbers in ascending order; {@code values} stays as it is. */
    static int[] sort(int[] values) {
        if (values.length < 2) {
            return values;
        }
        int middle = values.length / 2;
        int[] left = sort(slice(values, 0, middle));
        int[] right = sort(slice(values, middle, values.length));
        int[] merged = new int[values.length];
        merge(left, right, merged);
        return merged;
    }

    /** Copies the elements from index {@code from} (inclusive) to {@code to} (exclusive). */
    static int[] slice(int[] values, int from, int to) {
        int[] part = new int[to - from];
        for (int i = 0; i < part.length; i++) {
            part[i] = values[from + i];
        }
        return part;
    }

    /** Fills {@code c} with the elements of the ascending arrays {@code a} and {@code b}. */
    static void merge(int[] a, int[] b, int[] c) {
        int i = 0;
        int j = 0;
        int k = 0;
        while (i < a.length - 1 && j < b.length) {
            if (a[i] <= b[j]) {
                c[k++] = a[i++];
            } else {
                c[k++] = b[j++];
            }
        }
        while (i < a.length) {
            c[k++] = a[i++];
        }
        while (j < b.length) {
            c[k++] = b[j++];
        }
    }
}
