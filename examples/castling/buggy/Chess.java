/** Moves that take more than one piece, or more than one step. */
class Chess {
    /** Walks a piece along its rank from file a to file h and back again. */
    void rehearse(Position piece) {
        while (piece.x < 8) {
            piece.right();
        }
        while (piece.x > 1) {
            piece.left();
        }
    }

    /** King-side castling: the king goes two squares right, the rook jumps over it. */
    void castleShort(Position rook, Position king) {
        rook.left();
        rook.left();
        king.right();
        king.right();
    }

    /** Queen-side castling: the king goes two squares left, the rook jumps over it. */
    void castleLong(Position rook, Position king) {
        rook.right();
        rook.right();
        rook.right();
        king.left();
        king.right();
    }
}
