import java.io.StringReader;
import org.codehaus.plexus.util.xml.Xpp3Dom;
import org.codehaus.plexus.util.xml.Xpp3DomBuilder;

/** Reads a small document with a processing instruction that has a greater-than sign. */
public class Main {
    public static void main(String[] arguments) throws Exception {
        String text = "<project>\n  <?layout a > b ?>\n  <name>tea</name>\n</project>\n";
        Xpp3Dom project = Xpp3DomBuilder.build(new StringReader(text));
        System.out.println(project.getChild("name").getValue());
    }
}
