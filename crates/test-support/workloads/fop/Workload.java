import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.OutputStream;
import java.io.StringReader;
import java.util.Arrays;
import java.util.Date;
import java.util.logging.LogManager;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.sax.SAXResult;
import javax.xml.transform.stream.StreamSource;
import org.apache.fop.apps.FOUserAgent;
import org.apache.fop.apps.Fop;
import org.apache.fop.apps.FopFactory;
import org.apache.fop.apps.MimeConstants;

/** Lays out a document with tables, lists and references, and writes it as PDF and as a tree of areas. */
public class Workload {
    public static void main(String[] args) throws Exception {
        System.setProperty("java.awt.headless", "true");
        LogManager.getLogManager().reset();
        int scale = Integer.parseInt(args[0]);
        FopFactory factory = FopFactory.newInstance(new File(".").toURI());
        long checksum = 0;
        for (int round = 0; round < scale; round++) {
            ByteArrayOutputStream areas = new ByteArrayOutputStream();
            checksum = checksum * 31 + layOut(factory, document(round), MimeConstants.MIME_FOP_AREA_TREE, areas);
            checksum = checksum * 31 + Arrays.hashCode(areas.toByteArray());
            // What a PDF holds depends on the time zone and on the JDK's compression: its pages are counted.
            OutputStream nowhere = OutputStream.nullOutputStream();
            checksum = checksum * 31 + layOut(factory, document(round), MimeConstants.MIME_PDF, nowhere);
        }
        System.out.println("checksum " + checksum);
        try {
            String bad = "<root xmlns='http://www.w3.org/1999/XSL/Format'><layout-master-set/></root>";
            layOut(factory, bad, MimeConstants.MIME_PDF, OutputStream.nullOutputStream());
        } catch (TransformerException e) {
            System.out.println("expected: " + e.getClass().getSimpleName());
        }
    }

    private static int layOut(FopFactory factory, String document, String kind, OutputStream target) throws Exception {
        FOUserAgent agent = factory.newFOUserAgent();
        agent.setCreationDate(new Date(0));
        Fop fop = factory.newFop(kind, agent, target);
        TransformerFactory.newInstance().newTransformer()
            .transform(new StreamSource(new StringReader(document)), new SAXResult(fop.getDefaultHandler()));
        return fop.getResults().getPageCount();
    }

    private static String document(int seed) {
        StringBuilder fo = new StringBuilder("<fo:root xmlns:fo='http://www.w3.org/1999/XSL/Format'><fo:layout-master-set>"
            + "<fo:simple-page-master master-name='a' page-width='10cm' page-height='12cm' margin='1cm'><fo:region-body/>"
            + "</fo:simple-page-master></fo:layout-master-set><fo:page-sequence master-reference='a'><fo:flow flow-name='xsl-region-body'>");
        for (int i = 0; i < 6; i++) {
            fo.append("<fo:block id='b").append(i).append("' font-size='14pt' font-weight='bold' keep-with-next='always'>Part ").append(i + seed)
                .append("</fo:block><fo:block text-align='justify' hyphenate='false'>");
            for (int word = 0; word < 60; word++) {
                fo.append("word").append(word * 7919 % 1009).append(word % 9 == 8 ? ". " : " ");
            }
            fo.append("See page <fo:page-number-citation ref-id='b").append((i + 3) % 6).append("'/>.</fo:block>")
                .append("<fo:table table-layout='fixed' width='100%' border='1pt solid black'><fo:table-body>");
            for (int row = 0; row < 4; row++) {
                fo.append("<fo:table-row><fo:table-cell padding='2pt'><fo:block>").append(row).append("</fo:block></fo:table-cell>")
                    .append("<fo:table-cell><fo:block font-family='Courier'>cell ").append(row * i).append("</fo:block></fo:table-cell></fo:table-row>");
            }
            fo.append("</fo:table-body></fo:table>");
        }
        return fo.append("</fo:flow></fo:page-sequence></fo:root>").toString();
    }
}
