//! Which failed test is asked about, and in which JVM it ran.

use super::ask_options::SearchArguments;
use super::failure::{Exit, Failure};
use super::inspect;
use super::output;
use super::record::no_test_ran;
use inquiry::words::count;
use java_analysis::recording::Recording as _;
use java_model::run::JavaRun;
use java_model::testing::{TestCall, TestPattern, TestRole};

/// No more tests than this are listed.
const MOST_LISTED: usize = 20;

/// The failed tests to ask about, by their full names; one `None` if there is none and the whole run is
/// asked about.
pub(crate) fn choose(
    run: &JavaRun,
    options: &SearchArguments,
) -> Result<Vec<Option<TestPattern>>, Failure> {
    let wanted = options.test.as_deref().map(TestPattern::parse);
    if run.tests().is_empty() && wanted.is_none() && !options.all_tests {
        if let Some(symptom) = run.wrong_by_itself(None) {
            let routine = run.routine_of(symptom.target.last());
            output::talk(&format!("askance: {routine} failed: {}", symptom.sign));
        }
        return Ok(vec![None]);
    }
    let failed: Vec<&TestCall> = run.failed_tests(wanted.as_ref()).collect();
    if failed.is_empty() {
        return match wanted {
            Some(wanted) => Err(not_failed(run, &wanted, options)),
            None if options.all_tests => Err(Failure {
                exit: Exit::Nothing,
                ..Failure::mistake("none of the recorded tests failed")
            }),
            None => {
                output::talk(
                    "askance: none of the recorded tests failed; the whole run is asked about",
                );
                Ok(vec![None])
            }
        };
    }
    list(&failed, options.all_tests);
    let chosen = if options.all_tests { failed.len() } else { 1 };
    let pattern = |test: &&TestCall| Some(TestPattern::parse(&test.name.to_string()));
    Ok(failed.iter().take(chosen).map(pattern).collect())
}

fn list(failed: &[&TestCall], all: bool) {
    if let [test] = failed {
        return output::talk(&format!("askance: {} failed: {}", test.name, test.verdict));
    }
    output::talk(&format!("askance: {} tests failed:", failed.len()));
    for (number, test) in failed.iter().take(MOST_LISTED).enumerate() {
        let mark = if all || number == 0 { "*" } else { " " };
        output::talk(&format!("  {mark} {}: {}", test.name, test.verdict));
    }
    if failed.len() > MOST_LISTED {
        output::talk(&format!("    … {} more", failed.len() - MOST_LISTED));
    }
    if !all {
        output::talk(
            "  (* is asked about; --test NAME chooses another, --all-tests takes each in turn)",
        );
    }
}

fn not_failed(run: &JavaRun, wanted: &TestPattern, options: &SearchArguments) -> Failure {
    let name = options.test.as_deref().unwrap_or_default();
    let is_test = |test: &&TestCall| matches!(test.role, TestRole::Test | TestRole::Factory);
    let mut ran = run.tests().iter().filter(is_test);
    match ran.find(|test| wanted.matches(test)) {
        Some(test) => Failure {
            exit: Exit::Nothing,
            ..Failure::mistake(format!("{} did not fail: it {}", test.name, test.verdict))
                .hint("without --test the whole run is asked about")
        },
        None => {
            let tests = count(run.tests().len() as u64, "test", "tests");
            let first = run.tests().first();
            let first = first.map_or_else(String::new, |test| format!(", e.g. {}", test.name));
            Failure::mistake(format!("no test {name} was recorded"))
                .hint(format!("{tests} recorded{first}"))
        }
    }
}

/// The run of the JVM in which a test that is meant failed; the given one, if no other has one. It is
/// an error if nothing but a build was recorded.
pub(crate) fn in_any_jvm(run: JavaRun, options: &SearchArguments) -> Result<JavaRun, Failure> {
    let wanted = options.test.as_deref().map(TestPattern::parse);
    let has_failed = |run: &JavaRun| run.failed_tests(wanted.as_ref()).next().is_some();
    if run.jvms().len() < 2 || has_failed(&run) {
        return only_if_tested(run);
    }
    let others = run.jvms().iter().filter(|jvm| !jvm.chosen);
    let mut others = others.filter_map(|jvm| inspect::open_one(run.folder(), jvm.pid).ok());
    match others.find(has_failed) {
        Some(other) => Ok(other),
        None => only_if_tested(run),
    }
}

/// A build whose code does not compile runs no test: nobody wants to be asked about the build tool.
fn only_if_tested(run: JavaRun) -> Result<JavaRun, Failure> {
    let mut jvms = run.jvms().iter();
    let is_build = jvms.any(|jvm| jvm.chosen && jvm.is_build_tool);
    if !is_build || !run.tests().is_empty() {
        return Ok(run);
    }
    let code = run.run_file().and_then(|file| file.exit_code);
    Err(no_test_ran(code))
}
