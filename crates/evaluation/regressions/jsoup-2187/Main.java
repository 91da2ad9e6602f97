import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;

public class Main {
    public static void main(String[] args) {
        Document page = Jsoup.parse(
                "<div id=1><span>a</span><a>b</a></div><div id=2><a>c</a></div>");
        System.out.println(page.select("div:has(span + a)").eachAttr("id"));
    }
}
