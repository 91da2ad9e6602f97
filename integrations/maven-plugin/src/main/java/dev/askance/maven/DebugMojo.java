package dev.askance.maven;

import dev.askance.launcher.Commands;
import dev.askance.launcher.Process;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.apache.maven.artifact.DependencyResolutionRequiredException;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.Component;
import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.collection.CollectRequest;
import org.eclipse.aether.graph.Dependency;
import org.eclipse.aether.resolution.ArtifactResult;
import org.eclipse.aether.resolution.DependencyRequest;
import org.eclipse.aether.resolution.DependencyResolutionException;

/** Compiles the tests, and debugs the one that is named: {@code mvn askance:debug -Dtest=CartTest#total}. */
@Mojo(name = "debug", requiresDependencyResolution = ResolutionScope.TEST)
@Execute(phase = LifecyclePhase.TEST_COMPILE)
public class DebugMojo extends AskanceMojo {
    /** A class, or one of its tests: {@code CartTest#total}. */
    @Parameter(property = "test", required = true)
    private String test;

    /** Classes that count as own code besides those of the project, such as {@code org.acme.*}. */
    @Parameter(property = "askance.suspects")
    private List<String> suspects = Collections.emptyList();

    /** Further words for {@code askance debug}, such as {@code --non-interactive --json}. */
    @Parameter(property = "askance.arguments")
    private String arguments;

    @Component
    private RepositorySystem repositories;

    @Override
    public void execute() throws MojoExecutionException {
        try {
            Path classes = Paths.get(project.getBuild().getTestOutputDirectory());
            if (!isIn(classes)) {
                getLog().info("there is no test class " + className() + " in this module");
                return;
            }
            List<String> command = Commands.debug(
                    executable(), test, classPath(), suspects, reference, Commands.words(arguments));
            int exit = Process.run(project.getBasedir().toPath(), command);
            if (exit > Commands.LAST_FINDING) {
                throw new MojoExecutionException("askance ended with exit code " + exit);
            }
        } catch (IOException | DependencyResolutionRequiredException | DependencyResolutionException e) {
            throw new MojoExecutionException(e.getMessage(), e);
        }
    }

    private String className() {
        int method = test.indexOf('#');
        return method < 0 ? test : test.substring(0, method);
    }

    /** A module of several is passed over if the class is not its own. */
    private boolean isIn(Path classes) throws IOException {
        if (!Files.isDirectory(classes)) {
            return false;
        }
        String file = className().replace('.', '/') + ".class";
        try (Stream<Path> files = Files.walk(classes)) {
            return files.anyMatch(each -> each.endsWith(file));
        }
    }

    private List<String> classPath() throws DependencyResolutionRequiredException, DependencyResolutionException {
        List<String> classPath = new ArrayList<>(project.getTestClasspathElements());
        String platform = Commands.platformWithoutConsole(classPath);
        if (platform != null) {
            classPath.addAll(console(platform));
        }
        return classPath;
    }

    /** What runs single tests of JUnit 5, in the version of the project's JUnit. */
    private List<String> console(String version) throws DependencyResolutionException {
        String console = "org.junit.platform:junit-platform-console:" + version;
        CollectRequest wanted = new CollectRequest(
                new Dependency(new DefaultArtifact(console), "runtime"), project.getRemoteProjectRepositories());
        List<String> files = new ArrayList<>();
        DependencyRequest request = new DependencyRequest(wanted, null);
        for (ArtifactResult result :
                repositories.resolveDependencies(session.getRepositorySession(), request).getArtifactResults()) {
            files.add(result.getArtifact().getFile().toString());
        }
        return files;
    }
}
