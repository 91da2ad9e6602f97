/**
 * Parses and evaluates in one go.
 *
 * <pre>
 * sum     = product { ("+" | "-") product }
 * product = factor { ("*" | "/") factor }
 * factor  = number | "-" factor | "(" sum ")"
 * </pre>
 */
class Parser {
    private final String text;
    private int position;

    Parser(String text) {
        this.text = text;
    }

    double sum() {
        double value = product();
        while (true) {
            if (accept('+')) {
                value += product();
            } else if (accept('-')) {
                value -= product();
            } else {
                return value;
            }
        }
    }

    private double product() {
        double value = factor();
        while (true) {
            if (accept('*')) {
                value *= factor();
            } else if (accept('/')) {
                value /= factor();
            } else {
                return value;
            }
        }
    }

    private double factor() {
        if (accept('-')) {
            return -factor();
        }
        if (accept('(')) {
            double value = sum();
            if (!accept(')')) {
                throw new IllegalArgumentException("')' expected at " + position);
            }
            return value;
        }
        return number();
    }

    /** Digits, and if there is a point, digits after it. */
    private double number() {
        if (!Character.isDigit(peek())) {
            throw new IllegalArgumentException("number expected at " + position);
        }
        double value = 0;
        while (Character.isDigit(peek())) {
            value = 10 * value + (text.charAt(position++) - '0');
        }
        if (peek() == '.') {
            position++;
            double scale = 1;
            while (Character.isDigit(peek())) {
                scale *= 10;
                value += (text.charAt(position++) - '0') / scale;
            }
        }
        return value;
    }

    void expectEnd() {
        skipSpaces();
        if (position < text.length()) {
            throw new IllegalArgumentException("end expected at " + position);
        }
    }

    private boolean accept(char symbol) {
        skipSpaces();
        if (peek() == symbol) {
            position++;
            skipSpaces();
            return true;
        }
        return false;
    }

    private void skipSpaces() {
        while (peek() == ' ') {
            position++;
        }
    }

    private char peek() {
        return position < text.length() ? text.charAt(position) : '\0';
    }
}
