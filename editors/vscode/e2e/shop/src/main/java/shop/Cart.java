package shop;

import java.util.ArrayList;
import java.util.List;

/** What somebody wants to buy, in cents. */
public class Cart {
    private final List<Item> items = new ArrayList<>();
    private int total;

    public void add(String name, int price, int count) {
        Item item = new Item(name, price, count);
        items.add(item);
        total += costOf(item);
    }

    /** Every third one is free. */
    int costOf(Item item) {
        int free = freeOnes(item.count);
        int paid = item.count - free;
        return paid * item.price;
    }

    int freeOnes(int count) {
        return count / 2;
    }

    int shipping() {
        return total > 3000 ? 0 : 495;
    }

    public int toPay() {
        int sum = total + shipping();
        return sum;
    }
}
