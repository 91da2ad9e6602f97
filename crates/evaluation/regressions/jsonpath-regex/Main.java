import com.jayway.jsonpath.JsonPath;
import java.util.List;

/** Looks for books of a kind that cost more than twenty. */
public class Main {
    public static void main(String[] args) {
        String books = "[{\"kind\":\"Fiction\",\"price\":12},{\"kind\":\"Fiction\",\"price\":30},"
                + "{\"kind\":\"Poetry\",\"price\":25}]";
        List<Integer> prices = JsonPath.parse(books).read("$[?(@.kind =~ /fiction/i && @.price>20)].price");
        System.out.println(prices);
    }
}
