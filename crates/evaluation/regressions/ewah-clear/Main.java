import com.googlecode.javaewah.EWAHCompressedBitmap;

/** Combines bitmaps after a bit of one was cleared that lies far behind its end. */
public class Main {
    public static void main(String[] args) {
        EWAHCompressedBitmap cleared = new EWAHCompressedBitmap();
        EWAHCompressedBitmap other = new EWAHCompressedBitmap();
        cleared.clear(70583);
        other = other.xor(cleared);
        other.set(43013);
        other = other.xor(cleared);
        System.out.println("bits: " + other.cardinality());
        System.out.println("the last one: " + other.reverseIntIterator().next());
    }
}
