import static org.junit.Assert.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.Test;

public class AvlTreeTest {
    private final AvlTree tree = new AvlTree();

    private void insert(int... keys) {
        for (int key : keys) {
            tree.insert(key);
        }
    }

    private List<Integer> keys() {
        List<Integer> keys = new ArrayList<>();
        tree.collect(keys);
        return keys;
    }

    @Test public void isEmptyAtFirst() {
        assertEquals(0, tree.height());
        assertEquals(".", tree.shape());
    }

    @Test public void holdsOneKey() {
        insert(5);
        assertEquals("(.5.)", tree.shape());
        assertEquals(1, tree.height());
    }

    @Test public void holdsAKeyOnce() {
        insert(5, 5);
        assertEquals("(.5.)", tree.shape());
    }

    @Test public void keepsKeysInOrder() {
        insert(2, 1, 3);
        assertEquals(Arrays.asList(1, 2, 3), keys());
    }

    @Test public void turnsLeft() {
        insert(1, 2, 3);
        assertEquals("((.1.)2(.3.))", tree.shape());
        assertEquals(2, tree.height());
    }

    @Test public void turnsRight() {
        insert(3, 2, 1);
        assertEquals("((.1.)2(.3.))", tree.shape());
        assertEquals(2, tree.height());
    }

    @Test public void turnsTwice() {
        insert(1, 3, 2);
        assertEquals("((.1.)2(.3.))", tree.shape());
    }

    @Test public void turnsTwiceTheOtherWay() {
        insert(3, 1, 2);
        assertEquals("((.1.)2(.3.))", tree.shape());
    }

    @Test public void staysLow() {
        for (int key = 1; key <= 15; key++) {
            insert(key);
        }
        assertEquals(4, tree.height());
        assertEquals(15, keys().size());
    }
}
