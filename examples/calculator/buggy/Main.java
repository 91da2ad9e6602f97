/** Evaluates arithmetic expressions with a recursive-descent parser. */
public class Main {
    public static void main(String[] args) {
        String[] expressions = {
            "1 + 2 * 3",
            "(1 + 2) * 3",
            "10 - 4 - 3",
            "-2 * (3 - 5)",
            "7.5 / 2.5",
            "2 * 3.14 + 1",
            "100 / (2 + 3) * 0.25",
        };
        for (String expression : expressions) {
            System.out.println(expression + " = " + evaluate(expression));
        }
        try {
            System.out.println(evaluate("4 * (5 + )"));
        } catch (IllegalArgumentException e) {
            System.out.println("error: " + e.getMessage());
        }
    }

    static double evaluate(String expression) {
        Parser parser = new Parser(expression);
        double value = parser.sum();
        parser.expectEnd();
        return value;
    }
}
