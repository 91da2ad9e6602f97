import java.util.List;

/** Breaks a text into lines of equal width, as a newspaper column does. */
public class Main {
    public static void main(String[] args) {
        String text = "A debugger that asks needs good questions. Each of them is about one call: "
            + "what went in, what came out, and what changed on the way.";
        Wrapper wrapper = new Wrapper(24);
        List<String> lines = wrapper.wrap(text);
        int longest = 0;
        for (String line : lines) {
            System.out.println("|" + line + "|");
            longest = Math.max(longest, line.length());
        }
        System.out.println("longest line: " + longest);
    }
}
