import org.commonmark.html.HtmlRenderer;
import org.commonmark.parser.Parser;

/** Lists, and code below an item that begins with a tab. */
public class Main {
    public static void main(String[] arguments) {
        Parser parser = Parser.builder().build();
        HtmlRenderer renderer = HtmlRenderer.builder().build();
        for (String text : new String[] {"- tea\n- bread\n", "- tea\n\n\tboil water\n\n## Next\n"}) {
            System.out.println(renderer.render(parser.parse(text)));
        }
    }
}
