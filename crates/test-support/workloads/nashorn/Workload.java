import javax.script.ScriptEngine;
import javax.script.ScriptException;
import org.openjdk.nashorn.api.scripting.NashornScriptEngineFactory;

/** Compiles JavaScript to classes and runs them. */
public class Workload {
    private static final String SCRIPT = String.join("\n",
        "function Matrix(rows) { this.rows = rows; }",
        "Matrix.prototype.times = function (other) {",
        "  return new Matrix(this.rows.map(function (row) {",
        "    return other.rows[0].map(function (ignored, c) {",
        "      return row.reduce(function (sum, value, i) { return sum + value * other.rows[i][c]; }, 0); }); })); };",
        "var power = new Matrix([[1, 1], [1, 0]]), fibonacci = power;",
        "for (var i = 0; i < 20 + seed % 5; i++) { fibonacci = fibonacci.times(power); }",
        "var counts = {};",
        "'the quick brown fox jumps over the lazy dog again and again'.split(/\\s+/).forEach(function (word) {",
        "  counts[word] = (counts[word] || 0) + 1; });",
        "var list = new java.util.ArrayList(); for each (var x in [3, 1, 2]) { list.add(x + seed); }",
        "java.util.Collections.sort(list, function (a, b) { return b - a; });",
        "var caught; try { null.x } catch (e) { caught = e instanceof TypeError }",
        "JSON.stringify([fibonacci.rows, counts, caught, (0.1 + 0.2).toFixed(3), 'a-b'.replace(/(\\w)-(\\w)/, '$2$1')]) + list;");

    public static void main(String[] args) throws ScriptException {
        int scale = Integer.parseInt(args[0]);
        long checksum = 0;
        ScriptEngine engine = new NashornScriptEngineFactory().getScriptEngine();
        for (int round = 0; round < scale; round++) {
            engine.put("seed", round);
            checksum = checksum * 31 + engine.eval(SCRIPT).toString().hashCode();
        }
        System.out.println("checksum " + checksum);
        try {
            engine.eval("nothing.here");
        } catch (ScriptException e) {
            System.out.println("expected: " + e.getMessage());
        }
    }
}
