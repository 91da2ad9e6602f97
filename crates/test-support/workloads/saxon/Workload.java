import java.io.StringReader;
import java.io.StringWriter;
import javax.xml.transform.stream.StreamSource;
import net.sf.saxon.s9api.Processor;
import net.sf.saxon.s9api.QName;
import net.sf.saxon.s9api.SaxonApiException;
import net.sf.saxon.s9api.XQueryEvaluator;
import net.sf.saxon.s9api.XdmAtomicValue;
import net.sf.saxon.s9api.XdmNode;
import net.sf.saxon.s9api.XsltTransformer;

/** Asks XML with XQuery and transforms it with XSLT 3. */
public class Workload {
    private static final String QUERY = String.join("\n",
        "declare variable $seed external;",
        "declare function local:fold($n) { if ($n le 1) then 1 else $n * local:fold($n - 1) };",
        "let $m := map { 'a': [1, 2, 3], 'b': array { 4 to 9 } }",
        "return string-join((",
        "  for $p in //person let $a := xs:integer($p/@age) where $a mod 3 eq $seed mod 3",
        "  group by $city := $p/city/string() order by $city",
        "  return $city || ':' || string-join(sort($p/name ! upper-case(.)), ',') || avg($p/@age),",
        "  string(local:fold(15)), string(sum($m?*?*)), format-date(xs:date('2020-02-29') + xs:dayTimeDuration('P1D'), '[Y]-[M01]'),",
        "  replace('a1b22', '([a-z])(\\d+)', '$2$1'), (1 to 30)[. mod 7 = 0] ! string()), ' ')");

    private static final String STYLE = String.join("\n",
        "<xsl:stylesheet version='3.0' xmlns:xsl='http://www.w3.org/1999/XSL/Transform' expand-text='yes'>",
        "<xsl:output method='text'/>",
        "<xsl:mode on-no-match='shallow-skip'/>",
        "<xsl:template match='/'><xsl:for-each-group select='//person' group-by='city'><xsl:sort select='current-grouping-key()'/>",
        "  {current-grouping-key()}={count(current-group())} <xsl:iterate select='current-group()'><xsl:param name='sum' select='0'/>",
        "    <xsl:on-completion>{$sum};</xsl:on-completion>",
        "    <xsl:next-iteration><xsl:with-param name='sum' select='$sum + number(@age)'/></xsl:next-iteration></xsl:iterate>",
        "</xsl:for-each-group></xsl:template>",
        "</xsl:stylesheet>");

    public static void main(String[] args) throws SaxonApiException {
        int scale = Integer.parseInt(args[0]);
        Processor processor = new Processor(false);
        XdmNode people = processor.newDocumentBuilder().build(new StreamSource(new StringReader(people(60))));
        long checksum = 0;
        for (int round = 0; round < scale; round++) {
            var compiler = processor.newXQueryCompiler();
            XQueryEvaluator query = compiler.compile(QUERY).load();
            query.setContextItem(people);
            query.setExternalVariable(new QName("seed"), new XdmAtomicValue(round));
            checksum = checksum * 31 + query.evaluate().toString().hashCode();
            checksum = checksum * 31 + transform(processor, people).hashCode();
        }
        System.out.println("checksum " + checksum);
        try {
            var compiler = processor.newXQueryCompiler();
            compiler.setErrorReporter(problem -> { });
            compiler.compile("1 +").load().evaluate();
        } catch (SaxonApiException e) {
            System.out.println("expected: " + e.getErrorCode());
        }
    }

    private static String transform(Processor processor, XdmNode document) throws SaxonApiException {
        XsltTransformer transformer =
            processor.newXsltCompiler().compile(new StreamSource(new StringReader(STYLE))).load();
        StringWriter text = new StringWriter();
        transformer.setInitialContextNode(document);
        transformer.setDestination(processor.newSerializer(text));
        transformer.transform();
        return text.toString();
    }

    private static String people(int count) {
        StringBuilder xml = new StringBuilder("<people>");
        for (int i = 0; i < count; i++) {
            xml.append("<person age='").append(20 + i * 13 % 50).append("'><name>Name ").append(i)
                .append("</name><city>City ").append(i * 7 % 9).append("</city></person>");
        }
        return xml.append("</people>").toString();
    }
}
