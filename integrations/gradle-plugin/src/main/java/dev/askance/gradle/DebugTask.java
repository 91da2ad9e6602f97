package dev.askance.gradle;

import dev.askance.launcher.Commands;
import dev.askance.launcher.Process;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.gradle.api.DefaultTask;
import org.gradle.api.GradleException;
import org.gradle.api.artifacts.Dependency;
import org.gradle.api.file.FileCollection;
import org.gradle.api.tasks.TaskAction;
import org.gradle.api.tasks.options.Option;

/**
 * Debugs a test: {@code gradle askanceDebug --tests CartTest.total}, or {@code -Paskance.tests=…} before Gradle 4.6.
 */
public class DebugTask extends DefaultTask {
    AskanceExtension settings;
    FileCollection classPath;
    private String tests;

    @Option(option = "tests", description = "The test: a class, CLASS.METHOD or CLASS#METHOD.")
    public void setTests(String tests) {
        this.tests = tests;
    }

    @TaskAction
    public void debug() throws IOException {
        String named = tests == null ? AskanceExtension.value(getProject(), "tests", null) : tests;
        if (named == null) {
            throw new GradleException("name the test: --tests CartTest.total");
        }
        List<String> files = new ArrayList<>();
        for (File file : classPath) {
            files.add(file.toString());
        }
        String platform = Commands.platformWithoutConsole(files);
        if (platform != null) {
            files.addAll(console(platform));
        }
        String more = AskanceExtension.value(getProject(), "arguments", "");
        List<String> command = Commands.debug(
                settings.find(getProject()),
                pattern(named),
                files,
                settings.getSuspects(),
                AskanceExtension.value(getProject(), "reference", settings.getReference()),
                Commands.words(more));
        int exit = Process.runThroughStreams(getProject().getProjectDir().toPath(), command);
        if (exit > Commands.LAST_FINDING) {
            throw new GradleException("askance ended with exit code " + exit);
        }
    }

    /** Gradle writes a dot before the method; a method begins with a small letter, a class does not. */
    static String pattern(String named) {
        int dot = named.lastIndexOf('.');
        boolean isMethod = dot >= 0 && !named.contains("#") && Character.isLowerCase(named.charAt(dot + 1));
        return isMethod ? named.substring(0, dot) + "#" + named.substring(dot + 1) : named;
    }

    /** What runs single tests of JUnit 5, in the version of the project's JUnit. */
    private List<String> console(String version) {
        Dependency console =
                getProject().getDependencies().create("org.junit.platform:junit-platform-console:" + version);
        List<String> files = new ArrayList<>();
        for (File file : getProject().getConfigurations().detachedConfiguration(console)) {
            files.add(file.toString());
        }
        return files;
    }
}
