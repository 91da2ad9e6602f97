package java.lang;

/**
 * Keeps secrets out of the trace: text that the program holds under a secret's name.
 *
 * <p>Text is a string, a char[] or a byte[]. Once an object is known to be a secret, a bit of its header says so
 * ({@link AskanceIdentity}), and whatever would write its content writes zeros. What was described before that
 * is noted by its number, and overwritten when the run has ended. Text that is made of a secret is one, too.
 */
public final class AskanceSecrets {
    /** Becomes true with the first secret: until then nothing has to be looked at. */
    private static boolean any;

    /** A shorter text has too little in it to tell by its look. */
    private static final int LONG = 16;
    /** In what a machine drew, at least one character in so many is of another kind than the one before, */
    private static final int DRAWN = 6;
    /** and at least so many times a digit stands beside a letter. */
    private static final int MIXED = 3;

    /** The kind of fields that hold objects. */
    private static final int REFERENCE = 8;

    private AskanceSecrets() {}

    /** The description of this object is to be overwritten. */
    private static native void describedBefore(int id);

    /**
     * The text is not to be kept where the program prints it. What was made of a secret need not be known if the
     * secret still stands in it as a whole.
     */
    private static native void keepOut(Object text, int form, boolean isMade);

    private static final int STRING = 0;
    private static final int BYTES = 1;

    /** The value has a secret's name. */
    public static void secret(Object value, AskanceRecorder r) {
        secret(value, r, false);
    }

    private static void secret(Object value, AskanceRecorder r, boolean isMade) {
        if (isText(value)) {
            if (mark(value, r)) {
                keepOut(value, isMade);
            }
        } else if (value instanceof Object[]) {
            for (Object element : (Object[]) value) {
                if (isText(element) && mark(element, r)) {
                    keepOut(element, isMade);
                }
            }
        } else if (value instanceof AbstractStringBuilder) {
            markBuilder((AbstractStringBuilder) value, r);
        }
    }

    /** The value has a name that a parser's words have as well as secrets: it is one if it looks like one. */
    public static void secretIfDrawn(Object value, AskanceRecorder r) {
        if (value instanceof Object[]) {
            for (Object element : (Object[]) value) {
                if (isDrawn(element)) {
                    secret(element, r);
                }
            }
        } else if (isDrawn(value)) {
            secret(value, r);
        }
    }

    /**
     * Whether a machine drew the text, as keys of services and sessions are drawn: it is long, without spaces, and
     * letters and digits alternate as they do in no word, name or number ({@code 0x1f2e} is one). A capital letter
     * before a small one is what words begin with.
     */
    private static boolean isDrawn(Object text) {
        int length = length(text);
        if (length < LONG) {
            return false;
        }
        int changes = 0;
        int mixed = 0;
        int before = SEPARATOR;
        for (int i = 0; i < length; i++) {
            int character = at(text, i);
            if (character <= ' ' || character > '~') {
                return false;
            }
            int kind = kind(character);
            if (before != SEPARATOR && kind != SEPARATOR && kind != before && !(before == CAPITAL && kind == SMALL)) {
                changes++;
                mixed += before == DIGIT || kind == DIGIT ? 1 : 0;
            }
            before = kind;
        }
        boolean isNumber = at(text, 0) == '0' && kind(at(text, 1)) != DIGIT;
        return mixed >= MIXED && changes * DRAWN >= length && !isNumber;
    }

    private static final int SEPARATOR = 0;
    private static final int SMALL = 1;
    private static final int CAPITAL = 2;
    private static final int DIGIT = 3;

    private static int kind(int character) {
        if (character >= 'a' && character <= 'z') {
            return SMALL;
        }
        if (character >= 'A' && character <= 'Z') {
            return CAPITAL;
        }
        return character >= '0' && character <= '9' ? DIGIT : SEPARATOR;
    }

    private static int at(Object text, int index) {
        if (text instanceof String) {
            return ((String) text).charAt(index);
        }
        if (text instanceof char[]) {
            return ((char[]) text)[index];
        }
        return text instanceof byte[] ? ((byte[]) text)[index] : ((AbstractStringBuilder) text).charAt(index);
    }

