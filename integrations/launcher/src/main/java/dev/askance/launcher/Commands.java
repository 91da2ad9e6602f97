package dev.askance.launcher;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The command lines that the plugins run. */
public final class Commands {
    /** Exit codes up to this one tell what was found; those above tell that nothing could be looked for. */
    public static final int LAST_FINDING = 1;

    private Commands() {}

    /** Debugs one test, or the tests of a class. {@code reference} may be {@code null}. */
    public static List<String> debug(
            Path executable,
            String test,
            Collection<String> classPath,
            Collection<String> suspects,
            String reference,
            Collection<String> more) {
        List<String> words = new ArrayList<>();
        words.add(executable.toString());
        words.add("debug");
        words.add("--test");
        words.add(test);
        words.add("--class-path");
        words.add(String.join(File.pathSeparator, classPath));
        for (String suspect : suspects) {
            words.add("--suspect");
            words.add(suspect);
        }
        addReference(words, reference);
        words.addAll(more);
        return words;
    }

    /** Runs a build and debugs what fails in it. */
    public static List<String> ci(Path executable, String report, String reference, List<String> build) {
        List<String> words = new ArrayList<>();
        words.add(executable.toString());
        words.add("ci");
        words.add("--report");
        words.add(report);
        addReference(words, reference);
        words.add("--");
        words.addAll(build);
        return words;
    }

    private static void addReference(List<String> words, String reference) {
        if (reference != null && !reference.isEmpty()) {
            words.add("--reference");
            words.add(reference);
        }
    }

    /** Words between white space. */
    public static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        for (String word : text == null ? new String[0] : text.trim().split("\\s+")) {
            if (!word.isEmpty()) {
                words.add(word);
            }
        }
        return words;
    }

    /**
     * The version of the JUnit Platform on a class path that has no launcher for a console on it, which is needed to
     * run a test alone; {@code null} if there is no such platform, or the launcher is there.
     */
    public static String platformWithoutConsole(Collection<String> classPath) {
        String version = null;
        for (String entry : classPath) {
            String name = new File(entry).getName();
            if (name.startsWith("junit-platform-console-")) {
                return null;
            }
            if (name.startsWith("junit-platform-engine-") && name.endsWith(".jar")) {
                version = name.substring("junit-platform-engine-".length(), name.length() - ".jar".length());
            }
        }
        return version;
    }
}
