import java.util.ArrayList;
import java.util.List;

/** Inserts ascending, descending and mixed keys into AVL trees and shows what they look like. */
public class Main {
    public static void main(String[] args) {
        System.out.println(describe(build(10, 20, 30, 40, 50, 60, 70)));
        System.out.println(describe(build(9, 8, 7, 6, 5)));
        System.out.println(describe(build(5, 2, 8, 3, 1, 9, 7, 4, 6)));
    }

    static AvlTree build(int... keys) {
        AvlTree tree = new AvlTree();
        for (int key : keys) {
            tree.insert(key);
        }
        return tree;
    }

    static String describe(AvlTree tree) {
        List<Integer> keys = new ArrayList<>();
        tree.collect(keys);
        return "height " + tree.height() + ", keys " + keys + ", shape " + tree.shape();
    }
}
