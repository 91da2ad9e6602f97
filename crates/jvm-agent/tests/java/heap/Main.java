import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/** Changes objects, arrays, statics and collections in all ways it can think of. */
class Main {
    enum Colour {
        RED, GREEN
    }

    static class All implements Cloneable, Serializable {
        boolean z;
        byte b;
        char c;
        short s;
        int i;
        float f;
        long j;
        double d;
        String text;
        Object object;
        Colour colour;
        int[] array;
        transient int transientInt = 5;

        All fill(int n) {
            z = n % 2 == 0;
            b = (byte) -n;
            c = (char) (n * 1000);
            s = (short) (n * -1000);
            i = n;
            f = n / 3f;
            j = n * 1L << 40;
            d = -n / 3.0;
            text = "text " + n;
            colour = Colour.values()[n % 2];
            array = new int[] {n, n + 1};
            return this;
        }

        @Override
        public All clone() {
            try {
                return (All) super.clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    static class Sub extends All {
        int own = 3;
        private Object object = "hides";

        void change() {
            own++;
            i += own;
            super.object = this;
            object = null;
            j--;
            ++d;
            array[1] <<= 2;
        }
    }

    static void fields() {
        State.of(new All());
        All all = new All().fill(7);
        State.of(all);
        All copy = all.clone();
        State.of(copy);
        copy.fill(8);
        copy.object = all;
        all.object = copy;
        State.of(all);
        State.of(copy);
        Sub sub = new Sub();
        sub.fill(1);
        State.of(sub);
        sub.change();
        State.of(sub);
    }

    class Inner {
        int seen = Main.this.outer;

        Supplier<Integer> supplier(int captured) {
            String local = "local" + captured;
            return new Supplier<Integer>() {
                int calls;

                @Override
                public Integer get() {
                    State.of(this);
                    return captured + ++calls + local.length() + seen;
                }
            };
        }
    }

    int outer = 4;

    static void captured() {
        Main main = new Main();
        Inner inner = main.new Inner();
        State.of(inner);
        Supplier<Integer> supplier = inner.supplier(11);
        supplier.get();
        supplier.get();
        State.of(supplier);
    }

    static int number;
    static long wide = 1L << 33;
    static String name;
    static final int[] TABLE = {1, 2, 3};
    static boolean flag;
    static double real;

    static void statics() {
        State.ofStatics(Main.class);
        number = 5;
        name = "name";
        flag = true;
        real = 2.5;
        State.ofStatics(Main.class);
        number++;
        wide *= 3;
        TABLE[1] = 9;
        name = null;
        State.ofStatics(Main.class);
    }

    static void arrays() {
        boolean[] z = {true, false, true};
        byte[] b = {1, -2};
        char[] c = "chars".toCharArray();
        short[] s = {3, -4};
        int[] i = {5, -6, 7, 1};
        float[] f = {1.5f, Float.NaN};
        long[] j = {1L << 60, -8};
        double[] d = {-0.0, 2.5};
        Object[] o = {"a", null, 1, z};
        for (Object array : new Object[] {z, b, c, s, i, f, j, d, o}) {
            State.of(array);
        }
        z[1] = true;
        b[0]++;
        c[2] = 'X';
        s[1] *= 2;
        i[0] = i[1] = 12;
        f[1] = 3;
        j[1]--;
        d[0] = 1;
        o[3] = o;
        for (Object array : new Object[] {z, b, c, s, i, f, j, d, o}) {
            State.of(array);
        }
        int[] clone = i.clone();
        clone[3] = 100;
        State.of(clone);
        Arrays.sort(clone);
        State.of(clone);
        Arrays.fill(clone, 1, 3, 55);
        State.of(clone);
        System.arraycopy(i, 0, clone, 2, 2);
        State.of(clone);
        System.arraycopy(o, 0, o, 1, 3);
        State.of(o);
        String[] words = {"pear", "fig", "apple"};
        Arrays.sort(words);
        State.of(words);
        Arrays.sort(words, 0, 2, Comparator.comparing(String::length));
        State.of(words);
        Arrays.setAll(words, n -> "word" + n);
        State.of(words);
        Integer[] boxes = new Integer[40];
        Arrays.fill(boxes, 6);
        Arrays.parallelSort(boxes);
        State.of(boxes);
        State.of(Arrays.copyOfRange(boxes, 38, 42));
        try {
            System.arraycopy(new Object[] {1, 2, "three"}, 0, boxes, 0, 3);
        } catch (ArrayStoreException e) {
            boxes[5] = 55;
        }
        new StringBuilder("builder").getChars(0, 3, c, 1);
        State.of(c);
        Arrays.asList("x", "y").toArray(words);
        State.of(words);
    }

    static void manyDimensions() {
        int[][] grid = new int[2][3];
        State.of(grid);
        grid[1][2] = 7;
        grid[0] = new int[] {9};
        State.of(grid);
        long[][][] cube = new long[2][2][];
        cube[0][1] = new long[] {1, 2};
        State.of(cube);
        Object[][] shared = {null, {1, "two"}, null};
        shared[0] = shared[1];
        shared[2] = shared;
        State.of(shared);
        int[][] copy = grid.clone();
        copy[1][0] = 1;
        State.of(copy);
        State.of(grid);
    }

    static class Early extends Thread {
        final int number;
        final String text;

        Early(int number) {
            super("named " + number);
            this.number = number;
            text = getName();
        }
    }

    static void serialised() throws Exception {
        All all = new Sub().fill(3);
        all.object = new ArrayList<>(Arrays.asList("in", "list"));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(all);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            All back = (All) in.readObject();
            State.of(back);
            back.i = 77;
            State.of(back);
        }
    }

    static void lists() {
        List<Object> list = new ArrayList<>();
        State.of(list);
        for (int n = 0; n < 12; n++) {
            list.add("item" + (n * 7 + 5) % 12);
        }
        State.of(list);
        list.remove(3);
        list.remove("item5");
        list.set(2, null);
        list.add(1, list.get(4));
        list.addAll(0, Arrays.asList(1, 2, 3));
        State.of(list);
        list.removeIf(o -> o instanceof Integer);
        list.replaceAll(o -> o == null ? "null" : o + "!");
        State.of(list);
        list.sort(null);
        State.of(list);
        Collections.reverse(list);
        Iterator<Object> iterator = list.iterator();
        iterator.next();
        iterator.remove();
        list.subList(1, 3).clear();
        ((ArrayList<Object>) list).trimToSize();
        State.of(list);
        list.clear();
        State.of(list);

        LinkedList<Integer> linked = new LinkedList<>(Arrays.asList(1, 2, 3));
        linked.addFirst(0);
        linked.add(2, 15);
        linked.removeLast();
        State.of(linked);
        linked.set(1, null);
        linked.poll();
        State.of(linked);

        ArrayDeque<Integer> deque = new ArrayDeque<>(4);
        for (int n = 0; n < 9; n++) {
            deque.addFirst(n);
            deque.offerLast(-n);
        }
        deque.pop();
        deque.removeFirstOccurrence(-4);
        State.of(deque);

        PriorityQueue<Integer> queue = new PriorityQueue<>(Arrays.asList(5, 1, 4));
        queue.add(3);
        queue.poll();
        State.of(queue);
        queue.remove(4);
        State.of(queue);

        Stack<String> stack = new Stack<>();
        stack.push("bottom");
        stack.push("top");
        stack.pop();
        State.of(stack);
    }

    static class Key {
        final int number;

        Key(int number) {
            this.number = number;
        }

        @Override
        public int hashCode() {
            return number % 4;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key && ((Key) other).number == number;
        }
    }

    static class Registry extends HashMap<String, Integer> {
        int puts;

        @Override
        public Integer put(String key, Integer value) {
            puts++;
            return super.put(key, value);
        }
    }

    static void maps() {
        Map<Object, Object> map = new HashMap<>();
        State.of(map);
        for (int n = 0; n < 20; n++) {
            map.put(new Key(n), n);
        }
        State.of(map);
        map.remove(new Key(4));
        map.put(new Key(5), "five");
        map.merge(new Key(6), 1, (a, b) -> a + "+" + b);
        map.computeIfAbsent(new Key(77), k -> new ArrayList<>(Arrays.asList(k)));
        map.replaceAll((k, v) -> v instanceof Integer ? -(Integer) v : v);
        for (Map.Entry<Object, Object> entry : map.entrySet()) {
            if (entry.getValue().equals(-7)) {
                entry.setValue("seven");
            }
        }
        map.values().removeIf(v -> v.equals(-8));
        State.of(map);
        map.clear();
        State.of(map);

        Map<String, Integer> linked = new LinkedHashMap<>(8, 0.5f, true);
        for (String word : "to be or not to be".split(" ")) {
            linked.merge(word, 1, Integer::sum);
        }
        linked.get("or");
        linked.remove("not");
        State.of(linked);

        TreeMap<Integer, String> tree = new TreeMap<>();
        for (int n = 0; n < 12; n++) {
            tree.put(n * 5 % 12, "v" + n);
        }
        State.of(tree);
        tree.remove(3);
        tree.pollFirstEntry();
        tree.headMap(6).clear();
        tree.floorEntry(9);
        tree.put(9, "new");
        State.of(tree);

        HashSet<String> set = new HashSet<>(Arrays.asList("a", "b", "c"));
        set.remove("b");
        set.add("d");
        State.of(set);

        Registry registry = new Registry();
        registry.put("one", 1);
        registry.put("two", 2);
        State.of(registry);
        State.of(Optional.of(registry));

        Map<Colour, Object> byColour = new EnumMap<>(Colour.class);
        byColour.put(Colour.RED, 1);
        byColour.put(Colour.GREEN, 2);
        byColour.remove(Colour.RED);
        State.of(byColour);

        Map<String, Integer> table = new Hashtable<>();
        for (int n = 0; n < 15; n++) {
            table.put("key" + n, n);
        }
        table.remove("key3");
        State.of(table);

        Map<String, Integer> bounded = new LinkedHashMap<String, Integer>(4, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
                return size() > 2;
            }
        };
        bounded.put("a", 1);
        bounded.put("b", 2);
        bounded.get("a");
        bounded.put("c", 3);
        State.of(bounded);
    }

