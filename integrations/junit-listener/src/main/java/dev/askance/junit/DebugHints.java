package dev.askance.junit;

import java.io.File;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Says for the tests that failed by which commands they are debugged. */
public final class DebugHints implements TestExecutionListener {
    /** More of them help nobody. */
    private static final int MOST = 10;

    private final Set<String> failed = new LinkedHashSet<>();

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        Optional<TestSource> source = test.getSource();
        if (result.getStatus() == TestExecutionResult.Status.FAILED
                && test.isTest()
                && source.isPresent()
                && source.get() instanceof MethodSource) {
            MethodSource method = (MethodSource) source.get();
            failed.add(method.getClassName() + "#" + method.getMethodName());
        }
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        if (failed.isEmpty()) {
            return;
        }
        StringBuilder text = new StringBuilder("To find out which call is to blame:");
        int told = 0;
        for (String test : failed) {
            if (told++ == MOST) {
                text.append("\n  (and ").append(failed.size() - MOST).append(" more)");
                break;
            }
            text.append("\n  ").append(command(test));
        }
        System.err.println(text);
        failed.clear();
    }

    /** By the build tool where one runs the tests: it knows more than the class path. */
    private static String command(String test) {
        if (System.getProperty("org.gradle.test.worker") != null) {
            String gradle = new File("gradlew").canExecute() ? "./gradlew" : "gradle";
            return "askance debug -- " + gradle + " test --tests '" + test.replace('#', '.') + "'";
        }
        if (System.getProperty("surefire.test.class.path") != null
                || System.getProperty("surefire.real.class.path") != null) {
            return "askance debug -- mvn -q test '-Dtest=" + test + "'";
        }
        return "askance debug --test '" + test + "' -cp '" + System.getProperty("java.class.path") + "'";
    }
}
