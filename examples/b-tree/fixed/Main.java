/** Inserts the multiples of seven modulo 31 into a B-tree and looks every one of them up again. */
public class Main {
    public static void main(String[] args) {
        BTree tree = new BTree();
        for (int i = 1; i <= 30; i++) {
            tree.insert(i * 7 % 31);
        }
        System.out.println("depth " + tree.depth());
        System.out.println("keys " + tree.keys());
        System.out.println("missing " + missing(tree, 30));
    }

    static int missing(BTree tree, int largest) {
        int count = 0;
        for (int key = 1; key <= largest; key++) {
            if (!tree.contains(key)) {
                count++;
            }
        }
        return count;
    }
}
