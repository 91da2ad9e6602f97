//! Whether a test failed, told from how its call ended.

use debug_engine::NodeId;
use trace_format::ObjectId;
use trace_store::{CallOutcome, ObjectContent};

use crate::run::JavaRun;
use crate::test_marks::Mark;

/// What became of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TestVerdict {
    Passed,
    /// It decided that it could not be run.
    Skipped,
    /// An exception left it: its class, and its message.
    Threw(String, Option<String>),
    /// It was to throw this and did not.
    DidNotThrow(String),
    /// It had not ended when the run was over.
    NeverEnded,
}

impl TestVerdict {
    #[must_use]
    pub fn is_failure(&self) -> bool {
        !matches!(self, TestVerdict::Passed | TestVerdict::Skipped)
    }

    /// What a failed assertion expected and what it found, as its message says it; `None` if that does not.
    #[must_use]
    pub fn compared(&self) -> Option<(String, String)> {
        match self {
            TestVerdict::Threw(_, Some(message)) => compared(message),
            _ => None,
        }
    }
}

/// How frameworks say what was found instead of what was expected: JUnit and AssertJ, Hamcrest, TestNG.
const INSTEAD: [&str; 4] = ["but was:", "but: was", "but found:", "but found "];

/// The two values of a message such as `total expected:<10> but was:<5>`.
fn compared(message: &str) -> Option<(String, String)> {
    let (before, found) = INSTEAD.iter().find_map(|words| message.split_once(words))?;
    let begins = before.to_lowercase().rfind("expected")? + "expected".len();
    let expected = before.get(begins..)?.trim_start_matches(':').trim();
    let found = found.trim().lines().next().unwrap_or_default().trim();
    let plain = |text: &str| {
        let bare = [('<', '>'), ('[', ']')]
            .into_iter()
            .find_map(|(open, close)| {
                let inner = text.strip_prefix(open)?.strip_suffix(close)?;
                Some(inner.to_owned())
            });
        bare.unwrap_or_else(|| text.to_owned())
    };
    (!expected.is_empty()).then(|| (plain(expected), plain(found)))
}

impl std::fmt::Display for TestVerdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TestVerdict::Passed => f.write_str("passed"),
            TestVerdict::Skipped => f.write_str("was skipped"),
            TestVerdict::Threw(class, message) => match message.as_deref().map(str::trim) {
                None | Some("") => f.write_str(class),
                Some(message) => write!(f, "{class}: {}", message.replace('\n', " ")),
            },
            TestVerdict::DidNotThrow(class) => write!(f, "did not throw {class}"),
            TestVerdict::NeverEnded => f.write_str("did not end"),
        }
    }
}

/// Exceptions by which a test says that it cannot be run.
const SKIPPING: [&str; 5] = [
    "org.junit.AssumptionViolatedException",
    "org.junit.internal.AssumptionViolatedException",
    "org.opentest4j.TestAbortedException",
    "org.opentest4j.TestSkippedException",
    "org.testng.SkipException",
];

pub(super) fn verdict_of(run: &JavaRun, node: NodeId, mark: &Mark) -> TestVerdict {
    let expected = &mark.expected;
    match run.outcome(node) {
        Some(CallOutcome::Threw(exception)) => {
            let (class, message) = thrown(run, exception);
            if SKIPPING.contains(&class.as_str()) {
                TestVerdict::Skipped
            } else if expected.iter().any(|expected| is_a(run, &class, expected)) {
                TestVerdict::Passed
            } else {
                TestVerdict::Threw(class, message)
            }
        }
        Some(CallOutcome::Returned(_)) => match expected.is_empty() {
            true => TestVerdict::Passed,
            false => TestVerdict::DidNotThrow(expected.join(" or ").replace('/', ".")),
        },
        Some(CallOutcome::Open) => TestVerdict::NeverEnded,
        Some(CallOutcome::Lost) | None => TestVerdict::Threw("an exception".to_owned(), None),
    }
}

/// The class of an exception and its message.
pub fn thrown(run: &JavaRun, exception: ObjectId) -> (String, Option<String>) {
    let Some(object) = run.read(run.trace().object(exception)).flatten() else {
        return ("an exception".to_owned(), None);
    };
    let message = match object.content {
        ObjectContent::Throwable { message, .. } => message,
        _ => None,
    };
    (object.class_name.unwrap_or_default(), message)
}

/// Whether an exception of this class is one of the expected class. The classes of the JDK are not in
/// the trace: of those it is known which are unchecked.
fn is_a(run: &JavaRun, class: &str, expected: &str) -> bool {
    let internal = class.replace('.', "/");
    let mut last = internal.clone();
    for (name, declared) in run.classes().chain(&internal) {
        if name == expected {
            return true;
        }
        last = declared.super_name.clone().unwrap_or_default();
    }
    let is_error = last.ends_with("Error");
    last == expected
        || match expected {
            "java/lang/Throwable" => true,
            "java/lang/Exception" => !is_error,
            "java/lang/Error" => is_error,
            "java/lang/RuntimeException" => UNCHECKED.contains(&last.as_str()),
            "java/lang/IllegalArgumentException" => last == "java/lang/NumberFormatException",
            "java/lang/IndexOutOfBoundsException" => last.ends_with("IndexOutOfBoundsException"),
            "java/io/IOException" => last.starts_with("java/io/") || last.starts_with("java/nio/"),
            _ => false,
        }
}

/// The unchecked exceptions that tests expect.
const UNCHECKED: [&str; 17] = [
    "java/lang/ArithmeticException",
    "java/lang/ArrayIndexOutOfBoundsException",
    "java/lang/ArrayStoreException",
    "java/lang/ClassCastException",
    "java/lang/IllegalArgumentException",
    "java/lang/IllegalStateException",
    "java/lang/IndexOutOfBoundsException",
    "java/lang/NegativeArraySizeException",
    "java/lang/NullPointerException",
    "java/lang/NumberFormatException",
    "java/lang/StringIndexOutOfBoundsException",
    "java/lang/UnsupportedOperationException",
    "java/util/ConcurrentModificationException",
    "java/util/EmptyStackException",
    "java/util/InputMismatchException",
    "java/util/NoSuchElementException",
    "java/time/DateTimeException",
];

#[cfg(test)]
mod tests {
    use super::compared;

    #[test]
    fn what_was_expected_is_read_from_messages() {
        for message in [
            "total expected:<10> but was:<5>",
            "expected: <10> but was: <5>",
            "\nexpected: 10\n but was: 5",
            "\nExpected: <10>\n     but: was <5>",
            "expected [10] but found [5]",
        ] {
            let read = compared(message);
            assert_eq!(read, Some(("10".to_owned(), "5".to_owned())), "{message}");
        }
        for message in ["expected", "but was: 3", "the cart is empty", ""] {
            assert_eq!(compared(message), None, "{message}");
        }
    }
}
