import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What programs do all day: split a text, count in a map, sort the entries. */
public class Workload {
    private static final String[] SYLLABLES = {"ka", "to", "mi", "re", "su", "no", "la", "vi"};

    public static void main(String[] args) {
        int scale = Integer.parseInt(args[0]);
        String text = text(20_000);
        long checksum = 0;
        for (int round = 0; round < scale; round++) {
            Map<String, Counter> counters = count(text);
            for (Counter counter : mostFrequent(counters, 20)) {
                checksum = checksum * 31 + counter.word.hashCode() + counter.count;
            }
        }
        System.out.println("checksum " + checksum);
        try {
            mostFrequent(new HashMap<>(), 1);
        } catch (IndexOutOfBoundsException e) {
            System.out.println("expected: " + e.getMessage());
        }
    }

    static String text(int words) {
        StringBuilder text = new StringBuilder();
        int state = 7;
        for (int i = 0; i < words; i++) {
            int syllables = 1 + (state >>> 4) % 3;
            for (int s = 0; s < syllables; s++) {
                state = (state * 75 + 74) % 65537;
                text.append(SYLLABLES[(state >>> 3) % SYLLABLES.length]);
            }
            text.append(i % 11 == 10 ? ".\n" : " ");
        }
        return text.toString();
    }

    static Map<String, Counter> count(String text) {
        Map<String, Counter> counters = new HashMap<>();
        Words words = new Words(text);
        for (String word = words.next(); word != null; word = words.next()) {
            counters.computeIfAbsent(word, Counter::new).increment();
        }
        return counters;
    }

    static List<Counter> mostFrequent(Map<String, Counter> counters, int limit) {
        List<Counter> sorted = new ArrayList<>(counters.values());
        sorted.sort(Comparator.comparingInt(Counter::count).reversed()
            .thenComparing(Counter::word));
        return sorted.subList(0, limit);
    }

    static final class Counter {
        final String word;
        int count;

        Counter(String word) {
            this.word = word;
        }

        void increment() {
            count++;
        }

        int count() {
            return count;
        }

        String word() {
            return word;
        }
    }

    /** Goes through a text word by word. */
    static final class Words {
        private final String text;
        private int position;

        Words(String text) {
            this.text = text;
        }

        String next() {
            while (position < text.length() && !isLetter(text.charAt(position))) {
                position++;
            }
            int start = position;
            while (position < text.length() && isLetter(text.charAt(position))) {
                position++;
            }
            return start == position ? null : text.substring(start, position);
        }

        private static boolean isLetter(char c) {
            return c >= 'a' && c <= 'z';
        }
    }
}
