import com.github.jknack.handlebars.Handlebars;
import java.util.Collections;

/** A template with a part that it defines itself. */
public class Main {
    public static void main(String[] args) throws Exception {
        String template = "{{#*inline \"greeting\"}}Dear {{name}}{{/inline}}{{> greeting}}, thank you.";
        System.out.println(render("{{name}}"));
        System.out.println(render(template));
    }

    private static String render(String template) throws Exception {
        return new Handlebars().compileInline(template).apply(Collections.singletonMap("name", "Ada"));
    }
}
