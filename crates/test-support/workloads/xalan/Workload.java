import java.io.StringReader;
import java.io.StringWriter;
import javax.xml.transform.ErrorListener;
import javax.xml.transform.Templates;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;

/** Transforms XML twice: by interpreting a style sheet, and by classes that a style sheet is compiled to. */
public class Workload {
    private static final String STYLE = String.join("\n",
        "<xsl:stylesheet version='1.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>",
        "<xsl:output method='html' indent='no'/>",
        "<xsl:key name='by-author' match='book' use='author'/>",
        "<xsl:param name='seed' select='0'/>",
        "<xsl:template match='/library'><html><body>",
        "  <xsl:for-each select='book[generate-id() = generate-id(key(\"by-author\", author)[1])]'>",
        "    <xsl:sort select='author'/><h1><xsl:value-of select='author'/></h1>",
        "    <xsl:apply-templates select='key(\"by-author\", author)'><xsl:sort select='price' data-type='number' order='descending'/></xsl:apply-templates>",
        "  </xsl:for-each>",
        "  <p><xsl:value-of select='format-number(sum(book/price) + $seed, \"#,##0.00\")'/></p></body></html></xsl:template>",
        "<xsl:template match='book'><p class='{@year}'><xsl:number/>. <xsl:value-of select='translate(title, \"abc\", \"ABC\")'/>",
        "  <xsl:choose><xsl:when test='price &gt; 40'> dear</xsl:when><xsl:when test='contains(title, \"7\")'> seven</xsl:when>",
        "  <xsl:otherwise> <xsl:call-template name='stars'><xsl:with-param name='n' select='price mod 5'/></xsl:call-template></xsl:otherwise></xsl:choose></p></xsl:template>",
        "<xsl:template name='stars'><xsl:param name='n'/><xsl:if test='$n &gt; 0'>*<xsl:call-template name='stars'>",
        "  <xsl:with-param name='n' select='$n - 1'/></xsl:call-template></xsl:if></xsl:template>",
        "</xsl:stylesheet>");

    public static void main(String[] args) throws Exception {
        int scale = Integer.parseInt(args[0]);
        String library = library(60);
        long checksum = 0;
        for (int round = 0; round < scale; round++) {
            TransformerFactory interpreting = new org.apache.xalan.processor.TransformerFactoryImpl();
            TransformerFactory compiling = new org.apache.xalan.xsltc.trax.TransformerFactoryImpl();
            for (TransformerFactory factory : new TransformerFactory[] {interpreting, compiling}) {
                checksum = checksum * 31 + transform(factory, library, round).hashCode();
            }
        }
        System.out.println("checksum " + checksum);
        TransformerFactory factory = new org.apache.xalan.processor.TransformerFactoryImpl();
        factory.setErrorListener(new Silent());
        try {
            factory.newTemplates(new StreamSource(new StringReader(STYLE.replace("sum(book/price)", "sum("))));
        } catch (TransformerException e) {
            System.out.println("expected: " + e.getClass().getSimpleName());
        }
    }

    private static String transform(TransformerFactory factory, String document, int seed) throws TransformerException {
        Templates templates = factory.newTemplates(new StreamSource(new StringReader(STYLE)));
        StringWriter result = new StringWriter();
        var transformer = templates.newTransformer();
        transformer.setParameter("seed", seed);
        transformer.transform(new StreamSource(new StringReader(document)), new StreamResult(result));
        return result.toString();
    }

    private static String library(int books) {
        StringBuilder xml = new StringBuilder("<library>");
        for (int i = 0; i < books; i++) {
            xml.append("<book year='").append(1950 + i).append("'><title>About cab ").append(i).append("</title><author>Author ")
                .append((char) ('A' + i * 7 % 13)).append("</author><price>").append(i * 17 % 60).append("</price></book>");
        }
        return xml.append("</library>").toString();
    }

    private static final class Silent implements ErrorListener {
        @Override
        public void warning(TransformerException exception) {}

        @Override
        public void error(TransformerException exception) throws TransformerException {
            throw exception;
        }

        @Override
        public void fatalError(TransformerException exception) throws TransformerException {
            throw exception;
        }
    }
}
