package dev.askance.gradle;

import dev.askance.launcher.Executable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.gradle.api.GradleException;
import org.gradle.api.Project;

/**
 * What a build script says in its block {@code askance}. A property of the same name wins: {@code
 * -Paskance.reference=…}.
 */
public class AskanceExtension {
    private String executable;
    private String release;
    private String sha256;
    private String reference;
    private String report = "askance-report";
    private List<String> suspects = new ArrayList<>();

    /** The executable, if it is not the one on the path. */
    public String getExecutable() {
        return executable;
    }

    public void setExecutable(String executable) {
        this.executable = executable;
    }

    /** The archive of a release to be downloaded if there is no executable, whose sum is {@link #getSha256}. */
    public String getRelease() {
        return release;
    }

    public void setRelease(String release) {
        this.release = release;
    }

    public String getSha256() {
        return sha256;
    }

    public void setSha256(String sha256) {
        this.sha256 = sha256;
    }

    /** A version that works. */
    public String getReference() {
        return reference;
    }

    public void setReference(String reference) {
        this.reference = reference;
    }

    /** The folder of the findings of {@code askanceCi}. */
    public String getReport() {
        return report;
    }

    public void setReport(String report) {
        this.report = report;
    }

    /** Classes that count as own code besides those of the project. */
    public List<String> getSuspects() {
        return suspects;
    }

    public void setSuspects(List<String> suspects) {
        this.suspects = suspects;
    }

    static String value(Project project, String name, String configured) {
        Object given = project.findProperty("askance." + name);
        return given == null ? configured : given.toString();
    }

    Path find(Project project) {
        try {
            return new Executable(
                            value(project, "executable", executable),
                            value(project, "release", release),
                            value(project, "sha256", sha256),
                            System.getenv())
                    .find();
        } catch (IOException e) {
            throw new GradleException(e.getMessage());
        }
    }
}
