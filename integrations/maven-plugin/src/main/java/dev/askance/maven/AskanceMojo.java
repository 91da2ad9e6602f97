package dev.askance.maven;

import dev.askance.launcher.Executable;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;

/** What both goals are told. */
abstract class AskanceMojo extends AbstractMojo {
    @Parameter(defaultValue = "${project}", readonly = true, required = true)
    MavenProject project;

    @Parameter(defaultValue = "${session}", readonly = true, required = true)
    MavenSession session;

    /** The executable, if it is not the one on the path. */
    @Parameter(property = "askance.executable")
    private String executable;

    /** The archive of a release to be downloaded if there is no executable. */
    @Parameter(property = "askance.release")
    private String release;

    /** The SHA-256 of that archive. */
    @Parameter(property = "askance.sha256")
    private String sha256;

    /** A version that works: a revision, or what else `--reference` takes. */
    @Parameter(property = "askance.reference")
    String reference;

    Path executable() throws MojoExecutionException {
        try {
            return new Executable(executable, release, sha256, System.getenv()).find();
        } catch (IOException e) {
            throw new MojoExecutionException(e.getMessage());
        }
    }
}
