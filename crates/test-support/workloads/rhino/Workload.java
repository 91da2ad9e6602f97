import org.mozilla.javascript.Context;
import org.mozilla.javascript.EcmaError;
import org.mozilla.javascript.Scriptable;

/** Parses and interprets a JavaScript program. */
public class Workload {
    private static final String SCRIPT = String.join("\n",
        "function Queue() { this.items = []; }",
        "Queue.prototype.push = function (x) { this.items.push(x); return this; };",
        "Queue.prototype.sum = function () {",
        "  return this.items.reduce(function (a, b) { return a + b; }, 0);",
        "};",
        "function sieve(n) {",
        "  var composite = {}, primes = [];",
        "  for (var i = 2; i <= n; i++) {",
        "    if (!composite[i]) {",
        "      primes.push(i);",
        "      for (var j = i * i; j <= n; j += i) { composite[j] = true; }",
        "    }",
        "  }",
        "  return primes;",
        "}",
        "function collatz(n) { var steps = 0; while (n != 1) { n = n % 2 ? 3 * n + 1 : n / 2; steps++; } return steps; }",
        "var queue = new Queue();",
        "sieve(400).forEach(function (p) { queue.push(p); });",
        "var words = 'the quick brown fox jumps over the lazy dog'.split(' '), count = {};",
        "for (var r = 0; r < 20; r++) { words.forEach(function (w) { count[w] = (count[w] || 0) + w.length; }); }",
        "var text = [];",
        "for (var key in count) { text.push(key.toUpperCase() + '=' + count[key]); }",
        "var longest = 0;",
        "for (var k = 1; k < 60; k++) { longest = Math.max(longest, collatz(k)); }",
        "var caught = '';",
        "try { undefined.x; } catch (e) { caught = e.name; }",
        "queue.sum() + ' ' + text.sort().join(',') + ' ' + longest + ' ' + caught",
        "  + ' ' + /(\\d+)-(\\w+)/.exec('no 42-abc')[2] + ' ' + JSON.stringify({a: [1, {b: null}]});");

    public static void main(String[] args) {
        int scale = Integer.parseInt(args[0]);
        long checksum = 0;
        Context context = Context.enter();
        try {
            context.setOptimizationLevel(-1);
            String result = "";
            for (int round = 0; round < scale; round++) {
                Scriptable scope = context.initStandardObjects();
                result = Context.toString(
                    context.evaluateString(scope, SCRIPT, "script.js", 1, null));
                checksum = checksum * 31 + result.hashCode();
            }
            System.out.println(result);
            System.out.println("checksum " + checksum);
            try {
                context.evaluateString(context.initStandardObjects(), "nothing.here", "bad.js", 1, null);
            } catch (EcmaError e) {
                System.out.println("expected: " + e.getMessage());
            }
        } finally {
            Context.exit();
        }
    }
}