    /** How much text it is. */
    private static int length(Object value) {
        if (value instanceof String) {
            return ((String) value).length();
        }
        if (value instanceof char[]) {
            return ((char[]) value).length;
        }
        if (value instanceof byte[]) {
            return ((byte[]) value).length;
        }
        return value instanceof AbstractStringBuilder ? ((AbstractStringBuilder) value).count : 0;
    }

    /** The result is made of the source. */
    public static void carried(Object result, Object source, AskanceRecorder r) {
        if (any && holdsSecret(source)) {
            secret(result, r, true);
        }
    }

    private static boolean holdsSecret(Object source) {
        if (source instanceof Object[]) {
            for (Object element : (Object[]) source) {
                if (isSecret(element)) {
                    return true;
                }
            }
        }
        return isSecret(source);
    }

    /** A character that the frame got from the source. */
    public static void valueS(int v, Object source, AskanceRecorder r) {
        AskanceRecorder.valueS(masked(v, source), r);
    }

    /** A byte that the frame got from the source. */
    public static void valueB(int v, Object source, AskanceRecorder r) {
        AskanceRecorder.valueB(masked(v, source), r);
    }

    /** A character or byte of an object that may be a secret. */
    static int masked(int v, Object holder) {
        return any && AskanceIdentity.isSecret(holder) ? 0 : v;
    }

    static boolean isSecret(Object o) {
        return any && o != null && AskanceIdentity.isSecret(o);
    }

    /** Whether the object is a secret, or holds one, or holds what holds one, and so on so many steps. */
    static boolean reaches(Object o, int steps, AskanceRecorder r) {
        if (!any || o == null) {
            return false;
        }
        if (isSecret(o)) {
            return true;
        }
        if (steps == 0) {
            return false;
        }
        if (o instanceof Object[]) {
            for (Object element : (Object[]) o) {
                if (reaches(element, steps - 1, r)) {
                    return true;
                }
            }
            return false;
        }
        AskanceTypes type = AskanceTypes.of(o.getClass(), r);
        for (int i = 0; type.words != null && i < type.words.length; i++) {
            boolean isReference = (type.words[i] & 0xff) == REFERENCE;
            if (isReference && reaches(AskanceObjects.reference(o, type.offsets[i]), steps - 1, r)) {
                return true;
            }
        }
        return false;
    }

    /** A secret builder has moved its text to another array. */
    static void moved(AbstractStringBuilder b, AskanceRecorder r) {
        if (isSecret(b)) {
            mark(AskanceLibrary.textArray(b), r);
        }
    }

    /** The string stands in the code, which the trace has, too: both are overwritten in the end. */
    static void constantDescribed(Object constant, int id) {
        if (isSecret(constant)) {
            describedBefore(id);
        }
    }

    private static boolean isText(Object o) {
        return o instanceof String || o instanceof char[] || o instanceof byte[];
    }

    private static void markBuilder(AbstractStringBuilder b, AskanceRecorder r) {
        mark(AskanceLibrary.textArray(b), r);
        r.id(b);
        AskanceIdentity.markSecret(b);
    }

    private static void keepOut(Object text, boolean isMade) {
        if (text instanceof byte[]) {
            keepOut(text, BYTES, isMade);
        } else {
            keepOut(text instanceof char[] ? new String((char[]) text) : text, STRING, isMade);
        }
    }

    /** Whether it was not known before. */
    private static boolean mark(Object text, AskanceRecorder r) {
        if (AskanceIdentity.isSecret(text) || text instanceof String && ((String) text).isEmpty()) {
            return false;
        }
        any = true;
        int known = AskanceIdentity.known(text);
        int id = known;
        if (known == 0) {
            int fresh = r.freshId();
            id = AskanceIdentity.assign(text, fresh);
            known = id == fresh ? 0 : id;
        }
        boolean first = AskanceIdentity.markSecret(text);
        if (known == 0) {
            r.describe(text, id);
        } else if (first) {
            describedBefore(id);
        }
        return first;
    }
}
