import org.jsoup.Jsoup;
import org.jsoup.parser.Parser;

public class Main {
    public static void main(String[] args) {
        String order = "<order data-id='7' line2='blue' plain='c'>tea</order>";
        System.out.println(Jsoup.parse(order, "", Parser.xmlParser()).outerHtml());
    }
}
