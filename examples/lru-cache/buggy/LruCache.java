import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Keeps the entries that were used last; a ring of entries has them in the order of their use. */
class LruCache {
    private static final class Entry {
        final String key;
        String value;
        Entry previous;
        Entry next;

        Entry(String key, String value) {
            this.key = key;
            this.value = value;
        }
    }

    private final int capacity;
    private final Map<String, Entry> entries = new HashMap<>();
    /** The entry after it was used last, the one before it longest ago. */
    private final Entry ring = new Entry(null, null);

    LruCache(int capacity) {
        this.capacity = capacity;
        ring.previous = ring;
        ring.next = ring;
    }

    String get(String key) {
        Entry entry = entries.get(key);
        if (entry == null) {
            return null;
        }
        unlink(entry);
        linkFirst(entry);
        return entry.value;
    }

    void put(String key, String value) {
        if (entries.size() == capacity) {
            evict();
        }
        Entry entry = new Entry(key, value);
        entries.put(key, entry);
        linkFirst(entry);
    }

    /** The keys, those used last first. */
    List<String> keys() {
        List<String> keys = new ArrayList<>();
        for (Entry entry = ring.next; entry != ring; entry = entry.next) {
            keys.add(entry.key);
        }
        return keys;
    }

    private void evict() {
        Entry oldest = ring.previous;
        unlink(oldest);
        entries.remove(oldest.key);
    }

    private void linkFirst(Entry entry) {
        entry.next = ring.next;
        entry.previous = ring;
        ring.next.previous = entry;
        ring.next = entry;
    }

    private static void unlink(Entry entry) {
        entry.previous.next = entry.next;
        entry.next.previous = entry;
    }
}
