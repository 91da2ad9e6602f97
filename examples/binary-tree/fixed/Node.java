/** A node of a binary search tree: all keys on the left are smaller, all on the right larger. */
class Node {
    String key;
    Node left;
    Node right;

    Node(String key) {
        this.key = key;
    }
}
