import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class HashTableTest {
    private final HashTable table = new HashTable(7);

    @Test public void isEmptyAtFirst() {
        assertEquals(0, table.size());
        assertEquals(-1, table.get("pear"));
    }

    @Test public void givesBackWhatWasPut() {
        table.put("pear", 3);
        assertEquals(3, table.get("pear"));
        assertEquals(1, table.size());
    }

    @Test public void keepsTheLastValueOfAKey() {
        table.put("pear", 3);
        table.put("pear", 4);
        assertEquals(4, table.get("pear"));
        assertEquals(1, table.size());
    }

    @Test public void tellsKeysWithTheSameHomeApart() {
        table.put("a", 1);
        table.put("h", 2);
        table.put("o", 3);
        assertEquals(1, table.get("a"));
        assertEquals(2, table.get("h"));
        assertEquals(3, table.get("o"));
    }

    @Test public void forgetsWhatWasRemoved() {
        table.put("pear", 3);
        table.remove("pear");
        table.remove("plum");
        assertEquals(-1, table.get("pear"));
        assertEquals(0, table.size());
    }

    @Test public void findsWhatIsBehindARemovedKey() {
        table.put("a", 1);
        table.put("h", 2);
        table.remove("a");
        assertEquals(2, table.get("h"));
        table.put("o", 3);
        assertEquals(3, table.get("o"));
        assertEquals(2, table.size());
    }

    @Test public void canBeFull() {
        for (int i = 0; i < 7; i++) {
            table.put("key " + i, i);
        }
        for (int i = 0; i < 7; i++) {
            assertEquals(i, table.get("key " + i));
        }
        assertEquals(-1, table.get("pear"));
    }
}
