import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/** The newer version: other numbers for the same lambdas and classes, and other code. */
public class Shop {
    private final List<String> lines = new ArrayList<>();
    private static final Integer ADDED = Integer.valueOf("20");
    private final int discount = Integer.parseInt("5");

    interface Tax {
        int of(int price);
    }

    enum Kind { FOOD, BOOK, OTHER }

    static Runnable added() {
        Runnable first = () -> System.out.println("new lambda");
        return new Runnable() {
            @Override
            public void run() {
                first.run();
            }
        };
    }

    public static int price(int seed) {
        Shop shop = new Shop();
        IntUnaryOperator none = price -> price;
        IntUnaryOperator twice = price -> price * 2;
        Tax tax = new Tax() {
            @Override
            public int of(int price) {
                return price + shop.discount;
            }
        };
        Supplier<String> text = () -> "new " + seed + shop.lines;
        long large = 5 + none.applyAsInt(seed);
        shop.lines.add(text.get());
        large += twice.applyAsInt(seed) + tax.of(seed);
        return shop.finished((int) large, "b");
    }

    private int finished(int price, String grade) {
        switch (grade) {
            case "a":
                return price + 10;
            case "b":
                return price + ADDED;
            default:
                return 0;
        }
    }
}
