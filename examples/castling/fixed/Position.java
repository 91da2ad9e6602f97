/** A square of the board: file {@code x} and rank {@code y}, both from 1 to 8. */
class Position {
    int x;
    int y;

    Position(int x, int y) {
        this.x = x;
        this.y = y;
    }

    void left() {
        x--;
    }

    void right() {
        x++;
    }

    /** The square in chess notation, such as {@code e1}. */
    String square() {
        return (char) ('a' + x - 1) + "" + y;
    }
}
