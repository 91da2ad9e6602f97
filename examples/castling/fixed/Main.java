/** Castles on both sides of a chessboard, after a rehearsal of the moves along the first rank. */
public class Main {
    public static void main(String[] args) {
        Chess chess = new Chess();
        Position trainee = new Position(1, 1);
        chess.rehearse(trainee);
        System.out.println("rehearsal ends on " + trainee.square());

        Position king = new Position(5, 1);
        Position rook = new Position(8, 1);
        chess.castleShort(rook, king);
        System.out.println("short: king " + king.square() + ", rook " + rook.square());

        king = new Position(5, 1);
        rook = new Position(1, 1);
        chess.castleLong(rook, king);
        System.out.println("long: king " + king.square() + ", rook " + rook.square());
    }
}
