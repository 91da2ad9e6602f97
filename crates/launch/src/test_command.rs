//! The command that runs a test class, or one method of it, with the runner that is on the class path.
//!
//! A method is run alone, with all of its parameters: what the other tests of its class do is not wanted, and may be a
//! million times as much. Whoever needs them, because passing tests tell what is right, asks for the whole class.

use std::ffi::{OsStr, OsString};

use classfile::ClassFile;
use java_names::descriptor::{self, JavaType};
use java_names::names;

use super::class_path::ClassPath;
use super::one_test;
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
        "no test framework is on the class path: neither JUnit 3 or 4, nor the console launcher of JUnit 5, nor TestNG"
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
                "add junit4.jar and hamcrest.jar, junit-platform-console-standalone.jar, or TestNG, with -cp"
            }
        }
    }
}

/// Main classes that run tests, by their internal names.
pub const RUNNERS: [&str; 5] = [JUNIT_3, JUNIT_4, CONSOLE, TESTNG, one_test::MAIN];

const TESTNG: &str = "org/testng/TestNG";
const JUNIT_4: &str = "org/junit/runner/JUnitCore";
/// What JUnit 3 brings; JUnit 4 has it as well.
const JUNIT_3: &str = "junit/textui/TestRunner";
const CONSOLE: &str = "org/junit/platform/console/ConsoleLauncher";
/// The console launcher has had commands since it has had these classes.
const CONSOLE_COMMANDS: [&str; 2] = [
    "org/junit/platform/console/options/ExecuteTestsCommand",
    "org/junit/platform/console/command/ExecuteTestsCommand",
];

/// What of a test class is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestExtent {
    /// The method that is meant, if one is.
    Method,
    Class,
}

/// The words that run tests of a class.
///
/// # Errors
/// If the class or a runner for it is not on the class path.
pub fn words(
    class_path: &OsStr,
    test: &TestPattern,
    extent: TestExtent,
) -> Result<Vec<OsString>, TestCommandError> {
    let classes = ClassPath::new(class_path);
    let (name, bytes) = find(&classes, &test.class)?;
    let class = ClassFile::parse(&bytes).ok();
    let method = test
        .method
        .as_deref()
        .filter(|_| extent == TestExtent::Method);
    let is_for_4 = class.as_ref().is_some_and(is_junit_4);
    let is_for_testng = class.as_ref().is_some_and(is_testng);
    if is_for_testng && classes.has(TESTNG) {
        Ok(for_testng(class_path, &name, method))
    } else if is_for_4 && classes.has(JUNIT_4) {
        Ok(for_junit_4(class_path, &name, method))
    } else if classes.has(CONSOLE) {
        let has_commands = CONSOLE_COMMANDS.iter().any(|command| classes.has(command));
        let selected = selected(&name, class.as_ref(), method);
        Ok(for_console(class_path, has_commands, selected))
    } else if classes.has("org/junit/jupiter/api/Test") {
        Err(TestCommandError::NoLauncher(dotted(&name)))
    } else if classes.has(JUNIT_4) {
        Ok(for_junit_4(class_path, &name, method))
    } else if let Some(runner) = classes.class(JUNIT_3) {
        let method = method.filter(|_| takes_methods(&runner));
        Ok(for_junit_3(class_path, &name, method))
    } else {
        Err(TestCommandError::NoFramework)
    }
}

fn java(class_path: &OsStr, main: &str) -> Vec<OsString> {
    let words: [&OsStr; 3] = ["java".as_ref(), "-cp".as_ref(), class_path];
    let mut words: Vec<OsString> = words.map(OsStr::to_owned).into();
    words.push(dotted(main).into());
    words
}

fn for_junit_4(class_path: &OsStr, class: &str, method: Option<&str>) -> Vec<OsString> {
    let one = method.and_then(|method| Some((method, one_test::archive().ok()?)));
    let mut words = match &one {
        Some((_, archive)) => {
            let mut class_path = class_path.to_owned();
            class_path.push(":");
            class_path.push(archive);
            java(&class_path, one_test::MAIN)
        }
        None => java(class_path, JUNIT_4),
    };
    words.push(dotted(class).into());
    words.extend(one.map(|(method, _)| method.into()));
    words
}

/// Without JUnit 4.
fn for_junit_3(class_path: &OsStr, class: &str, method: Option<&str>) -> Vec<OsString> {
    let class = dotted(class);
    let mut words = java(class_path, JUNIT_3);
    match method {
        Some(method) => words.extend(["-m".into(), format!("{class}.{method}").into()]),
        None => words.push(class.into()),
    }
    words
}

/// Whether a runner of JUnit 3 can run a method alone, as those since 3.8.2 can.
fn takes_methods(runner: &[u8]) -> bool {
    let runner = ClassFile::parse(runner);
    runner.is_ok_and(|runner| {
        let mut names = runner
            .methods
            .iter()
            .map(|method| runner.method_name(method));
        names.any(|name| name.is_ok_and(|name| name == "runSingleMethod"))
    })
}

