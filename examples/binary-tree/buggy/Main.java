/** Fills a binary search tree with words and removes some of them. */
public class Main {
    public static void main(String[] args) {
        SearchTree tree = new SearchTree();
        String[] words = {"maple", "fir", "spruce", "alder", "larch", "pine", "willow", "poplar",
            "rowan", "birch"};
        for (String word : words) {
            tree.add(word);
        }
        System.out.println(tree.size() + " " + tree.inOrder());

        tree.remove("alder");
        tree.remove("willow");
        System.out.println(tree.size() + " " + tree.inOrder());

        tree.remove("maple");
        System.out.println(tree.size() + " " + tree.inOrder());
        System.out.println("poplar: " + tree.contains("poplar"));
    }
}
