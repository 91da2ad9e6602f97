//! From answers to tests: what somebody said of a recorded call becomes a JUnit test of the method.
//!
//! A test rebuilds what the call was given, makes the call, and compares. For a call that is right,
//! everything that can be seen from a test must be as recorded; for one that is wrong, it must not all be so
//! again, which says nothing of what would be right. Inputs are rebuilt only where the source that does it
//! is certain to give them ([`surface`]): what a constructor or a setter does is read from its code, not
//! guessed from its name. What cannot be rebuilt or seen is told, and no test is written that asserts less
//! than was said.

mod case;
mod checks;
mod collections;
mod inputs;
mod literal;
mod surface;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use debug_engine::NodeId;
use debug_engine::session::Answer;
use debug_engine::view::render::{self, Bounds};

use java_analysis::recording::Recording as _;
use java_model::run::JavaRun;
use java_names::names;
use surface::Surfaces;

/// Which JUnit the tests are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Junit4,
    Junit5,
}

/// The tests that came of a run's answers.
#[derive(Debug, Default)]
pub struct Suite {
    /// Sources by their path below the folder of tests.
    pub files: BTreeMap<PathBuf, String>,
    /// How many tests are in them.
    pub tests: usize,
    pub left_out: Vec<LeftOut>,
}

/// An answer that no test was made of.
#[derive(Debug)]
pub struct LeftOut {
    pub node: NodeId,
    /// The call in one line.
    pub call: String,
    pub why: String,
}

/// Why something cannot be written in a test; a clause.
type Why = String;

/// Makes tests of what was said of calls.
#[must_use]
pub fn write(run: &JavaRun, answers: &[(NodeId, Answer)], style: Style) -> Suite {
    let surfaces = Surfaces::of(run);
    let mut suite = Suite::default();
    let mut classes: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (node, answer) in answers {
        let view = run.view(*node, Bounds::default());
        let call = render::one_line(&view, Bounds::default());
        match case::test_case(run, &surfaces, *node, answer) {
            Ok(case) => {
                let class = run.method_names(run.method(*node)).class.to_owned();
                let outermost = class.split('$').next().unwrap_or(&class).to_owned();
                classes
                    .entry(outermost)
                    .or_default()
                    .push(case.source(&call));
                suite.tests += 1;
            }
            Err(why) => suite.left_out.push(LeftOut {
                node: *node,
                call,
                why,
            }),
        }
    }
    for (class, cases) in classes {
        let path = PathBuf::from(format!("{class}{SUFFIX}.java"));
        suite.files.insert(path, source(&class, &cases, style));
    }
    suite
}

const SUFFIX: &str = "AnswersTest";

fn source(class: &str, cases: &[String], style: Style) -> String {
    let mut text = String::new();
    let package = names::package(class).replace('/', ".");
    if !package.is_empty() {
        let _ = writeln!(text, "package {package};\n");
    }
    let (assertions, test) = match style {
        Style::Junit4 => ("org.junit.Assert", "org.junit.Test"),
        Style::Junit5 => (
            "org.junit.jupiter.api.Assertions",
            "org.junit.jupiter.api.Test",
        ),
    };
    let name = class.rsplit('/').next().unwrap_or(class);
    let _ = writeln!(
        text,
        "import static {assertions}.*;\n\nimport {test};\n\n/** Written by askance from answers about recorded calls. */\n@SuppressWarnings({{\"rawtypes\", \"unchecked\"}})\npublic class {name}{SUFFIX} {{"
    );
    text.push_str(&cases.join("\n"));
    text.push_str("}\n");
    text
}
