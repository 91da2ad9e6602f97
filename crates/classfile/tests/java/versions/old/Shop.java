import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;

/** The older version: what the other one grafts. */
public class Shop {
    private final List<String> lines = new ArrayList<>();
    private static final int[] STEPS = {1, 2};
    private int discount = 3;

    interface Tax {
        int of(int price);
    }

    enum Kind { FOOD, BOOK, OTHER }

    public static int price(int seed) {
        Shop shop = new Shop();
        IntUnaryOperator twice = price -> price * 2;
        Tax tax = new Tax() {
            @Override
            public int of(int price) {
                return price + shop.discount + shop.rebate(price);
            }
        };
        Supplier<String> text = () -> "old " + seed + shop.lines;
        long large = 123456789012345L + seed;
        try {
            shop.lines.add(text.get());
            switch (Kind.values()[seed % 3]) {
                case FOOD -> large += twice.applyAsInt(seed);
                case BOOK -> large -= tax.of(seed);
                default -> throw new IllegalStateException("other");
            }
        } catch (IllegalStateException other) {
            large = other.getMessage().length();
        }
        return shop.finished((int) large, "a");
    }

    private int rebate(int price) {
        return price / helper(7);
    }

    private int helper(int by) {
        return by + 1;
    }

    private int finished(int price, String grade) {
        switch (grade) {
            case "a":
                return price + STEPS[0];
            case "b":
                return price + STEPS[1];
            default:
                return 0;
        }
    }
}
