import java.util.ArrayList;
import java.util.List;

/** Breaks text at spaces and stretches the lines to the full width. */
class Wrapper {
    private final int width;

    Wrapper(int width) {
        this.width = width;
    }

    List<String> wrap(String text) {
        List<String> lines = new ArrayList<>();
        String line = "";
        for (String word : text.split(" ")) {
            if (line.isEmpty()) {
                line = word;
            } else if (fits(line, word)) {
                line = line + " " + word;
            } else {
                lines.add(justify(line));
                line = word;
            }
        }
        lines.add(line);
        return lines;
    }

    /** Whether the word still has room on the line, after a space. */
    boolean fits(String line, String word) {
        return line.length() + word.length() <= width;
    }

    /** Widens the gaps, from the left, until the line has the full width. */
    String justify(String line) {
        String[] words = line.split(" ");
        int gaps = words.length - 1;
        if (gaps == 0) {
            return line;
        }
        int missing = width - line.length();
        StringBuilder justified = new StringBuilder(words[0]);
        for (int i = 1; i < words.length; i++) {
            justified.append(spaces(gapWidth(i - 1, gaps, missing))).append(words[i]);
        }
        return justified.toString();
    }

    /** The width of one gap when {@code missing} more spaces go into all of them. */
    int gapWidth(int gap, int gaps, int missing) {
        int extra = missing / gaps;
        return 1 + extra + (gap < missing % gaps ? 1 : 0);
    }

    String spaces(int count) {
        StringBuilder spaces = new StringBuilder();
        for (int i = 0; i < count; i++) {
            spaces.append(' ');
        }
        return spaces.toString();
    }
}
