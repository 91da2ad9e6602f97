import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class SearchTreeTest {
    private final SearchTree tree = new SearchTree();

    private void add(String... keys) {
        for (String key : keys) {
            tree.add(key);
        }
    }

    private void check(int size, String... keys) {
        assertEquals(size, tree.size());
        for (String key : keys) {
            assertTrue(key, tree.contains(key));
        }
    }

    @Test public void isEmptyAtFirst() {
        check(0);
        assertFalse(tree.contains("fig"));
    }

    @Test public void holdsOneKey() {
        add("fig");
        check(1, "fig");
    }

    @Test public void holdsAKeyOnce() {
        add("fig", "fig");
        check(1, "fig");
    }

    @Test public void holdsManyKeys() {
        add("fig", "date", "lime", "apple", "pear");
        check(5, "apple", "date", "fig", "lime", "pear");
        assertFalse(tree.contains("plum"));
    }

    @Test public void doesNotDependOnTheOrder() {
        add("fig", "date", "lime", "apple", "pear");
        SearchTree other = new SearchTree();
        for (String key : new String[] {"apple", "date", "fig", "lime", "pear"}) {
            other.add(key);
        }
        assertEquals(other.inOrder(), tree.inOrder());
    }

    @Test public void losesALeaf() {
        add("fig", "date", "lime");
        tree.remove("date");
        check(2, "fig", "lime");
        assertFalse(tree.contains("date"));
    }

    @Test public void losesANodeWithOneChild() {
        add("fig", "date", "apple", "lime");
        tree.remove("date");
        check(3, "fig", "apple", "lime");
        assertFalse(tree.contains("date"));
    }

    @Test public void losesTheRoot() {
        add("fig", "date", "lime", "kiwi", "pear");
        tree.remove("fig");
        check(4, "date", "lime", "kiwi", "pear");
        assertFalse(tree.contains("fig"));
    }

    @Test public void losesNothingElse() {
        add("fig", "date");
        tree.remove("plum");
        check(2, "fig", "date");
    }
}
