package shop;

import static org.hamcrest.CoreMatchers.is;
import static org.hamcrest.MatcherAssert.assertThat;

import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

@RunWith(Parameterized.class)
public class PricesTest {
    @Parameterized.Parameters
    public static List<Object[]> prices() {
        return List.of(new Object[] {0, 0}, new Object[] {3, 6});
    }

    private final int price;
    private final int expected;

    public PricesTest(int price, int expected) {
        this.price = price;
        this.expected = expected;
    }

    @Test
    public void twoPieces() {
        Cart cart = new Cart();
        cart.add(price, 2);
        assertThat(cart.total(), is(expected));
    }
}
