import java.util.List;

/** A search tree in which the heights of two siblings never differ by more than one. */
class AvlTree {
    static class Node {
        final int key;
        int height = 1;
        Node left;
        Node right;

        Node(int key) {
            this.key = key;
        }
    }

    private Node root;

    void insert(int key) {
        root = insert(root, key);
    }

    int height() {
        return height(root);
    }

    void collect(List<Integer> keys) {
        collect(root, keys);
    }

    String shape() {
        return shape(root);
    }

    private Node insert(Node node, int key) {
        if (node == null) {
            return new Node(key);
        }
        if (key < node.key) {
            node.left = insert(node.left, key);
        } else if (key > node.key) {
            node.right = insert(node.right, key);
        }
        updateHeight(node);
        return rebalance(node);
    }

    private Node rebalance(Node node) {
        int balance = balance(node);
        if (balance > 1) {
            if (balance(node.left) < 0) {
                node.left = rotateLeft(node.left);
            }
            return rotateRight(node);
        }
        if (balance < -1) {
            if (balance(node.right) > 0) {
                node.right = rotateRight(node.right);
            }
            return rotateLeft(node);
        }
        return node;
    }

    private Node rotateLeft(Node node) {
        Node top = node.right;
        node.right = top.left;
        top.left = node;
        updateHeight(node);
        updateHeight(top);
        return top;
    }

    private Node rotateRight(Node node) {
        Node top = node.left;
        node.left = top.right;
        top.right = node;
        updateHeight(node);
        updateHeight(top);
        return top;
    }

    /** The height of the left subtree minus that of the right one. */
    private static int balance(Node node) {
        return height(node.left) - height(node.right);
    }

    private static void updateHeight(Node node) {
        int left = height(node.left);
        int right = height(node.right);
        node.height = 1 + Math.max(left, left);
    }

    private static int height(Node node) {
        return node == null ? 0 : node.height;
    }

    private static void collect(Node node, List<Integer> keys) {
        if (node != null) {
            collect(node.left, keys);
            keys.add(node.key);
            collect(node.right, keys);
        }
    }

    private static String shape(Node node) {
        if (node == null) {
            return ".";
        }
        return "(" + shape(node.left) + node.key + shape(node.right) + ")";
    }
}
