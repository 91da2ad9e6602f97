import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Tells where a parser is, in a short text and in one that is longer than its buffer. */
public class Main {
    static String text(int length) {
        char[] name = new char[length];
        Arrays.fill(name, 'x');
        return "{\"name\":\"" + new String(name) + "\",\"pieces\":3}";
    }

    static void read(String text) throws Exception {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try (JsonParser parser = new JsonFactory().createParser(new ByteArrayInputStream(bytes))) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                parser.getText();
                System.out.println(token + " " + parser.getCurrentLocation().getByteOffset());
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        read(text(10));
        read(text(20000));
    }
}
