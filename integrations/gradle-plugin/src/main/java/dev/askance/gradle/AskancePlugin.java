package dev.askance.gradle;

import org.gradle.api.Plugin;
import org.gradle.api.Project;
import org.gradle.api.plugins.JavaPlugin;
import org.gradle.api.plugins.JavaPluginConvention;
import org.gradle.api.tasks.SourceSet;

/** Adds the tasks {@code askanceDebug} and {@code askanceCi}, and the block {@code askance}. */
public class AskancePlugin implements Plugin<Project> {
    @Override
    public void apply(Project project) {
        AskanceExtension settings = project.getExtensions().create("askance", AskanceExtension.class);
        project.getTasks().create("askanceCi", CiTask.class, task -> {
            task.settings = settings;
            task.setDescription("Runs a build, and debugs the tests that fail in it.");
            task.setGroup("verification");
        });
        project.getPlugins().withType(JavaPlugin.class, java -> project.getTasks()
                .create("askanceDebug", DebugTask.class, task -> {
                    task.settings = settings;
                    task.setDescription("Debugs the test that --tests names.");
                    task.setGroup("verification");
                    task.dependsOn("testClasses");
                    task.classPath = testClassPath(project);
                }));
    }

    @SuppressWarnings("deprecation")
    private static org.gradle.api.file.FileCollection testClassPath(Project project) {
        return project.getConvention()
                .getPlugin(JavaPluginConvention.class)
                .getSourceSets()
                .getByName(SourceSet.TEST_SOURCE_SET_NAME)
                .getRuntimeClasspath();
    }
}
