package dev.askance.maven;

import dev.askance.launcher.Commands;
import dev.askance.launcher.Process;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.maven.execution.MavenExecutionRequest;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/** Runs a build of this project, and debugs the tests that fail in it: {@code mvn askance:ci}. */
@Mojo(name = "ci", aggregator = true)
public class CiMojo extends AskanceMojo {
    /** The phases and goals of the build. */
    @Parameter(property = "askance.goals", defaultValue = "verify")
    private String goals;

    /** The folder of the findings. */
    @Parameter(property = "askance.report", defaultValue = "askance-report")
    private String report;

    @Override
    public void execute() throws MojoExecutionException, MojoFailureException {
        try {
            List<String> command = Commands.ci(executable(), report, reference, build());
            int exit = Process.run(project.getBasedir().toPath(), command);
            if (exit != 0) {
                throw new MojoFailureException("the build ended with exit code " + exit + "; what was found out is in "
                        + new File(project.getBasedir(), report));
            }
        } catch (IOException e) {
            throw new MojoExecutionException(e.getMessage(), e);
        }
    }

    /** Maven with what it was told now. */
    private List<String> build() {
        MavenExecutionRequest request = session.getRequest();
        String home = session.getSystemProperties().getProperty("maven.home");
        List<String> words = new ArrayList<>();
        words.add(home == null ? "mvn" : home + "/bin/mvn");
        words.add("-B");
        if (session.isOffline()) {
            words.add("-o");
        }
        if (request.getUserSettingsFile() != null && request.getUserSettingsFile().isFile()) {
            words.add("-s");
            words.add(request.getUserSettingsFile().toString());
        }
        if (!request.getActiveProfiles().isEmpty()) {
            words.add("-P" + String.join(",", request.getActiveProfiles()));
        }
        for (Map.Entry<Object, Object> property : session.getUserProperties().entrySet()) {
            if (!property.getKey().toString().startsWith("askance.")) {
                words.add("-D" + property.getKey() + "=" + property.getValue());
            }
        }
        words.addAll(Commands.words(goals));
        return words;
    }
}
