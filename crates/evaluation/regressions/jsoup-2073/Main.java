import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;

public class Main {
    public static void main(String[] args) {
        Document page = Jsoup.parse(
                "<div id=1><a href=x>A</a></div><p id=2>B</p><span id=3><p>C</p></span>");
        System.out.println(page.select("div [href=x], p").eachText());
    }
}
