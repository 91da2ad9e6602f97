import org.htmlcleaner.CleanerProperties;
import org.htmlcleaner.CompactXmlSerializer;
import org.htmlcleaner.HtmlCleaner;
import org.htmlcleaner.PrettyXmlSerializer;
import org.htmlcleaner.TagNode;
import org.htmlcleaner.XPatherException;

/** Repairs untidy HTML, asks XPath questions about it and writes it as XML. */
public class Workload {
    public static void main(String[] args) throws Exception {
        int scale = Integer.parseInt(args[0]);
        String page = page(60);
        long checksum = 0;
        for (int round = 0; round < scale; round++) {
            HtmlCleaner cleaner = new HtmlCleaner();
            CleanerProperties properties = cleaner.getProperties();
            properties.setOmitComments(round % 2 == 0);
            properties.setOmitXmlDeclaration(true);
            TagNode root = cleaner.clean(page);
            checksum = checksum * 31 + root.evaluateXPath("//td[@class='n']/text()").length;
            checksum = checksum * 31 + root.getElementsByName("a", true).length;
            checksum = checksum * 31
                + new CompactXmlSerializer(properties).getAsString(root).hashCode();
            checksum = checksum * 31
                + new PrettyXmlSerializer(properties).getAsString(root).hashCode();
        }
        System.out.println("checksum " + checksum);
        try {
            new HtmlCleaner().clean("<p>x").evaluateXPath("//p[");
        } catch (XPatherException e) {
            System.out.println("expected: " + e.getMessage());
        }
    }

    /** Unclosed, badly nested and unquoted, as pages are. */
    static String page(int rows) {
        StringBuilder html = new StringBuilder("<title>List<body bgcolor=white><h1>All<b>bold</h1>");
        html.append("<table border=1>");
        for (int i = 0; i < rows; i++) {
            html.append("<tr><td class=n>").append(i).append("<td><a href='p?id=").append(i)
                .append("&x=1'>item <i>").append(i % 7).append("</a></i>&nbsp;&euro;")
                .append("<ul><li>one<li>two</ul><!-- row ").append(i).append(" -->");
        }
        return html.append("</table><p>end<br>of<p>page<script>if (a < b) { c(); }</script>").toString();
    }
}
