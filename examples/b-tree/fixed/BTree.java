/** A B-tree of minimum degree three: every node but the root has two to five keys. */
class BTree {
    private static final int DEGREE = 3;
    private static final int MAX_KEYS = 2 * DEGREE - 1;

    private static class Node {
        final int[] keys = new int[MAX_KEYS];
        final Node[] children = new Node[MAX_KEYS + 1];
        final boolean leaf;
        int size;

        Node(boolean leaf) {
            this.leaf = leaf;
        }
    }

    private Node root = new Node(true);

    void insert(int key) {
        if (root.size == MAX_KEYS) {
            Node top = new Node(false);
            top.children[0] = root;
            root = top;
            splitChild(top, 0);
        }
        insertNonFull(root, key);
    }

    boolean contains(int key) {
        return contains(root, key);
    }

    int depth() {
        int depth = 1;
        for (Node node = root; !node.leaf; node = node.children[0]) {
            depth++;
        }
        return depth;
    }

    String keys() {
        StringBuilder text = new StringBuilder();
        append(root, text);
        return text.toString().trim();
    }

    private static void insertNonFull(Node node, int key) {
        int position = position(node, key);
        if (node.leaf) {
            for (int i = node.size; i > position; i--) {
                node.keys[i] = node.keys[i - 1];
            }
            node.keys[position] = key;
            node.size++;
            return;
        }
        if (node.children[position].size == MAX_KEYS) {
            splitChild(node, position);
            if (key > node.keys[position]) {
                position++;
            }
        }
        insertNonFull(node.children[position], key);
    }

    /** Splits the full child at {@code index} in two; its middle key moves up into the parent. */
    private static void splitChild(Node parent, int index) {
        Node left = parent.children[index];
        Node right = new Node(left.leaf);
        for (int i = 0; i < DEGREE - 1; i++) {
            right.keys[i] = left.keys[i + DEGREE];
        }
        if (!left.leaf) {
            for (int i = 0; i < DEGREE; i++) {
                right.children[i] = left.children[i + DEGREE];
            }
        }
        right.size = DEGREE - 1;
        left.size = DEGREE - 1;
        for (int i = parent.size; i > index; i--) {
            parent.keys[i] = parent.keys[i - 1];
            parent.children[i + 1] = parent.children[i];
        }
        parent.keys[index] = left.keys[DEGREE - 1];
        parent.children[index + 1] = right;
        parent.size++;
    }

    private static boolean contains(Node node, int key) {
        int position = position(node, key);
        if (position < node.size && node.keys[position] == key) {
            return true;
        }
        return !node.leaf && contains(node.children[position], key);
    }

    /** The index of the first key that is not smaller than {@code key}. */
    private static int position(Node node, int key) {
        int position = 0;
        while (position < node.size && node.keys[position] < key) {
            position++;
        }
        return position;
    }

    private static void append(Node node, StringBuilder text) {
        for (int i = 0; i < node.size; i++) {
            if (!node.leaf) {
                append(node.children[i], text);
            }
            text.append(' ').append(node.keys[i]);
        }
        if (!node.leaf) {
            append(node.children[node.size], text);
        }
    }
}
