import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class BTreeTest {
    private final BTree tree = new BTree();

    private void insert(int... keys) {
        for (int key : keys) {
            tree.insert(key);
        }
    }

    private void checkContent(int count) {
        for (int key = 1; key <= count; key++) {
            assertTrue("key " + key, tree.contains(key));
        }
        assertFalse(tree.contains(0));
        assertFalse(tree.contains(count + 1));
    }

    @Test public void isEmptyAtFirst() {
        assertFalse(tree.contains(1));
    }

    @Test public void holdsOneKey() {
        insert(1);
        checkContent(1);
    }

    @Test public void keepsKeysInOrder() {
        insert(3, 1, 2);
        String ordered = tree.keys();
        checkContent(3);
        BTree other = new BTree();
        for (int key = 1; key <= 3; key++) {
            other.insert(key);
        }
        assertEquals(other.keys(), ordered);
    }

    @Test public void splitsTheRoot() {
        int depth = tree.depth();
        for (int key = 1; key <= 8; key++) {
            insert(key);
        }
        assertEquals(depth + 1, tree.depth());
        checkContent(8);
    }

    @Test public void growsDownwards() {
        for (int key = 20; key >= 1; key--) {
            insert(key);
        }
        checkContent(20);
    }

    @Test public void growsInTheMiddle() {
        insert(1, 16, 2, 15, 3, 14, 4, 13, 5, 12, 6, 11, 7, 10, 8, 9);
        checkContent(16);
        BTree other = new BTree();
        for (int key = 1; key <= 16; key++) {
            other.insert(key);
        }
        assertEquals(other.keys(), tree.keys());
    }
}
