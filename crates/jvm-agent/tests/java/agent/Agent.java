import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.security.ProtectionDomain;

/** Another agent beside the recorder: it watches classes, and replaces one. */
public class Agent implements ClassFileTransformer {
    static Instrumentation instrumentation;
    static int seen;

    public static void premain(String argument, Instrumentation given) {
        instrumentation = given;
        given.addTransformer(new Agent(), true);
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
        seen += count(name);
        return name != null && name.equals("Target") ? bytes.clone() : null;
    }

    static int count(String name) {
        return name == null ? 0 : 1;
    }

    static void replace(Class<?> type, String file) throws Exception {
        byte[] bytes = Files.readAllBytes(Paths.get(file));
        instrumentation.redefineClasses(new ClassDefinition(type, bytes));
    }

    static void retransform(Class<?> type) throws Exception {
        instrumentation.retransformClasses(type);
    }
}
