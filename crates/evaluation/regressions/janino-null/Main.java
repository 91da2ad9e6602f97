import org.codehaus.commons.compiler.CompileException;
import org.codehaus.janino.ExpressionEvaluator;

/** Tells who writes expressions what is wrong with them. */
public class Main {
    public static void main(String[] args) throws Exception {
        for (String expression : new String[] {"n + 1", "n +", "n + null"}) {
            ExpressionEvaluator evaluator = new ExpressionEvaluator();
            evaluator.setExpressionType(Object.class);
            evaluator.setParameters(new String[] {"n"}, new Class[] {int.class});
            try {
                evaluator.cook(expression);
                System.out.println(evaluator.evaluate(new Object[] {7}));
            } catch (CompileException mistake) {
                System.out.println(expression + ": a mistake");
            }
        }
    }
}
