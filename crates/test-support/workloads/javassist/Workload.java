import java.util.function.IntUnaryOperator;
import javassist.CannotCompileException;
import javassist.ClassPool;
import javassist.CtClass;
import javassist.CtField;
import javassist.CtMethod;
import javassist.CtNewConstructor;
import javassist.CtNewMethod;
import javassist.Loader;
import javassist.bytecode.Descriptor;
import javassist.bytecode.analysis.Analyzer;
import javassist.bytecode.analysis.Frame;

/** Makes classes from source text, weaves code into them, analyses, loads and calls them. */
public class Workload {
    public static void main(String[] args) throws Exception {
        int scale = Integer.parseInt(args[0]);
        long checksum = 0;
        for (int round = 0; round < scale; round++) {
            ClassPool pool = new ClassPool(true);
            Loader loader = new Loader(Workload.class.getClassLoader(), pool);
            loader.delegateLoadingOf("java.");
            for (int i = 0; i < 6; i++) {
                CtClass made = make(pool, "made.Steps" + i, i);
                checksum = checksum * 31 + analyse(made);
                checksum = checksum * 31 + made.toBytecode().length;
                IntUnaryOperator steps = (IntUnaryOperator)
                    loader.loadClass(made.getName()).getDeclaredConstructor().newInstance();
                checksum = checksum * 31 + steps.applyAsInt(27 + i);
            }
        }
        System.out.println("checksum " + checksum);
        try {
            CtNewMethod.make("int broken() { return nothing; }", ClassPool.getDefault().makeClass("Bad"));
        } catch (CannotCompileException e) {
            System.out.println("expected: " + e.getMessage());
        }
    }

    static CtClass make(ClassPool pool, String name, int number) throws Exception {
        CtClass made = pool.makeClass(name);
        made.addInterface(pool.get("java.util.function.IntUnaryOperator"));
        made.addField(CtField.make("private int calls = " + number + ";", made));
        made.addConstructor(CtNewConstructor.defaultConstructor(made));
        made.addMethod(CtNewMethod.make(
            "private int next(int n) { return n % 2 == 0 ? n / 2 : 3 * n + 1; }", made));
        CtMethod apply = CtNewMethod.make(
            "public int applyAsInt(int n) {"
                + " int steps = 0;"
                + " while (n != 1) { n = next(n); steps++; }"
                + " String text = \"steps \" + steps;"
                + " return steps + text.length() + calls; }", made);
        made.addMethod(apply);
        apply.insertBefore("{ calls++; if ($1 <= 0) throw new IllegalArgumentException(\"n\"); }");
        apply.insertAfter("$_ = $_ * 2;");
        apply.addCatch("{ return -1; }", pool.get("java.lang.IllegalArgumentException"));
        return made;
    }

    /** Runs the type analysis over every method and counts the instructions that can be reached. */
    static int analyse(CtClass made) throws Exception {
        int reached = 0;
        for (CtMethod method : made.getDeclaredMethods()) {
            for (Frame frame : new Analyzer().analyze(made, method.getMethodInfo())) {
                reached += frame == null ? 0 : 1;
            }
            reached += Descriptor.numOfParameters(method.getSignature());
        }
        return reached;
    }
}
