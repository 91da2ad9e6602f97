/**
 * Computes the square of a number in three ways and compares them: by multiplication, as the sum
 * of the first n odd numbers, and as the sum of two neighbouring triangular numbers.
 */
public class Main {
    public static void main(String[] args) {
        for (int n = 1; n <= 6; n++) {
            System.out.println(report(n));
        }
    }

    static String report(int n) {
        int product = n * n;
        int odds = sumOfOdds(n);
        int triangles = triangle(n) + triangle(n - 1);
        String verdict = agree(product, odds, triangles) ? "agree" : "differ";
        return n + ": " + product + " " + odds + " " + triangles + " " + verdict;
    }

    static boolean agree(int a, int b, int c) {
        return a == b && b == c;
    }

    /** 1 + 3 + 5 + …, {@code n} terms. */
    static int sumOfOdds(int n) {
        int sum = 0;
        for (int i = 1; i <= n; i++) {
            sum += oddNumber(i);
        }
        return sum;
    }

    /** The {@code i}-th odd number, counted from one. */
    static int oddNumber(int i) {
        return 2 * i - 1;
    }

    /** 1 + 2 + … + n. */
    static int triangle(int n) {
        if (n <= 0) {
            return 0;
        }
        return n + triangle(n - 1);
    }
}
