import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.jsoup.Jsoup;
import org.jsoup.safety.Safelist;
import org.junit.Test;

/** What a safelist lets through. */
public class CleaningTest {
    @Test public void scriptsGo() {
        assertEquals("<p>Hello</p>", Jsoup.clean("<p>Hello<script>alert(1)</script></p>", Safelist.relaxed()));
    }

    @Test public void textOnly() {
        assertEquals("Hello world", Jsoup.clean("<p>Hello <b>world</b></p>", Safelist.none()));
    }

    @Test public void simpleTags() {
        assertEquals("<b>bold</b> link", Jsoup.clean("<b>bold</b> <a href='/x'>link</a>", Safelist.simpleText()));
    }

    @Test public void linksGetNofollow() {
        String clean = Jsoup.clean("<a href='http://a.b/c'>link</a>", Safelist.basic());
        assertEquals("<a href=\"http://a.b/c\" rel=\"nofollow\">link</a>", clean);
    }

    @Test public void handlersGo() {
        String clean = Jsoup.clean("<img src='http://a.b/i.png' onclick='x()' alt='i'>", Safelist.basicWithImages());
        assertEquals("<img src=\"http://a.b/i.png\" alt=\"i\">", clean);
    }

    @Test public void protocolsAreChecked() {
        assertEquals("<a rel=\"nofollow\">x</a>", Jsoup.clean("<a href='javascript:x()'>x</a>", Safelist.basic()));
    }

    @Test public void validOrNot() {
        assertTrue(Jsoup.isValid("<b>ok</b>", Safelist.basic()));
        assertFalse(Jsoup.isValid("<b onclick='x()'>no</b>", Safelist.basic()));
    }

    @Test public void addedTags() {
        Safelist list = Safelist.none().addTags("mark").addAttributes("mark", "id");
        assertEquals("<mark id=\"1\">x</mark>", Jsoup.clean("<mark id=1 class=c>x</mark>", list));
    }

    @Test public void removedTags() {
        assertEquals("x", Jsoup.clean("<b>x</b>", Safelist.basic().removeTags("b")));
    }
}
