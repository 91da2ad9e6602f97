package shop;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class DearestTest {
    @Test
    public void dearest() {
        Cart cart = new Cart();
        cart.add(5, 0);
        assertEquals(0, cart.dearest());
    }
}
