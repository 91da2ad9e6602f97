/**
 * One call with as many calls below it as the scale has thousands: an order of so many items. The
 * price of one item in the middle is wrong; it is the only one with a price of its own.
 */
public class Workload {
    public static void main(String[] args) {
        int items = 1000 * Integer.parseInt(args[0]);
        System.out.println("checksum " + total(items, items / 2));
        try {
            total(-1, 0);
        } catch (IllegalArgumentException e) {
            System.out.println("expected: " + e.getMessage());
        }
    }

    static long total(int items, int special) {
        if (items < 0) {
            throw new IllegalArgumentException("an order of " + items + " items");
        }
        long total = 0;
        for (int item = 0; item < items; item++) {
            total += item == special ? special(item) : price(item);
        }
        return total;
    }

    static int price(int item) {
        return item % 97 + 3;
    }

    /** The bug: it should be cheaper than the others. */
    static int special(int item) {
        return price(item) + 1;
    }
}
