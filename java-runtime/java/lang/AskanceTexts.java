package java.lang;

import jdk.internal.misc.Unsafe;

/**
 * What objects say of themselves: the text that {@code toString} gives, of classes of which the user wants it.
 *
 * <p>Everything else of the recorder keeps away from the program's code; this calls it, because the user asked for
 * that. What the call does is not recorded, what it throws goes nowhere, and a call within it asks for no texts. It
 * may take locks and change things all the same, which only the user can rule out.
 */
public final class AskanceTexts {
    private static final Unsafe U = Unsafe.getUnsafe();
    private static final byte TEXT = 0x1e;
    private static final int TEXT_SIZE = 9;
    private static final int LONGEST = 1000;
    /** How far a text may have come that is made of a secret. */
    private static final int SECRET_DEPTH = 4;

    /** What was noted last, by the numbers of the objects: most are asked many times before they say something else. */
    private static final AskanceTexts[] LAST = new AskanceTexts[4096];

    private final int id;
    private final String text;

    private AskanceTexts(int id, String text) {
        this.id = id;
        this.text = text;
    }

    private boolean is(int id, String text) {
        return this.id == id && (text == null ? this.text == null : text.equals(this.text));
    }

    /** A call gets the object or is about to give it back: notes its text, if it is another than before. */
    public static void note(Object o) {
        try {
            AskanceRecorder r = AskanceRecorder.current();
            if (o != null && !r.isSilent() && AskanceTypes.of(o.getClass(), r).saysText) {
                note(o, r);
            }
        } catch (Throwable thrown) {
            // No stack or no memory left for this: the program goes on without.
        }
    }

    private static void note(Object o, AskanceRecorder r) {
        int id = r.id(o);
        String text = shortened(r.textOf(o), r);
        AskanceTexts last = LAST[id & LAST.length - 1];
        if (last != null && last.is(id, text)) {
            return;
        }
        if (AskanceSecrets.reaches(o, SECRET_DEPTH, r)) {
            AskanceSecrets.secret(text, r);
        }
        int noted = r.id(text);
        long p = r.roomForEvent(TEXT_SIZE);
        U.putInt(p + 1, id);
        U.putInt(p + 5, noted);
        U.putByte(p, TEXT);
        r.events = p + TEXT_SIZE;
        LAST[id & LAST.length - 1] = new AskanceTexts(id, text);
    }

    private static String shortened(String text, AskanceRecorder r) {
        if (text == null || text.length() <= LONGEST) {
            return text;
        }
        String shortened = text.substring(0, LONGEST).concat("\u2026");
        AskanceSecrets.carried(shortened, text, r);
        return shortened;
    }
}
