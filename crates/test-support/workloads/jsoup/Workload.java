import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.safety.Safelist;
import org.jsoup.select.Selector;

/** Parses HTML, selects, changes and cleans it. */
public class Workload {
    public static void main(String[] args) {
        int scale = Integer.parseInt(args[0]);
        String page = page(50);
        long checksum = 0;
        for (int round = 0; round < scale; round++) {
            Document document = Jsoup.parse(page, "http://example.org/");
            for (Element link : document.select("div.entry > p a[href^=/item]")) {
                checksum = checksum * 31 + link.absUrl("href").hashCode();
                link.attr("rel", "nofollow").text(link.text() + "!");
            }
            checksum = checksum * 31 + document.select("li:nth-child(2n), em + strong").size();
            document.select("script, .ad").remove();
            checksum = checksum * 31 + document.body().html().hashCode();
            checksum = checksum * 31 + Jsoup.clean(page, Safelist.basic()).length();
        }
        System.out.println("checksum " + checksum);
        try {
            Jsoup.parse(page).select("div[");
        } catch (Selector.SelectorParseException | IllegalArgumentException e) {
            System.out.println("expected: " + e.getMessage());
        }
    }

    static String page(int entries) {
        StringBuilder html = new StringBuilder("<!doctype html><html><head><title>T</title></head><body>");
        for (int i = 0; i < entries; i++) {
            html.append("<div class='entry e").append(i % 5).append("'><h2>Entry ").append(i)
                .append("</h2><p>Some <em>text</em><strong>here</strong> &copy; <a href=/item/")
                .append(i).append(">link ").append(i).append("</a><ul><li>a<li>b<li>c</ul>")
                .append("<script>x(1 < 2);</script><div class=ad>buy</div></div>\n");
        }
        return html.append("</body></html>").toString();
    }
}
