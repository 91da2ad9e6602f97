import org.json.XML;

public class Main {
    public static void main(String[] args) {
        String xml = "<r><t>null</t><n>12</n><b>true</b><s>text</s></r>";
        System.out.println(XML.toJSONObject(xml, true));
    }
}
