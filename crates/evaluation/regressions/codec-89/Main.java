import org.apache.commons.codec.binary.Base64;

public class Main {
    public static void main(String[] args) {
        byte[] coded = new Base64().encode("user:secret".getBytes());
        System.out.println("Authorization: Basic " + new String(coded) + ";");
    }
}
