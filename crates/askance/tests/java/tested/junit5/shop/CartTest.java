package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CartTest {
    private final Cart cart = new Cart();

    @Test
    void empty() {
        assertEquals(0, cart.total(), "nothing is in it");
    }

    @ParameterizedTest
    @CsvSource({"5,0,0", "5,1,5", "3,4,12"})
    void lines(int price, int quantity, int expected) {
        cart.add(price, quantity);
        check(expected);
    }

    private void check(int expected) {
        assertEquals(expected, cart.total());
    }

    @Nested
    class Discounted {
        @BeforeEach
        void half() {
            cart.discount(50);
        }

        @Test
        void total() {
            cart.add(4, 2);
            assertEquals(4, cart.total());
        }
    }

    @Nested
    class Unprepared {
        @BeforeEach
        void prepare() {
            cart.add(5, 0);
            cart.dearest();
        }

        @Test
        void never() {
            assertEquals(10, cart.total());
        }
    }

    @TestFactory
    Stream<DynamicTest> made() {
        return IntStream.range(1, 3)
                .mapToObj(
                        quantity ->
                                DynamicTest.dynamicTest(
                                        "of " + quantity,
                                        () -> {
                                            Cart other = new Cart();
                                            other.add(quantity - 1, 1);
                                            assertEquals(quantity - 1, other.total());
                                        }));
    }

    @Test
    void assumed() {
        assumeTrue(cart.size() > 3);
    }
}
