/** A set of words as a binary search tree without balancing. */
class SearchTree {
    private Node root;

    void add(String key) {
        root = add(root, key);
    }

    void remove(String key) {
        root = remove(root, key);
    }

    boolean contains(String key) {
        Node node = root;
        while (node != null && !node.key.equals(key)) {
            node = key.compareTo(node.key) < 0 ? node.left : node.right;
        }
        return node != null;
    }

    int size() {
        return size(root);
    }

    String inOrder() {
        return inOrder(root).trim();
    }

    private static Node add(Node node, String key) {
        if (node == null) {
            return new Node(key);
        }
        int order = key.compareTo(node.key);
        if (order < 0) {
            node.left = add(node.left, key);
        } else if (order > 0) {
            node.right = add(node.right, key);
        }
        return node;
    }

    /** Removes the key; a node with two children takes over the next larger key. */
    private static Node remove(Node node, String key) {
        if (node == null) {
            return null;
        }
        int order = key.compareTo(node.key);
        if (order < 0) {
            node.left = remove(node.left, key);
        } else if (order > 0) {
            node.right = remove(node.right, key);
        } else if (node.left == null) {
            return node.right;
        } else if (node.right == null) {
            return node.left;
        } else {
            node.key = smallest(node.right);
            node.right = removeSmallest(node.right);
        }
        return node;
    }

    private static String smallest(Node node) {
        return node.left == null ? node.key : smallest(node.left);
    }

    /** Takes the smallest key out of the tree under {@code node} and returns what is left. */
    private static Node removeSmallest(Node node) {
        if (node.left == null) {
            return node.right;
        }
        node.left = removeSmallest(node.left);
        return node;
    }

    private static int size(Node node) {
        return node == null ? 0 : 1 + size(node.left) + size(node.right);
    }

    private static String inOrder(Node node) {
        return node == null ? "" : inOrder(node.left) + " " + node.key + inOrder(node.right);
    }
}