    static class Same implements Comparable<Same> {
        final int number;

        Same(int number) {
            this.number = number;
        }

        @Override
        public int hashCode() {
            return 1;
        }

        @Override
        public int compareTo(Same other) {
            return Integer.compare(number, other.number);
        }
    }

    static void crowded() {
        BitSet bits = new BitSet();
        bits.set(3);
        bits.set(70, 75);
        bits.flip(3);
        State.of(bits);

        Map<Object, Integer> map = new HashMap<>(128);
        for (int n = 0; n < 30; n++) {
            map.put(new Same(n), n);
        }
        State.of(map.size());
        map.keySet().removeIf(key -> ((Same) key).number % 3 == 0);
        Object[] keys = map.keySet().toArray();
        State.of(keys.length);
        State.of(map);

        Integer[] array = {3, 1, 2};
        List<Integer> view = Arrays.asList(array);
        Collections.reverse(view);
        State.of(array);
        Collections.sort(view);
        view.set(1, 9);
        State.of(view);
    }

    static class Failure extends RuntimeException {
        int code;

        Failure(int code) {
            super("failure " + code);
            this.code = code;
        }
    }

    static void viewsAndIterators() {
        Failure failure = new Failure(3);
        failure.code++;
        State.of(failure);

        List<Integer> list = new ArrayList<>(Arrays.asList(4, 2, 7, 1));
        list.subList(1, 4).sort(null);
        State.of(list);
        Collections.shuffle(list, new Random(1));
        ListIterator<Integer> iterator = list.listIterator();
        iterator.next();
        iterator.set(99);
        iterator.add(98);
        State.of(list);
        list.retainAll(Arrays.asList(99, 7, 1));
        State.of(list);
        Object[] array = new Object[3];
        list.toArray(array);
        State.of(array);
        State.of(list.toArray(new Integer[0]));

        PriorityQueue<Integer> queue = new PriorityQueue<>(Comparator.reverseOrder());
        for (int n = 0; n < 30; n++) {
            queue.add(n * 17 % 31);
        }
        queue.removeIf(n -> n % 5 == 0);
        Iterator<Integer> inQueue = queue.iterator();
        inQueue.next();
        inQueue.remove();
        State.of(queue);

        TreeSet<String> tree = new TreeSet<>(Arrays.asList("x", "a"));
        tree.add("m");
        tree.pollLast();
        State.of(tree);
    }

    static void input() throws IOException {
        char[] chars = new char[4];
        new StringReader("abc").read(chars);
        State.of(chars);
        byte[] bytes = new byte[4];
        new ByteArrayInputStream(new byte[] {1, 2, 3}).read(bytes, 1, 2);
        State.of(bytes);
    }

    static void large() {
        int[] numbers = new int[100_000];
        for (int n = 0; n < numbers.length; n++) {
            numbers[n] = n * 7919 % 100_003;
        }
        Arrays.sort(numbers);
        int[] end = new int[3];
        System.arraycopy(numbers, 99_997, end, 0, 3);
        State.of(end);
    }

    public static void main(String[] arguments) throws Exception {
        fields();
        captured();
        statics();
        arrays();
        manyDimensions();
        new Early(3);
        serialised();
        lists();
        maps();
        viewsAndIterators();
        crowded();
        input();
        large();
    }
}
