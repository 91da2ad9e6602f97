package dev.askance.gradle;

import dev.askance.launcher.Commands;
import dev.askance.launcher.Process;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.gradle.api.DefaultTask;
import org.gradle.api.GradleException;
import org.gradle.api.tasks.TaskAction;

/** Runs a build by a Gradle of its own, and debugs the tests that fail in it: {@code gradle askanceCi}. */
public class CiTask extends DefaultTask {
    AskanceExtension settings;

    @TaskAction
    public void run() throws IOException {
        File root = getProject().getRootDir();
        String report = AskanceExtension.value(getProject(), "report", settings.getReport());
        List<String> build = new ArrayList<>();
        build.add(gradle(root));
        if (getProject().getGradle().getStartParameter().isOffline()) {
            build.add("--offline");
        }
        build.addAll(Commands.words(AskanceExtension.value(getProject(), "tasks", "check")));
        List<String> command = Commands.ci(
                settings.find(getProject()),
                report,
                AskanceExtension.value(getProject(), "reference", settings.getReference()),
                build);
        int exit = Process.runThroughStreams(root.toPath(), command);
        if (exit != 0) {
            throw new GradleException("the build ended with exit code " + exit + "; what was found out is in "
                    + new File(root, report));
        }
    }

    /** The wrapper of the project, or the Gradle that runs this. */
    private String gradle(File root) {
        File wrapper = new File(root, "gradlew");
        File home = getProject().getGradle().getGradleHomeDir();
        if (wrapper.canExecute()) {
            return wrapper.toString();
        }
        return home == null ? "gradle" : new File(home, "bin/gradle").toString();
    }
}
