/** Names to numbers, by linear probing: a key sits in the first free slot from its home slot on. */
class HashTable {
    /** Marks a slot whose key was removed, so that a search does not end there. */
    private static final String REMOVED = "<removed>";

    private final String[] keys;
    private final int[] values;
    private int size;

    HashTable(int capacity) {
        keys = new String[capacity];
        values = new int[capacity];
    }

    void put(String key, int value) {
        int slot = find(key);
        if (slot < 0) {
            slot = firstFree(key);
            keys[slot] = key;
            size++;
        }
        values[slot] = value;
    }

    /** The value of the key, or -1 if the table does not have it. */
    int get(String key) {
        int slot = find(key);
        return slot < 0 ? -1 : values[slot];
    }

    void remove(String key) {
        int slot = find(key);
        if (slot >= 0) {
            keys[slot] = REMOVED;
            values[slot] = 0;
            size--;
        }
    }

    int size() {
        return size;
    }

    /** The slot that holds the key, or -1. */
    private int find(String key) {
        int slot = home(key);
        for (int probes = 0; probes < keys.length && keys[slot] != null; probes++) {
            if (keys[slot].equals(key)) {
                return slot;
            }
            slot = next(slot);
        }
        return -1;
    }

    private int firstFree(String key) {
        int slot = home(key);
        while (keys[slot] != null && !keys[slot].equals(REMOVED)) {
            slot = next(slot);
        }
        return slot;
    }

    private int home(String key) {
        int hash = 0;
        for (int i = 0; i < key.length(); i++) {
            hash = hash * 5 + key.charAt(i);
        }
        return hash % keys.length;
    }

    private int next(int slot) {
        return (slot + 1) % keys.length;
    }
}
