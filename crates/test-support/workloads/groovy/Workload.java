import groovy.json.JsonOutput;
import groovy.json.JsonSlurper;
import groovy.lang.Binding;
import groovy.lang.GroovyShell;
import groovy.lang.MissingPropertyException;

/** Compiles and runs Groovy scripts, with closures, traits and builders. */
public class Workload {
    private static final String SCRIPT = String.join("\n",
        "trait Named { String name; String hello() { \"I am ${name}\" } }",
        "class Person implements Named { int age; Person plus(Person other) { new Person(name: name + other.name, age: age + other.age) } }",
        "def people = (1..12).collect { new Person(name: \"p$it\" + seed, age: it * 3) }",
        "def byDecade = people.groupBy { it.age.intdiv(10) }.collectEntries { k, v -> [(k): v*.name] }",
        "def fib = { n -> n < 2 ? n : call(n - 1) + call(n - 2) }",
        "def text = people.findAll { it.age % 2 == 0 }.inject('') { all, one -> all + one.hello() + ';' }",
        "def sum = people.inject { a, b -> a + b }",
        "def matched = (text =~ /p(\\d+)/).collect { it[1] as int }.sum()",
        "switch (sum.age) { case 0..9: text += 'small'; break; case Integer: text += 'number' }",
        "[byDecade.toString(), fib(9), text, sum.age, matched, [3, 1, 2].sort { -it }.join('-')].join('|')");

    public static void main(String[] args) {
        int scale = Integer.parseInt(args[0]);
        long checksum = 0;
        for (int round = 0; round < scale; round++) {
            Binding binding = new Binding();
            binding.setVariable("seed", round);
            Object result = new GroovyShell(binding).evaluate(SCRIPT);
            checksum = checksum * 31 + result.hashCode();
            String json = JsonOutput.toJson(new JsonSlurper().parseText("{\"a\": [1, 2.5, {\"b\": null}], \"c\": \"x\"}"));
            checksum = checksum * 31 + json.hashCode();
        }
        System.out.println("checksum " + checksum);
        try {
            new GroovyShell().evaluate("nothing + 1", "bad.groovy");
        } catch (MissingPropertyException e) {
            System.out.println("expected: " + e.getProperty());
        }
    }
}
