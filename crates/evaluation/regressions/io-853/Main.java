import java.io.ByteArrayInputStream;
import org.apache.commons.io.input.BoundedInputStream;

public class Main {
    public static void main(String[] args) throws Exception {
        BoundedInputStream in = new BoundedInputStream(new ByteArrayInputStream("header body".getBytes()), 6);
        in.mark(100);
        System.out.println((char) in.read() + "" + (char) in.read());
        in.reset();
        System.out.println(new String(in.readAllBytes()));
    }
}
