/** Lets a glider fly over a small torus, as in Conway's game of life. */
public class Main {
    private static final String[] GLIDER = {
        ".#......",
        "..#.....",
        "###.....",
        "........",
        "........",
        "........",
        "........",
        "........",
    };

    public static void main(String[] args) {
        Grid grid = new Grid(GLIDER);
        for (int generation = 0; generation < 8; generation++) {
            grid = grid.next();
        }
        System.out.print(grid.text());
        System.out.println("alive " + grid.population());
    }
}
