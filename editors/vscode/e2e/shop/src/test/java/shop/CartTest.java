package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CartTest {
    @Test
    void everyThirdOneIsFree() {
        Cart cart = new Cart();
        cart.add("book", 1500, 1);
        cart.add("apple", 100, 3);
        cart.add("pen", 250, 4);
        assertEquals(1500 + 2 * 100 + 3 * 250 + 495, cart.toPay());
    }

    @Test
    void shippingIsFreeForMuch() {
        Cart cart = new Cart();
        cart.add("chair", 3500, 1);
        assertEquals(3500, cart.toPay());
    }
}
