import org.apache.http.client.utils.URIBuilder;

public class Main {
    public static void main(String[] args) throws Exception {
        URIBuilder place = new URIBuilder("http://localhost/shop");
        System.out.println(place.setPath("").build());
        System.out.println(place.setPath("/cart").build());
    }
}
