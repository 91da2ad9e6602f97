import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** Tells which expressions can be parsed. */
public class Main {
    public static void main(String[] args) {
        SpelExpressionParser parser = new SpelExpressionParser();
        for (String text : new String[] {"1 + 2 * 3", "1 +", ")"}) {
            try {
                System.out.println(parser.parseExpression(text).getValue());
            } catch (ParseException e) {
                System.out.println("no expression: " + text);
            }
        }
    }
}
