package askance;

import org.junit.internal.TextListener;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.manipulation.Filter;

/**
 * Runs one method of a JUnit 3 or 4 test class, with all of its parameters, as JUnitCore runs the whole class: that one
 * takes no method. The class is compiled against JUnit and is loaded only where JUnit is on the class path.
 */
public final class OneTest extends Filter {
    private final String method;

    private OneTest(String method) {
        this.method = method;
    }

    public static void main(String[] arguments) throws Exception {
        Class<?> tests = Class.forName(arguments[0], false, OneTest.class.getClassLoader());
        JUnitCore core = new JUnitCore();
        core.addListener(new TextListener(System.out));
        Request request = Request.aClass(tests).filterWith(new OneTest(arguments[1]));
        System.exit(core.run(request).wasSuccessful() ? 0 : 1);
    }

    @Override
    public boolean shouldRun(Description description) {
        if (description.isTest()) {
            return isMeant(description.getMethodName());
        }
        for (Description child : description.getChildren()) {
            if (shouldRun(child)) {
                return true;
            }
        }
        return false;
    }

    /** A run with parameters is called {@code total[2]}, {@code total[2: a]} or {@code total(a) [2]}. */
    private boolean isMeant(String name) {
        if (name == null || !name.startsWith(method)) {
            return false;
        }
        return name.length() == method.length() || "[( ".indexOf(name.charAt(method.length())) >= 0;
    }

    @Override
    public String describe() {
        return "method " + method;
    }
}
