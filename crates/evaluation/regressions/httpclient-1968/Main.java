import java.net.URI;
import org.apache.http.client.utils.URIUtils;

public class Main {
    public static void main(String[] args) throws Exception {
        System.out.println(URIUtils.rewriteURI(new URI("http://localhost/files/a%3Db%26c"), null));
    }
}