fn for_testng(class_path: &OsStr, class: &str, method: Option<&str>) -> Vec<OsString> {
    let class = dotted(class);
    let mut words = java(class_path, TESTNG);
    // Its reports are files in the folder where the program is started.
    words.extend(["-usedefaultlisteners", "false"].map(OsString::from));
    match method {
        Some(method) => words.extend(["-methods".into(), format!("{class}.{method}").into()]),
        None => words.extend(["-testclass".into(), class.into()]),
    }
    words
}

fn for_console(class_path: &OsStr, has_commands: bool, selected: Vec<String>) -> Vec<OsString> {
    let mut words = java(class_path, CONSOLE);
    if has_commands {
        words.push("execute".into());
    }
    words.push("--disable-banner".into());
    words.extend(selected.into_iter().map(OsString::from));
    words
}

/// How the console launcher is told what to run. A method is named with the types of its parameters.
fn selected(name: &str, class: Option<&ClassFile>, method: Option<&str>) -> Vec<String> {
    let name = dotted(name);
    let Some(method) = method else {
        return vec!["--select-class".to_owned(), name];
    };
    let mut selected = Vec::new();
    if let Some(class) = class {
        for found in &class.methods {
            let is_meant = class.method_name(found).is_ok_and(|name| name == method);
            let descriptor = class.method_descriptor(found).unwrap_or_default();
            let types = descriptor::parse_method(&descriptor);
            if let (true, false, Ok(types)) = (is_meant, found.access.is_synthetic(), types) {
                let types: Vec<String> = types.parameters.iter().map(|one| full(*one)).collect();
                selected.push("--select-method".to_owned());
                selected.push(format!("{name}#{method}({})", types.join(",")));
            }
        }
    }
    if selected.is_empty() {
        // It may be inherited.
        selected = vec!["--select-method".to_owned(), format!("{name}#{method}")];
    }
    selected
}

/// A type with its package: `int`, `java.lang.String`, `int[]`.
fn full(found: JavaType<'_>) -> String {
    match found {
        JavaType::Reference(text) => match text.strip_prefix('[').map(descriptor::parse_field) {
            Some(Ok(element)) => format!("{}[]", full(element)),
            Some(Err(_)) => text.to_owned(),
            None => dotted(found.class_name().unwrap_or(text)),
        },
        other => names::java_type(other),
    }
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

/// Whether the tests of a class are annotated for TestNG.
fn is_testng(class: &ClassFile) -> bool {
    is_annotated(class, &|descriptor| descriptor.starts_with("Lorg/testng/"))
}

/// Whether JUnit 4 runs the tests of a class: they are annotated for it, or the class extends one of
/// JUnit 3, or says by an annotation what runs it.
fn is_junit_4(class: &ClassFile) -> bool {
    let is_of_4 = |descriptor: &str| {
        descriptor.starts_with("Lorg/junit/") && !descriptor.starts_with("Lorg/junit/jupiter/")
    };
    class.super_name().as_deref() == Some("junit/framework/TestCase")
        || is_annotated(class, &is_of_4)
        || (marks_of(class).is_empty() && class.super_name().as_deref() != Some("java/lang/Object"))
}

/// Whether a class or a method of it has such an annotation.
fn is_annotated(class: &ClassFile, is_meant: &dyn Fn(&str) -> bool) -> bool {
    let annotated = |attributes: &[classfile::Attribute]| {
        let annotations = class.annotations(attributes).unwrap_or_default();
        let mut annotations = annotations.iter();
        annotations.any(|annotation| is_meant(&annotation.descriptor))
    };
    let mut methods = class.methods.iter();
    annotated(&class.attributes) || methods.any(|method| annotated(&method.attributes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(words: &[OsString]) -> String {
        let words: Vec<String> = words
            .iter()
            .map(|word| word.to_string_lossy().into())
            .collect();
        words.join(" ")
    }

    #[test]
    fn one_method_is_selected_or_all_of_a_class() {
        assert_eq!(
            line(&for_testng("out".as_ref(), "shop/CartTest", Some("total"))),
            "java -cp out org.testng.TestNG -usedefaultlisteners false -methods shop.CartTest.total"
        );
        assert_eq!(
            line(&for_testng("out".as_ref(), "shop/CartTest", None)),
            "java -cp out org.testng.TestNG -usedefaultlisteners false -testclass shop.CartTest"
        );
        assert_eq!(
            line(&for_junit_3(
                "out".as_ref(),
                "shop/CartTest",
                Some("testTotal")
            )),
            "java -cp out junit.textui.TestRunner -m shop.CartTest.testTotal"
        );
        assert_eq!(
            line(&for_junit_3("out".as_ref(), "shop/CartTest", None)),
            "java -cp out junit.textui.TestRunner shop.CartTest"
        );
        assert_eq!(
            selected("shop/CartTest", None, None),
            ["--select-class", "shop.CartTest"]
        );
        assert_eq!(
            selected("shop/CartTest", None, Some("total")),
            ["--select-method", "shop.CartTest#total"]
        );
    }

    #[test]
    fn types_are_written_with_their_packages() {
        let check = |text: &str, expected: &str| {
            assert_eq!(full(descriptor::parse_field(text).unwrap()), expected);
        };
        check("I", "int");
        check("[[Ljava/lang/String;", "java.lang.String[][]");
        check("Lshop/Cart$Line;", "shop.Cart$Line");
    }
}
