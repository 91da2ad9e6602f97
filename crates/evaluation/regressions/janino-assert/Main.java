import org.codehaus.janino.ScriptEvaluator;

/** Runs small scripts. */
public class Main {
    public static void main(String[] args) throws Exception {
        System.out.println(run("int twice = 2 * n; return twice;"));
        System.out.println(run("assert n == 7; return n;"));
    }

    private static Object run(String script) throws Exception {
        ScriptEvaluator evaluator = new ScriptEvaluator();
        evaluator.setReturnType(Object.class);
        evaluator.setParameters(new String[] {"n"}, new Class[] {int.class});
        evaluator.cook(script);
        return evaluator.evaluate(new Object[] {7});
    }
}
