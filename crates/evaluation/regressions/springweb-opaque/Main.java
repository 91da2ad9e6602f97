import org.springframework.web.util.UriComponentsBuilder;

/** Takes addresses to pieces and puts them together again, one of them of a file in a jar. */
public class Main {
    public static void main(String[] args) {
        String[] addresses = {"http://example.org/shop?page=2", "jar:file:/shop.jar!/prices.txt"};
        for (String address : addresses) {
            System.out.println(UriComponentsBuilder.fromUriString(address).build());
        }
    }
}
