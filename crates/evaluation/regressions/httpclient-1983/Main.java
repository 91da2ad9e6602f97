import java.net.URI;
import org.apache.http.HttpHost;
import org.apache.http.client.utils.URIUtils;

public class Main {
    public static void main(String[] args) throws Exception {
        URI place = new URI("http://localhost:80/a//b/c?q");
        System.out.println(URIUtils.rewriteURI(place, new HttpHost("127.0.0.1", 8080), true));
    }
}
