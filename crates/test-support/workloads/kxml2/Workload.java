import java.io.StringReader;
import java.io.StringWriter;
import org.kxml2.io.KXmlParser;
import org.kxml2.io.KXmlSerializer;
import org.kxml2.kdom.Document;
import org.kxml2.kdom.Element;
import org.kxml2.kdom.Node;
import org.xmlpull.v1.XmlPullParser;
import org.xmlpull.v1.XmlPullParserException;

/** Parses a catalogue by pull events and into a tree, and writes the tree back. */
public class Workload {
    public static void main(String[] args) throws Exception {
        int scale = Integer.parseInt(args[0]);
        String document = catalogue(120);
        long checksum = 0;
        for (int round = 0; round < scale; round++) {
            checksum = checksum * 31 + pull(document);
            Document tree = tree(document);
            checksum = checksum * 31 + total(tree.getRootElement());
            checksum = checksum * 31 + write(tree).hashCode();
        }
        System.out.println("checksum " + checksum);
        try {
            pull("<a><b></a>");
        } catch (XmlPullParserException e) {
            // What follows names the reader by its identity, which no two runs share.
            System.out.println("expected: " + e.getMessage().split(" in ")[0]);
        }
    }

    static String catalogue(int books) {
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\"?>\n<!-- made up -->\n<books>\n");
        for (int i = 0; i < books; i++) {
            xml.append("  <book id=\"b").append(i).append("\" xmlns:x=\"urn:x\" x:lang='en'>\n")
                .append("    <title>Volume ").append(i).append(" &amp; notes &lt;draft&gt; &#65;</title>\n")
                .append("    <price currency=\"EUR\">").append(5 + i * 7 % 40).append("</price>\n")
                .append("    <![CDATA[raw < text & more]]><empty/>\n  </book>\n");
        }
        return xml.append("</books>\n").toString();
    }

    static long pull(String document) throws Exception {
        KXmlParser parser = new KXmlParser();
        parser.setFeature(XmlPullParser.FEATURE_PROCESS_NAMESPACES, true);
        parser.setInput(new StringReader(document));
        long hash = 0;
        for (int event = parser.next(); event != XmlPullParser.END_DOCUMENT; event = parser.next()) {
            hash = hash * 31 + event;
            if (event == XmlPullParser.START_TAG) {
                hash = hash * 31 + parser.getName().hashCode();
                for (int i = 0; i < parser.getAttributeCount(); i++) {
                    hash = hash * 31 + parser.getAttributeValue(i).hashCode();
                }
            } else if (event == XmlPullParser.TEXT) {
                hash = hash * 31 + parser.getText().hashCode();
            }
        }
        return hash;
    }

    static Document tree(String document) throws Exception {
        KXmlParser parser = new KXmlParser();
        parser.setInput(new StringReader(document));
        Document tree = new Document();
        tree.parse(parser);
        return tree;
    }

    static long total(Element element) {
        long sum = "price".equals(element.getName()) ? Long.parseLong(element.getText(0)) : 0;
        for (int i = 0; i < element.getChildCount(); i++) {
            if (element.getType(i) == Node.ELEMENT) {
                sum += total(element.getElement(i));
            }
        }
        return sum;
    }

    static String write(Document tree) throws Exception {
        StringWriter text = new StringWriter();
        KXmlSerializer serializer = new KXmlSerializer();
        serializer.setOutput(text);
        tree.write(serializer);
        serializer.flush();
        return text.toString();
    }
}
