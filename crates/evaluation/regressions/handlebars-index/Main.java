import com.github.jknack.handlebars.Handlebars;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A table by a template: a list within a list. */
public class Main {
    public static void main(String[] args) throws Exception {
        System.out.println(render("{{#each days}}{{@index}} {{this}};{{/each}}"));
        System.out.println(render("{{#each days}}{{#each ../days}}{{@../zone}} {{this}};{{/each}}{{/each}}"));
    }

    private static String render(String template) throws Exception {
        List<String> days = new ArrayList<>(Arrays.asList("Monday", "Tuesday"));
        Map<String, Object> model = new HashMap<>();
        model.put("days", days);
        return new Handlebars().compileInline(template).apply(model);
    }
}
