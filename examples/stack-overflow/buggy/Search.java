/** Recursive binary search in an ascending table. */
class Search {
    private final int[] table;

    Search(int[] table) {
        this.table = table;
    }

    /** The index of the number in the table, or -1. */
    int find(int number) {
        return find(number, 0, table.length);
    }

    /** Searches from index {@code low} (inclusive) to {@code high} (exclusive). */
    private int find(int number, int low, int high) {
        if (low >= high) {
            return -1;
        }
        int middle = middle(low, high);
        if (number < table[middle]) {
            return find(number, low, middle);
        }
        if (number > table[middle]) {
            return find(number, middle + 1, high);
        }
        return middle;
    }

    /** The index in the middle of a range, rounded down so that it is always inside. */
    private static int middle(int low, int high) {
        return (low + high + 1) / 2;
    }
}
