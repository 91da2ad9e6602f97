import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class HeapSortTest {
    private static void check(int[] values, int... sorted) {
        HeapSort.sort(values);
        assertArrayEquals(sorted, values);
    }

    @Test public void nothing() {
        check(new int[] {});
    }

    @Test public void one() {
        check(new int[] {4}, 4);
    }

    @Test public void two() {
        check(new int[] {4, 1}, 1, 4);
    }

    @Test public void three() {
        check(new int[] {2, 3, 1}, 1, 2, 3);
    }

    @Test public void many() {
        check(new int[] {5, 2, 9, 1, 7, 3, 8, 6, 4, 0}, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    }

    @Test public void sortedAlready() {
        check(new int[] {1, 2, 3, 4, 5, 6}, 1, 2, 3, 4, 5, 6);
    }

    @Test public void equalOnes() {
        check(new int[] {3, 1, 3, 1, 3}, 1, 1, 3, 3, 3);
    }

    @Test public void theLargerChild() {
        assertEquals(2, HeapSort.largerChild(new int[] {1, 2, 3}, 0, 3));
        assertEquals(1, HeapSort.largerChild(new int[] {1, 2, 3}, 0, 2));
    }
}
