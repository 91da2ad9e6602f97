/** Heap sort in place: a heap with the largest value on top gives up value by value. */
final class HeapSort {
    private HeapSort() {
    }

    static void sort(int[] values) {
        for (int i = values.length / 2 - 1; i >= 0; i--) {
            siftDown(values, i, values.length);
        }
        for (int size = values.length - 1; size > 0; size--) {
            swap(values, 0, size);
            siftDown(values, 0, size);
        }
    }

    /** Lets the value at {@code start} sink until no child of it is larger. */
    static void siftDown(int[] heap, int start, int size) {
        int parent = start;
        while (2 * parent + 1 < size) {
            int child = largerChild(heap, parent, size);
            if (heap[parent] >= heap[child]) {
                return;
            }
            swap(heap, parent, child);
            parent = child;
        }
    }

    /** The index of the larger child; the heap is made of the first {@code size} elements. */
    static int largerChild(int[] heap, int parent, int size) {
        int left = 2 * parent + 1;
        int right = left + 1;
        if (right < size && heap[right] > heap[parent]) {
            return right;
        }
        return left;
    }

    static void swap(int[] values, int i, int j) {
        int saved = values[i];
        values[i] = values[j];
        values[j] = saved;
    }
}
