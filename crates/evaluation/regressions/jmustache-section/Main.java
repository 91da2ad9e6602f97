import com.samskivert.mustache.Mustache;
import java.util.HashMap;
import java.util.Map;

/** Fills in a template in which a section is about something that is not there. */
public class Main {
    public static void main(String[] args) {
        Map<String, Object> order = new HashMap<>();
        order.put("name", "Ada");
        String text = "Dear {{name}},{{#voucher}} use {{code}},{{/voucher}} thank you.";
        System.out.println(Mustache.compiler().nullValue("?").compile(text).execute(order));
    }
}
