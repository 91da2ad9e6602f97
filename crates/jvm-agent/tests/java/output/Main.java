import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Prints in all the ways in which programs print. The first argument says which. */
public class Main {
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "ways":
                ways();
                break;
            case "threads":
                threads();
                break;
            case "replaced":
                replaced();
                break;
            case "binary":
                binary();
                break;
            case "huge":
                huge(Integer.parseInt(args[1]));
                break;
            case "secrets":
                secrets(args[1]);
                break;
            case "killed":
                killed();
                break;
            default:
                throw new IllegalArgumentException(args[0]);
        }
    }

    static void ways() throws Exception {
        System.out.println("plain");
        characters("by one");
        System.out.printf("%s=%d%n", "formatted", 17);
        System.err.println("an error");
        System.out.println(new Named("named"));
        split("gr\u00fc\u00df");
        new FileOutputStream(FileDescriptor.out).write("raw\n".getBytes(StandardCharsets.UTF_8));
        System.out.print("open");
    }

    static void characters(String text) {
        for (int i = 0; i < text.length(); i++) {
            System.out.print(text.charAt(i));
        }
        System.out.println();
    }

    /** Each byte on its own: characters are split. */
    static void split(String text) {
        for (byte b : (text + "\n").getBytes(StandardCharsets.UTF_8)) {
            System.out.write(b);
            System.out.flush();
        }
    }

    static class Named {
        private final String name;

        Named(String name) {
            this.name = name;
        }

        @Override
        public String toString() {
            System.out.println("asked");
            return "<" + name + ">";
        }
    }

    static void threads() throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int number = i;
            Thread thread = new Thread(() -> count(number), "counter " + i);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        // This one runs no recorded code of its own.
        Thread stranger = new Thread(new java.util.concurrent.FutureTask<Void>(System.err::flush, null));
        stranger.start();
        stranger.join();
        throw new IllegalStateException("at the end");
    }

    static void count(int number) {
        for (int i = 0; i < 250; i++) {
            System.out.println(number + ":" + i);
        }
    }

    static void replaced() {
        PrintStream original = System.out;
        ByteArrayOutputStream kept = new ByteArrayOutputStream();
        System.setOut(new PrintStream(kept, true));
        System.out.println("to memory");
        System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.out), true));
        System.out.println("to another stream");
        System.setOut(original);
        original.println("kept " + kept.size());
    }

    static void binary() {
        byte[] bytes = new byte[1000];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        System.out.println("before");
        System.out.write(bytes, 0, bytes.length);
        System.out.println();
        System.out.println("\u001b[1mafter\u001b[0m\tall");
    }

    static void huge(int lines) {
        for (int i = 1; i <= lines; i++) {
            System.out.println("line number " + i + " of many, which are more than can be kept of them in the trace");
        }
    }

    static void secrets(String password) {
        System.out.println("the word is " + password);
        for (char c : password.toCharArray()) {
            System.out.print(c);
        }
        System.out.println();
        String later = "open" + password.length() + "sesame";
        System.out.println(later);
        String apiKey = later;
        System.out.println("key " + apiKey);
    }

    static void killed() throws Exception {
        for (int i = 0; i < 1000; i++) {
            System.out.println("before the end " + i);
        }
        String self = new File("/proc/self").getCanonicalFile().getName();
        new ProcessBuilder("kill", "-9", self).start().waitFor();
    }
}
