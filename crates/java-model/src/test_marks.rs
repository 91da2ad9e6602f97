//! What a class file says about tests: which methods a test framework runs, and what it expects.

use classfile::{Annotation, ClassFile, Element, Method};

/// A method that a test framework runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    pub method: String,
    pub descriptor: String,
    pub role: TestRole,
    /// Internal names of the exceptions of which the test must throw one to pass; none if it must not throw.
    pub expected: Vec<String>,
}

/// What a framework runs a method for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestRole {
    Test,
    /// It gives the tests, as functions that are run later.
    Factory,
    /// It runs before a test, or before all of them.
    Before,
    After,
}

/// Frameworks whose annotations are known, by the package of the annotations.
const FRAMEWORKS: [&str; 4] = [
    "Lorg/junit/",
    "Lorg/testng/annotations/",
    "Lnet/jqwik/api/",
    "Lorg/junitpioneer/",
];

/// The class that tests of JUnit 3 extend.
pub(crate) const JUNIT_3: &str = "junit/framework/TestCase";

/// The marked methods of a class.
#[must_use]
pub fn marks_of(class: &ClassFile) -> Vec<Mark> {
    let methods = class.methods.iter();
    methods.filter_map(|method| mark(class, method)).collect()
}

fn mark(class: &ClassFile, method: &Method) -> Option<Mark> {
    let annotations = class.annotations(&method.attributes).ok()?;
    let (role, annotation) = annotations
        .iter()
        .find_map(|annotation| Some((role(&annotation.descriptor)?, annotation)))?;
    Some(Mark {
        method: class.method_name(method).ok()?.into_owned(),
        descriptor: class.method_descriptor(method).ok()?.into_owned(),
        role,
        expected: expected(annotation),
    })
}

fn role(descriptor: &str) -> Option<TestRole> {
    if !FRAMEWORKS
        .iter()
        .any(|package| descriptor.starts_with(package))
    {
        return None;
    }
    let name = descriptor.trim_end_matches(';').rsplit('/').next()?;
    Some(match name {
        "Test" | "ParameterizedTest" | "RepeatedTest" | "TestTemplate" | "CartesianTest"
        | "RetryingTest" | "Property" | "Example" => TestRole::Test,
        "TestFactory" => TestRole::Factory,
        "Before" | "BeforeEach" | "BeforeClass" | "BeforeAll" | "BeforeMethod" | "BeforeTest"
        | "BeforeProperty" | "BeforeTry" => TestRole::Before,
        "After" | "AfterEach" | "AfterClass" | "AfterAll" | "AfterMethod" | "AfterTest"
        | "AfterProperty" | "AfterTry" => TestRole::After,
        _ => return None,
    })
}

/// `@Test(expected = X.class)` of JUnit 4, `@Test(expectedExceptions = {X.class, Y.class})` of TestNG.
fn expected(annotation: &Annotation) -> Vec<String> {
    let given = ["expected", "expectedExceptions"];
    let given = given.iter().filter_map(|name| annotation.element(name));
    let classes = given.flat_map(|element| match element {
        Element::Array(elements) => elements.as_slice(),
        single => std::slice::from_ref(single),
    });
    let names = classes.filter_map(|class| match class {
        Element::Class(descriptor) => descriptor.strip_prefix('L')?.strip_suffix(';'),
        _ => None,
    });
    names
        .filter(|name| *name != "org/junit/Test$None")
        .map(str::to_owned)
        .collect()
}
