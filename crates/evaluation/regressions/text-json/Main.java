import org.apache.commons.text.StringEscapeUtils;

public class Main {
    public static void main(String[] args) {
        System.out.println(StringEscapeUtils.unescapeJson("http:\\/\\/localhost\\/a \\u00e4"
                .replace("\\u00e4", "\\\"quoted\\\"")));
    }
}
