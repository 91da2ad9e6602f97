package shop;

import static org.junit.Assert.assertEquals;

import org.junit.Assume;
import org.junit.Before;
import org.junit.Test;

public class CartTest {
    private Cart cart;

    @Before
    public void filled() {
        cart = new Cart();
        cart.add(5, 2);
    }

    @Test
    public void size() {
        assertEquals(1, cart.size());
    }

    @Test
    public void total() {
        int total = cart.total();
        assertEquals("total", 10, total);
    }

    @Test(expected = IllegalArgumentException.class)
    public void negative() {
        cart.add(-1, 1);
    }

    @Test(expected = IllegalArgumentException.class)
    public void none() {
        cart.add(1, 0);
    }

    @Test
    public void assumed() {
        Assume.assumeTrue(cart.size() > 3);
    }

    @Test(timeout = 200)
    public void endless() {
        int size = cart.size();
        while (size > 0) {
            try {
                Thread.sleep(5);
            } catch (InterruptedException toldToStop) {
                size = 2;
            }
        }
    }
}
