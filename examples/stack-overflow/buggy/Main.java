/** Looks numbers up in a table of squares. */
public class Main {
    public static void main(String[] args) {
        Search squares = new Search(squares(20));
        int[] wanted = {25, 64, 50, 256, 361, 10, 81};
        for (int number : wanted) {
            System.out.println(number + " at " + squares.find(number));
        }
    }

    static int[] squares(int count) {
        int[] squares = new int[count];
        for (int i = 0; i < count; i++) {
            squares[i] = square(i);
        }
        return squares;
    }

    static int square(int number) {
        return number * number;
    }
}
