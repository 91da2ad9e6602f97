import java.io.InputStream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;

public class Main {
    public static void main(String[] args) throws Exception {
        InputStream missing = Main.class.getResourceAsStream("no-such-page.html");
        Document page = Jsoup.parse(missing, "UTF-8", "http://localhost/");
        System.out.println("paragraphs: " + page.select("p").size());
    }
}
