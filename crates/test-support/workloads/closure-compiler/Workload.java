import com.google.javascript.jscomp.CompilationLevel;
import com.google.javascript.jscomp.Compiler;
import com.google.javascript.jscomp.CompilerOptions;
import com.google.javascript.jscomp.Result;
import com.google.javascript.jscomp.SourceFile;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Collections;
import java.util.logging.Level;

/** Compiles JavaScript to smaller JavaScript. */
public class Workload {
    public static void main(String[] args) {
        int scale = Integer.parseInt(args[0]);
        Compiler.setLoggingLevel(Level.OFF);
        String script = script(12);
        long checksum = 0;
        for (int round = 0; round < scale; round++) {
            CompilationLevel level = round % 2 == 0
                ? CompilationLevel.SIMPLE_OPTIMIZATIONS
                : CompilationLevel.ADVANCED_OPTIMIZATIONS;
            checksum = checksum * 31 + compile(script, level).hashCode();
        }
        System.out.println("checksum " + checksum);
        System.out.println("expected: " + compile("var x = ;", CompilationLevel.WHITESPACE_ONLY));
        try {
            SourceFile.fromFile("nothing.js").getCode();
        } catch (IOException e) {
            System.out.println("expected: " + e.getMessage());
        }
    }

    /** The compiled text, or the first error. */
    static String compile(String script, CompilationLevel level) {
        Compiler compiler = new Compiler(new PrintStream(OutputStream.nullOutputStream()));
        compiler.disableThreads();
        CompilerOptions options = new CompilerOptions();
        level.setOptionsForCompilationLevel(options);
        SourceFile externs = SourceFile.fromCode("externs.js", "var console; function alert(x) {}");
        SourceFile input = SourceFile.fromCode("input.js", script);
        Result result = compiler.compile(
            Collections.singletonList(externs), Collections.singletonList(input), options);
        return result.success ? compiler.toSource() : compiler.getErrors()[0].description;
    }

    static String script(int modules) {
        StringBuilder script = new StringBuilder();
        for (int i = 0; i < modules; i++) {
            script.append("/** @constructor */ function Shape").append(i).append("(w, h) {")
                .append(" this.width = w; this.height = h; }\n")
                .append("Shape").append(i).append(".prototype.area = function () {")
                .append(" var unused = 1 + 2; return this.width * this.height; };\n")
                .append("function total").append(i).append("(list) { var sum = 0;")
                .append(" for (var k = 0; k < list.length; k++) {")
                .append(" if (false) { alert('never'); } sum += list[k].area(); }")
                .append(" switch (sum % 3) { case 0: return sum; case 1: sum = sum * 60 * 60; break;")
                .append(" default: try { alert(sum); } catch (e) { return -1; } }")
                .append(" return sum > 10 ? sum : 10; }\n")
                .append("alert(total").append(i).append("([new Shape").append(i)
                .append("(2, 3), new Shape").append(i).append("(").append(i).append(", 4)]));\n");
        }
        return script.toString();
    }
}
