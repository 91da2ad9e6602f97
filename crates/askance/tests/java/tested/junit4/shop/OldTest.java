package shop;

import junit.framework.TestCase;

public class OldTest extends TestCase {
    public void testTotal() {
        Cart cart = new Cart();
        cart.add(5, 2);
        assertEquals(10, cart.total());
    }
}
