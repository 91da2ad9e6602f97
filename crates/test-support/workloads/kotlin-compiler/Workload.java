import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jetbrains.kotlin.cli.common.ExitCode;
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler;

/** Compiles a small Kotlin file. */
public class Workload {
    private static final String SOURCE = String.join("\n",
        "package shapes",
        "sealed class Shape(val name: String) { abstract fun area(): Double }",
        "data class Square(val side: Double) : Shape(\"square\") { override fun area() = side * side }",
        "data class Circle(val radius: Double) : Shape(\"circle\") { override fun area() = Math.PI * radius * radius }",
        "inline fun <T> List<T>.total(of: (T) -> Double): Double { var sum = 0.0; for (one in this) sum += of(one); return sum }",
        "fun describe(shape: Shape?) = when (shape) {",
        "  null -> \"nothing\"",
        "  is Square -> \"${shape.name} of ${shape.side}\"",
        "  is Circle -> shape.copy(radius = shape.radius + 1).toString()",
        "}",
        "object Registry { private val known by lazy { mutableMapOf<String, Shape>() }",
        "  operator fun get(name: String) = known[name]",
        "  operator fun set(name: String, shape: Shape) { known[name] = shape } }",
        "fun main() {",
        "  Registry[\"a\"] = Square(2.0)",
        "  val shapes = listOf(Square(1.0), Circle(2.0))",
        "  println(shapes.total { it.area() }.toString() + describe(Registry[\"a\"]) + shapes.map { it.name }.sorted())",
        "}");

    public static void main(String[] args) throws Exception {
        int scale = Integer.parseInt(args[0]);
        long checksum = 0;
        Path folder = Files.createTempDirectory("kotlin");
        try {
            Path good = Files.writeString(folder.resolve("Shapes.kt"), SOURCE);
            for (int round = 0; round < scale; round++) {
                Path classes = folder.resolve("classes" + round);
                System.out.println(compile(good, classes));
                checksum = checksum * 31 + hashOfClasses(classes);
            }
            System.out.println("checksum " + checksum);
            Path bad = Files.writeString(folder.resolve("Bad.kt"), "val number: Int = \"text\"");
            System.out.println("expected: " + compile(bad, folder.resolve("none")));
        } finally {
            delete(folder);
        }
    }

    private static String compile(Path source, Path target) throws Exception {
        Path library = Paths.get(kotlin.Unit.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        ExitCode code = new K2JVMCompiler().exec(new PrintStream(messages, true), "-no-stdlib", "-no-reflect", "-nowarn",
            "-cp", library.toString(), "-d", target.toString(), source.toString());
        String text = messages.toString();
        int message = text.indexOf("error:");
        return code + (message < 0 ? "" : text.substring(message).lines().findFirst().orElse(""));
    }

    private static long hashOfClasses(Path folder) throws IOException {
        long hash = 0;
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile).sorted()::iterator) {
                hash = hash * 31 + java.util.Arrays.hashCode(Files.readAllBytes(file));
            }
        }
        return hash;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        }
    }
}
