import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.Test;

/** What a document has in it, by selectors. */
public class SelectingTest {
    private static final String PAGE =
            "<div id=a class='x y'><p>One <i>two</i></p><p class=y>Three</p></div>"
            + "<ul><li>1<li>2<li>3</ul><a href='/go?q=1&amp;r=2'>go</a>";

    private static Document page() {
        return Jsoup.parse(PAGE, "http://host/dir/page");
    }

    private static void check(String selector, String... texts) {
        assertEquals(String.join("|", texts), String.join("|", page().select(selector).eachText()));
    }

    @Test public void byTag() {
        check("p", "One two", "Three");
    }

    @Test public void byId() {
        check("#a", "One two Three");
    }

    @Test public void byClass() {
        check(".y", "One two Three", "Three");
    }

    @Test public void children() {
        check("div > p", "One two", "Three");
    }

    @Test public void descendants() {
        check("div i", "two");
    }

    @Test public void numbered() {
        check("li:nth-child(2)", "2");
        check("li:nth-child(2n+1)", "1", "3");
        check("li:eq(0)", "1");
        check("li:gt(0)", "2", "3");
        check("li:lt(1)", "1");
    }

    @Test public void byText() {
        check("p:contains(three)", "Three");
    }

    @Test public void byAttribute() {
        check("[href^=/go]", "go");
        check("a[href*=r=2]", "go");
    }

    @Test public void having() {
        check("p:has(i)", "One two");
    }

    @Test public void without() {
        check("p:not(.y)", "One two");
    }

    @Test public void siblings() {
        check("p + p", "Three");
        check("li ~ li", "2", "3");
    }

    @Test public void links() {
        Element link = page().selectFirst("a");
        assertEquals("http://host/go?q=1&r=2", link.absUrl("href"));
        assertEquals("/go?q=1&r=2", link.attr("href"));
    }

    @Test public void nothing() {
        assertNull(page().selectFirst("table"));
    }

    @Test public void written() {
        Element div = page().selectFirst("div");
        div.addClass("z").removeClass("x");
        assertTrue(div.hasClass("z"));
        assertEquals("y z", div.className());
        div.selectFirst("i").text("<&>");
        assertEquals("<i>&lt;&amp;&gt;</i>", div.selectFirst("i").outerHtml());
    }
}
