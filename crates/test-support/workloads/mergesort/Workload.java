/** Array loads and stores in tight loops: merge sort. */
public class Workload {
    public static void main(String[] args) {
        int scale = Integer.parseInt(args[0]);
        long checksum = 0;
        for (int round = 0; round < scale; round++) {
            int[] values = numbers(20_000, round);
            sort(values, new int[values.length], 0, values.length);
            for (int i = 0; i < values.length; i += 97) {
                checksum = checksum * 31 + values[i];
            }
        }
        System.out.println("checksum " + checksum);
        try {
            sort(new int[4], new int[2], 0, 4);
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println("expected: " + e.getMessage());
        }
    }

    static int[] numbers(int count, int seed) {
        int[] values = new int[count];
        int state = 12345 + seed;
        for (int i = 0; i < count; i++) {
            state = state * 1103515245 + 12345;
            values[i] = state >>> 8;
        }
        return values;
    }

    static void sort(int[] values, int[] spare, int from, int to) {
        if (to - from < 2) {
            return;
        }
        int middle = (from + to) >>> 1;
        sort(values, spare, from, middle);
        sort(values, spare, middle, to);
        merge(values, spare, from, middle, to);
    }

    static void merge(int[] values, int[] spare, int from, int middle, int to) {
        int left = from;
        int right = middle;
        for (int i = from; i < to; i++) {
            if (right >= to || left < middle && values[left] <= values[right]) {
                spare[i] = values[left++];
            } else {
                spare[i] = values[right++];
            }
        }
        for (int i = from; i < to; i++) {
            values[i] = spare[i];
        }
    }
}
