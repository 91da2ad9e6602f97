package java.lang;

/**
 * What a recorded program starts is recorded as well: the commands of the JVMs that it starts get the recorder's
 * options.
 *
 * <p>Called at the beginning of {@code ProcessImpl}'s constructor, which has everything as the system takes it:
 * arguments and environment are blocks of bytes in which each entry ends with a zero. A command that is left alone
 * keeps its blocks. None of these methods may throw: they stand in the middle of the JDK's own code.
 */
public final class AskanceChildren {
    private AskanceChildren() {}

    /** The arguments that the program gets instead. */
    public static byte[] arguments(byte[] program, byte[] arguments, byte[] environment) {
        byte[] changed = argumentsWithRecorder(program, arguments, environment);
        return changed == null ? arguments : changed;
    }

    /** The environment that the program gets instead; {@code null} is that of this process. */
    public static byte[] environment(byte[] program, byte[] environment) {
        byte[] changed = environmentWithRecorder(program, environment);
        return changed == null ? environment : changed;
    }

    /** How many entries a block has; what it was before if there is no block. */
    public static int count(byte[] block, int before) {
        if (block == null) {
            return before;
        }
        int count = 0;
        for (byte b : block) {
            if (b == 0) {
                count++;
            }
        }
        return count;
    }

    private static native byte[] argumentsWithRecorder(byte[] program, byte[] arguments, byte[] environment);

    private static native byte[] environmentWithRecorder(byte[] program, byte[] environment);
}
