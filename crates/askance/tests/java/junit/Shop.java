package shop;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Methods of every sort that tests are made of. */
public class Shop {
    enum Size { SMALL, LARGE { @Override int extra() { return 5; } }; int extra() { return 0; } }

    record Price(int cents, String currency) { }

    static class Item {
        private final String name;
        private int count;
        private double weight;
        Item next;

        Item(String name, int count) { this.name = name; this.count = count; }
        String getName() { return name; }
        int getCount() { return count; }
        void setWeight(double weight) { this.weight = weight; }
        double getWeight() { return weight; }
        void add(int more) { count += more; }
    }

    static class Thing {
        private final int id;
        private String label;
        Thing(int id) { this.id = id; }
        int id() { return id; }
        void setLabel(String label) { this.label = label; }
    }

    static class Special extends Thing {
        final long extra;
        Special(long extra, int id) { super(id); this.extra = extra; }
    }

    private static class Hidden { int seen; }

    static int total;
    private final Map<String, Integer> stock = new HashMap<>();

    static long sum(int[] values, boolean twice) {
        long sum = 0;
        for (int value : values) sum += value;
        return twice ? 2 * sum : sum;
    }

    static void reverse(char[] text) {
        for (int i = 0, j = text.length - 1; i < j; i++, j--) { char c = text[i]; text[i] = text[j]; text[j] = c; }
    }

    static List<String> names(List<Item> items) {
        List<String> names = new ArrayList<>();
        for (Item item : items) names.add(item.getName());
        return names;
    }

    static Map<String, Integer> count(String[] words) {
        Map<String, Integer> counts = new HashMap<>();
        for (String word : words) counts.merge(word, 1, Integer::sum);
        return counts;
    }

    static Price price(Size size, Integer cents, String currency) { return new Price(cents + size.extra(), currency); }

    static double half(double value) { return value / 2; }

    static String greet(String name) { return "Hello, \"" + name + "\"\n"; }

    static Item restock(Item item, int more) { item.add(more); return item; }

    static long worth(Special special) { return special.id() * special.extra; }

    static int bump(int by) { total += by; return total; }

    static int check(int value) { if (value < 0) throw new IllegalArgumentException("negative"); return value; }

    private static int secret(int value) { return value + 1; }

    static int look(Hidden hidden) { return hidden.seen; }

    static int wrong(int a, int b) { return a - b; }

    static void wrongInPlace(int[] values) { values[0] = -values[0]; }

    int stocked(String name) { return stock.getOrDefault(name, 0); }

    public static void main(String[] arguments) {
        sum(new int[] {1, 2, 3}, true);
        reverse(new char[] {'a', '\'', 'é'});
        Item item = new Item("pen", 3);
        item.setWeight(0.5);
        List<Item> items = new ArrayList<>();
        items.add(item);
        items.add(new Item("ink", 1));
        names(items);
        count(new String[] {"a", "b", "a"});
        price(Size.LARGE, 100, "EUR");
        half(5);
        greet("Zoë");
        restock(item, 4);
        Special special = new Special(7, 6);
        special.setLabel("gift");
        worth(special);
        total = 10;
        bump(3);
        try { check(-1); } catch (IllegalArgumentException expected) { }
        secret(1);
        look(new Hidden());
        wrong(2, 3);
        wrongInPlace(new int[] {7, 8});
        new Shop().stocked("pen");
    }
}
