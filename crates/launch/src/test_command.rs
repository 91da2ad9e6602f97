//! The command that runs a test class, with the runner that is on the class path.
//!
//! The whole class is run, not only the test that is meant: the tests that pass tell what is right.

use std::ffi::{OsStr, OsString};

use classfile::ClassFile;

use super::class_path::ClassPath;
use java_model::testing::{TestPattern, marks_of};

/// Why a test cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum TestCommandError {
    #[error("there is no class {0} on the class path")]
    NoClass(String),
    #[error("there are several classes {name} on the class path: {}", .classes.join(", "))]
    Ambiguous { name: String, classes: Vec<String> },
    #[error("{0} is a test of JUnit 5, and no runner for it is on the class path")]
    NoLauncher(String),
    #[error(
        "no test framework is on the class path: neither JUnit 4 nor the console launcher of JUnit 5"
    )]
    NoFramework,
}

impl TestCommandError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            TestCommandError::NoClass(_) => {
                "compile the tests first, and name the folder of their classes with -cp"
            }
            TestCommandError::Ambiguous { .. } => "name the class with its package",
            TestCommandError::NoLauncher(_) => {
                "add junit-platform-console-standalone.jar with -cp, or put the build's command behind `--`"
            }
            TestCommandError::NoFramework => {
                "add junit4.jar and hamcrest.jar, or junit-platform-console-standalone.jar, with -cp"
            }
        }
    }
}

/// Main classes that run tests, by their internal names.
pub const RUNNERS: [&str; 2] = [JUNIT_4, CONSOLE];

const JUNIT_4: &str = "org/junit/runner/JUnitCore";
const CONSOLE: &str = "org/junit/platform/console/ConsoleLauncher";
/// The console launcher has had commands since it has had these classes.
const CONSOLE_COMMANDS: [&str; 2] = [
    "org/junit/platform/console/options/ExecuteTestsCommand",
    "org/junit/platform/console/command/ExecuteTestsCommand",
];

/// The words that run the tests of a class.
///
/// # Errors
/// If the class or a runner for it is not on the class path.
pub fn words(class_path: &OsStr, test: &TestPattern) -> Result<Vec<OsString>, TestCommandError> {
    let classes = ClassPath::new(class_path);
    let (class, bytes) = find(&classes, &test.class)?;
    let mut words: Vec<OsString> = vec!["java".into(), "-cp".into(), class_path.to_owned()];
    let is_for_4 = is_junit_4(&bytes);
    if is_for_4 && classes.has(JUNIT_4) {
        words.extend([dotted(JUNIT_4), dotted(&class)].map(OsString::from));
    } else if classes.has(CONSOLE) {
        words.push(dotted(CONSOLE).into());
        if CONSOLE_COMMANDS.iter().any(|command| classes.has(command)) {
            words.push("execute".into());
        }
        words.extend(["--disable-banner", "--select-class"].map(OsString::from));
        words.push(dotted(&class).into());
    } else if classes.has("org/junit/jupiter/api/Test") {
        return Err(TestCommandError::NoLauncher(dotted(&class)));
    } else if classes.has(JUNIT_4) {
        words.extend([dotted(JUNIT_4), dotted(&class)].map(OsString::from));
    } else {
        return Err(TestCommandError::NoFramework);
    }
    Ok(words)
}

/// A class's name as it is written in a command line.
#[must_use]
pub fn dotted(internal: &str) -> String {
    internal.replace('/', ".")
}

/// The class by its full name, by its name with nested classes behind `.`, or by its simple name.
fn find(classes: &ClassPath, name: &str) -> Result<(String, Vec<u8>), TestCommandError> {
    let mut internal = name.replace('.', "/");
    loop {
        if let Some(bytes) = classes.class(&internal) {
            return Ok((internal, bytes));
        }
        match internal.rfind('/') {
            Some(at) => internal.replace_range(at..=at, "$"),
            None => break,
        }
    }
    let found = classes.named(&name.replace('.', "$"));
    match found.as_slice() {
        [only] => {
            let bytes = classes.class(only);
            let bytes = bytes.ok_or_else(|| TestCommandError::NoClass(name.to_owned()))?;
            Ok((only.clone(), bytes))
        }
        [] => Err(TestCommandError::NoClass(name.to_owned())),
        _ => Err(TestCommandError::Ambiguous {
            name: name.to_owned(),
            classes: found.iter().map(|class| dotted(class)).collect(),
        }),
    }
}

/// Whether JUnit 4 runs the tests of a class: they are annotated for it, or the class extends one of
/// JUnit 3, or says by an annotation what runs it.
fn is_junit_4(bytes: &[u8]) -> bool {
    let Ok(class) = ClassFile::parse(bytes) else {
        return false;
    };
    let is_of_4 = |descriptor: &str| {
        descriptor.starts_with("Lorg/junit/") && !descriptor.starts_with("Lorg/junit/jupiter/")
    };
    let annotated = |attributes: &[classfile::Attribute]| {
        let annotations = class.annotations(attributes).unwrap_or_default();
        annotations
            .iter()
            .any(|annotation| is_of_4(&annotation.descriptor))
    };
    class.super_name().as_deref() == Some("junit/framework/TestCase")
        || annotated(&class.attributes)
        || class
            .methods
            .iter()
            .any(|method| annotated(&method.attributes))
        || (marks_of(&class).is_empty()
            && class.super_name().as_deref() != Some("java/lang/Object"))
}
