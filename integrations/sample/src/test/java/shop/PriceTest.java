package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PriceTest {
    @Test
    void halvesAreRoundedUp() {
        assertEquals(11, Price.withTax(10, 5));
    }

    @Test
    void nothingCostsNothing() {
        assertEquals(0, Price.withTax(0, 19));
    }
}
