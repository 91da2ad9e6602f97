import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.jdt.core.compiler.batch.BatchCompiler;

/** Compiles Java classes with generics, lambdas, inner classes and switches. */
public class Workload {
    private static final String SOURCE = String.join("\n",
        "import java.util.*;",
        "import java.util.function.*;",
        "class NAME<K extends Comparable<K>, V> implements Iterable<V> {",
        "  enum Colour { RED, GREEN { int weight() { return 2; } }; int weight() { return 1; } }",
        "  private final TreeMap<K, List<V>> values = new TreeMap<>();",
        "  private int size;",
        "  NAME<K, V> put(K key, V value) {",
        "    values.computeIfAbsent(key, any -> new ArrayList<>()).add(value); size++; return this;",
        "  }",
        "  <R> R fold(R start, BiFunction<? super R, ? super V, ? extends R> step) {",
        "    R result = start;",
        "    for (V value : this) { result = step.apply(result, value); }",
        "    return result;",
        "  }",
        "  @Override public Iterator<V> iterator() {",
        "    return new Iterator<V>() {",
        "      private final Iterator<List<V>> lists = values.values().iterator();",
        "      private Iterator<V> current = Collections.emptyIterator();",
        "      public boolean hasNext() {",
        "        while (!current.hasNext() && lists.hasNext()) { current = lists.next().iterator(); }",
        "        return current.hasNext();",
        "      }",
        "      public V next() { if (!hasNext()) throw new NoSuchElementException(); return current.next(); }",
        "    };",
        "  }",
        "  static String name(String text, Colour colour) {",
        "    switch (text) {",
        "      case \"one\": return \"1\" + colour.weight();",
        "      case \"two\": { int i = 2; outer: for (;;) { while (i++ < 9) if (i % 4 == 3) break outer; } return \"\" + i; }",
        "      default: try { return Integer.toString(text.length() / colour.ordinal()); }",
        "               catch (ArithmeticException | NullPointerException e) { return e.getMessage(); }",
        "               finally { text = null; }",
        "    }",
        "  }",
        "  public static void main(String... args) {",
        "    NAME<String, Integer> all = new NAME<>();",
        "    for (String arg : args) all.put(arg, arg.length());",
        "    Supplier<NAME<String, Integer>> maker = NAME::new;",
        "    System.out.println(all.fold(0L, (sum, one) -> sum + one) + maker.get().size + name(\"one\", Colour.GREEN));",
        "  }",
        "}");

    public static void main(String[] args) throws Exception {
        int scale = Integer.parseInt(args[0]);
        long checksum = 0;
        Path folder = Files.createTempDirectory("ecj");
        try {
            for (int round = 0; round < scale; round++) {
                for (int i = 0; i < 5; i++) {
                    String name = "Multi" + i;
                    Files.writeString(folder.resolve(name + ".java"), SOURCE.replace("NAME", name));
                }
                compile(folder);
                checksum = checksum * 31 + hashOfClasses(folder);
            }
            System.out.println("checksum " + checksum);
            Files.writeString(folder.resolve("Bad.java"), "class Bad { int x = \"text\"; }");
            String message = compile(folder).lines().filter(line -> line.startsWith("Type")).findFirst().orElse("none");
            System.out.println("expected: " + message);
        } finally {
            delete(folder);
        }
    }

    private static String compile(Path folder) {
        StringWriter messages = new StringWriter();
        PrintWriter writer = new PrintWriter(messages);
        String[] command = {"-11", "-g", "-nowarn", "-proceedOnError", "-d", folder.resolve("out").toString(), folder.toString()};
        BatchCompiler.compile(command, writer, writer, null);
        return messages.toString();
    }

    private static long hashOfClasses(Path folder) throws IOException {
        long hash = 0;
        for (Path file : filesBelow(folder.resolve("out"))) {
            hash = hash * 31 + Arrays.hashCode(Files.readAllBytes(file));
        }
        return hash;
    }

    private static List<Path> filesBelow(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).sorted().collect(Collectors.toList());
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
    }
}
