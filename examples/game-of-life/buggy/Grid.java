/** A square of cells whose edges are joined: what leaves on one side comes in on the other. */
class Grid {
    private final int size;
    private final boolean[][] cells;

    Grid(int size) {
        this.size = size;
        this.cells = new boolean[size][size];
    }

    Grid(String[] rows) {
        this(rows.length);
        for (int y = 0; y < size; y++) {
            for (int x = 0; x < size; x++) {
                cells[y][x] = rows[y].charAt(x) == '#';
            }
        }
    }

    /** The generation after this one. */
    Grid next() {
        Grid next = new Grid(size);
        for (int y = 0; y < size; y++) {
            for (int x = 0; x < size; x++) {
                next.cells[y][x] = survives(isAlive(x, y), neighbours(x, y));
            }
        }
        return next;
    }

    /** How many of the eight cells around are alive. */
    private int neighbours(int x, int y) {
        int count = 0;
        for (int dy = -1; dy <= 1; dy++) {
            for (int dx = -1; dx <= 1; dx++) {
                boolean self = dx == 0 || dy == 0;
                if (!self && isAlive(x + dx, y + dy)) {
                    count++;
                }
            }
        }
        return count;
    }

    private boolean isAlive(int x, int y) {
        return cells[wrap(y)][wrap(x)];
    }

    private int wrap(int coordinate) {
        return (coordinate + size) % size;
    }

    private static boolean survives(boolean alive, int neighbours) {
        return neighbours == 3 || alive && neighbours == 2;
    }

    int population() {
        int count = 0;
        for (boolean[] row : cells) {
            for (boolean cell : row) {
                count += cell ? 1 : 0;
            }
        }
        return count;
    }

    String text() {
        StringBuilder text = new StringBuilder();
        for (boolean[] row : cells) {
            for (boolean cell : row) {
                text.append(cell ? '#' : '.');
            }
            text.append('\n');
        }
        return text.toString();
    }
}
