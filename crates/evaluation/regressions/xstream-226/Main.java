import com.thoughtworks.xstream.io.xml.XmlFriendlyNameCoder;

/** Names of elements, as they are written and read again. */
public class Main {
    public static void main(String[] arguments) {
        XmlFriendlyNameCoder coder = new XmlFriendlyNameCoder();
        for (String name : new String[] {"order", "order$line", "order_7", "order_9"}) {
            String written = coder.encodeNode(name);
            System.out.println(name + " " + written + " " + coder.decodeNode(written));
        }
    }
}
