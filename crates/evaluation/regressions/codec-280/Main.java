import org.apache.commons.codec.binary.Base64;

public class Main {
    public static void main(String[] args) {
        for (String text : new String[] {"QUJDRA==", "QUJDRF=="}) {
            System.out.println(new String(Base64.decodeBase64(text.getBytes())));
        }
    }
}
