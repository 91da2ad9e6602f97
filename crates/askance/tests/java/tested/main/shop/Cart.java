package shop;

import java.util.ArrayList;
import java.util.List;

/** The planted bug: `lineTotal` leaves out one piece. */
public class Cart {
    private final List<Integer> lines = new ArrayList<>();
    private int percent;

    public void add(int price, int quantity) {
        if (price < 0) throw new IllegalArgumentException("negative price");
        lines.add(lineTotal(price, quantity));
    }

    public void discount(int percent) {
        this.percent = percent;
    }

    int lineTotal(int price, int quantity) {
        int total = 0;
        for (int i = 1; i < quantity; i++) {
            total += price;
        }
        return total;
    }

    public int total() {
        int sum = 0;
        for (int line : lines) {
            sum += line;
        }
        return reduced(sum);
    }

    int reduced(int sum) {
        return sum - sum * percent / 100;
    }

    public int dearest() {
        return lines.get(lines.size());
    }

    public int size() {
        return lines.size();
    }
}
