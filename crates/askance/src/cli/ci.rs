//! `askance ci`: run a build as it is; of the tests that fail, find out by ourselves what can be found out.
//!
//! The build is not recorded, so one that succeeds costs nothing. Each test that failed is then debugged by a process
//! of its own: whatever goes wrong there costs that one finding, and the exit code stays the build's.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use build_server::{Blame, BuildCommand, FailedTest, FindingKind, TestFinding};
use clap::Args;
use serde_json::Value;

use super::amounts::parse_seconds;
use super::failure::{Exit, Failure};
use super::output;
use super::surroundings::working_directory;
use inquiry::words::count;
use java_model::source_tree::SourceTree;
use launch::captured::captured;
use launch::process::{self, ProgramEnd};
use launch::{interrupt, user_folders};

/// What every answer to a program begins with.
const VERDICT_BEGINS: &str = "{\"version\":";

/// So many suspects are told of one test.
const MOST_SUSPECTS: usize = 5;

/// Run a build; debug the tests that fail in it, and ask nobody
///
/// The build runs as it is, and its exit code is the exit code. The tests that its JUnit reports say have failed are
/// run again, each alone, recorded, and compared with the revision that the change began from. What was found out is
/// told on standard error, and written to the folder of the report: a summary in Markdown, findings as SARIF, for each
/// test a page that needs no server, the traces.
#[derive(Debug, Args)]
#[command(
    override_usage = "askance ci [OPTIONS] -- COMMAND…",
    after_help = "Example: askance ci -- mvn -B verify\n         askance ci --reference v1.4 --report found -- ./gradlew check"
)]
pub(crate) struct Arguments {
    /// The revision that works (default: where this branch left the one that it is meant for, else the commit before)
    #[arg(long, value_name = "REV", conflicts_with = "no_reference")]
    reference: Option<String>,

    /// Compare with nothing
    #[arg(long)]
    no_reference: bool,

    /// Where the findings go
    #[arg(long, value_name = "DIR", default_value = "askance-report")]
    report: PathBuf,

    /// Debug no more than so many tests
    #[arg(long, value_name = "N", default_value_t = 10)]
    most: usize,

    /// Give each run of a test so many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, default_value = "600")]
    time_limit: f64,

    /// The build
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

pub(crate) fn run(arguments: Arguments) -> Result<Exit, Failure> {
    let folder = working_directory()?;
    let began = SystemTime::now();
    let end = build(&arguments.command)?;
    if interrupt::happened() {
        return Ok(Exit::Interrupted);
    }
    let exit = Exit::Program(end.shell_code());
    let mut failed = build_server::failed_tests(&folder, began)
        .map_err(|error| Failure::mistake(error.to_string()))?;
    if failed.is_empty() {
        if !end.success() {
            output::talk(&format!(
                "askance: the build ended with {}, but no report of a failed test was written",
                end.describe()
            ));
        }
        return Ok(exit);
    }
    let number = u64::try_from(failed.len()).unwrap_or(u64::MAX);
    output::talk(&format!(
        "askance: {} failed",
        count(number, "test", "tests")
    ));
    let all = failed.len();
    if all > arguments.most {
        output::talk(&format!(
            "askance: the first {} are debugged",
            arguments.most
        ));
        failed.truncate(arguments.most);
    }
    let server = Server::new(&arguments, folder)?;
    // What is being debugged ends before we do; what was found until then is told.
    let _it_ends_first = interrupt::note_only();
    let findings: Vec<TestFinding> = failed
        .into_iter()
        .map_while(|test| server.debug(test))
        .collect();
    if !findings.is_empty() {
        server.report(&findings, all)?;
    }
    Ok(match interrupt::happened() {
        true => Exit::Interrupted,
        false => exit,
    })
}

fn build(words: &[OsString]) -> Result<ProgramEnd, Failure> {
    let (program, rest) = words
        .split_first()
        .ok_or_else(|| Failure::mistake("there is no build to run"))?;
    process::run_unless_interrupted(Command::new(program).args(rest)).map_err(|error| Failure {
        exit: Exit::NotStarted,
        ..Failure::mistake(format!(
            "{} could not be started: {error}",
            program.to_string_lossy()
        ))
        .hint("check the command behind `--`")
    })
}

/// What holds for all tests of a build.
struct Server {
    command: BuildCommand,
    folder: PathBuf,
    sources: SourceTree,
    reference: Option<String>,
    report: PathBuf,
    time_limit: f64,
}

impl Server {
    fn new(arguments: &Arguments, folder: PathBuf) -> Result<Server, Failure> {
        // What tests hold is in it.
        let report = arguments.report.clone();
        user_folders::make_private(&report.join("traces"))
            .map_err(|error| unwritable(&report, &error))?;
        let reference = match (&arguments.reference, arguments.no_reference) {
            (Some(revision), _) => Some(revision.clone()),
            (None, true) => None,
            (None, false) => build_server::base_revision(&folder),
        };
        match &reference {
            Some(revision) => output::talk(&format!("askance: compared with revision {revision}")),
            None => output::talk("askance: there is no other revision to compare with"),
        }
        Ok(Server {
            command: BuildCommand::new(arguments.command.clone()),
            sources: SourceTree::below(&folder),
            folder,
            reference,
            report,
            time_limit: arguments.time_limit,
        })
    }

    /// `None` if somebody interrupts it: then nothing of it stays.
    fn debug(&self, test: FailedTest) -> Option<TestFinding> {
        output::talk(&format!("askance: {} is run again", test.pattern()));
        let trace = self
            .report
            .join("traces")
            .join(format!("{}.askance", test.file_name()));
        let kind = self.investigate(&test, &trace);
        let page = self.page(&test, &trace);
        if interrupt::happened() {
            let _ = std::fs::remove_dir_all(&trace);
            let _ = std::fs::remove_file(verdict_beside(&trace));
            let _ = page.map(std::fs::remove_file);
            return None;
        }
        let finding = TestFinding {
            page,
            trace: trace.is_dir().then_some(trace),
            test,
            kind,
        };
        output::talk(&format!(
            "askance: {}: {}",
            finding.test.pattern(),
            finding.sentence()
        ));
        Some(finding)
    }

    fn investigate(&self, test: &FailedTest, trace: &Path) -> FindingKind {
        let mut words: Vec<OsString> = ["debug", "--json", "--non-interactive"]
            .map(OsString::from)
            .into();
        words.push("--time-limit".into());
        words.push(self.time_limit.to_string().into());
        words.push("--test".into());
        words.push(test.pattern().into());
        words.push("-o".into());
        words.push(trace.into());
        if let Some(revision) = &self.reference {
            words.push("--reference".into());
            words.push(format!("git:{revision}").into());
            words.extend(["--experiments", "on"].map(OsString::from));
        }
        words.push("--".into());
        words.extend(self.command.of_test(test, &self.folder));
        match said(&words) {
            Said::Verdict(verdict) => {
                // Without it the page tells what is suspected.
                let _ = user_folders::write_private(&verdict_beside(trace), &verdict.to_string());
                self.finding(&verdict, trace)
            }
            Said::Refusal(sentence) if sentence.contains("did not fail") => FindingKind::Flaky,
            Said::Refusal(sentence) => FindingKind::Undecided(sentence),
        }
    }

    /// Writes the page of a test that failed again.
    fn page(&self, test: &FailedTest, trace: &Path) -> Option<PathBuf> {
        let page = self.report.join(format!("{}.html", test.file_name()));
        let verdict = verdict_beside(trace);
        if !verdict.exists() {
            return None;
        }
        let words: [&OsStr; 7] = [
            "report".as_ref(),
            trace.as_os_str(),
            "--verdict".as_ref(),
            verdict.as_os_str(),
            "-o".as_ref(),
            page.as_os_str(),
            "--test".as_ref(),
        ];
        let mut words: Vec<OsString> = words.iter().map(OsString::from).collect();
        words.push(test.pattern().into());
        said(&words);
        page.exists().then_some(page)
    }

    fn finding(&self, verdict: &Value, trace: &Path) -> FindingKind {
        let outcome = verdict["outcome"].as_str().unwrap_or_default();
        if outcome.starts_with("found") {
            // Experiments name all that is to blame together; a comparison names one call.
            let changes = verdict["changes"].as_array().into_iter().flatten();
            let mut blame: Vec<Blame> = changes.filter_map(|change| self.blame(change)).collect();
            if blame.is_empty() {
                blame.extend(self.blame(verdict));
            }
            let is_verified = verdict["verified"] == true;
            let runs = verdict["experiments"].as_u64().filter(|_| is_verified);
            let experiments = runs.unwrap_or_default();
            let files = verdict["resources"].as_array().into_iter().flatten();
            let paths: Vec<String> = files
                .filter_map(|path| Some(path.as_str()?.to_owned()))
                .collect();
            return match blame.is_empty() {
                true => FindingKind::Resources { paths, experiments },
                false => FindingKind::Found { blame, experiments },
            };
        }
        let differing = verdict["methods"].as_array().into_iter().flatten();
        let mut suspects: Vec<Blame> = differing
            .filter_map(|method| self.blame(method))
            .take(MOST_SUSPECTS)
            .collect();
        if suspects.is_empty() {
            suspects = self.believed(trace);
        }
        FindingKind::Suspects(suspects)
    }

    /// What is believed before any answer.
    fn believed(&self, trace: &Path) -> Vec<Blame> {
        let most = MOST_SUSPECTS.to_string();
        let words = [
            OsStr::new("suspects"),
            trace.as_os_str(),
            "-n".as_ref(),
            most.as_ref(),
            "--json".as_ref(),
        ];
        match said(&words.map(OsStr::to_owned)) {
            Said::Verdict(list) => {
                let suspects = list["suspects"].as_array().into_iter().flatten();
                suspects.filter_map(|one| self.blame(one)).collect()
            }
            Said::Refusal(_) => Vec::new(),
        }
    }

    fn blame(&self, told: &Value) -> Option<Blame> {
        let class = told["class"].as_str()?.replace('/', ".");
        let file = told["file"].as_str().map(|file| {
            let found = self.sources.find(&class, file);
            found.map_or_else(|| PathBuf::from(file), Path::to_owned)
        });
        let lines = told["lines"].as_array().into_iter().flatten();
        let lines = lines.filter_map(|line| u32::try_from(line.as_u64()?).ok());
        Some(Blame {
            method: told["method"].as_str().map(str::to_owned),
            lines: lines.collect(),
            class,
            file,
        })
    }

    fn report(&self, findings: &[TestFinding], failed: usize) -> Result<(), Failure> {
        let summary = build_server::markdown(findings, failed);
        let write = |name: &str, text: &str| {
            let path = self.report.join(name);
            user_folders::write_private(&path, text).map_err(|error| unwritable(&path, &error))
        };
        write("summary.md", &summary)?;
        let sarif = build_server::sarif(findings, env!("CARGO_PKG_VERSION"));
        write("findings.sarif", &sarif.to_string())?;
        if std::env::var_os("GITHUB_ACTIONS").is_some() {
            // The server reads them at the beginning of a line, and the build's last need not have ended.
            output::data(&format!("\n{}", build_server::annotations(findings)))?;
        }
        if let Some(page) = std::env::var_os("GITHUB_STEP_SUMMARY") {
            append(Path::new(&page), &summary)?;
        }
        output::talk(&format!(
            "askance: the findings are in {}",
            self.report.display()
        ));
        Ok(())
    }
}

/// What another process of ours said.
enum Said {
    Verdict(Value),
    /// Why there is no verdict.
    Refusal(String),
}

/// Where the verdict on a trace is kept.
fn verdict_beside(trace: &Path) -> PathBuf {
    trace.with_extension("json")
}

/// Runs another command of ours to its end.
fn said(words: &[OsString]) -> Said {
    let askance = std::env::current_exe().unwrap_or_else(|_| "askance".into());
    let said = captured(Command::new(askance).args(words), &interrupt::happened);
    let said = match said {
        Ok(said) => said,
        Err(error) => return Said::Refusal(error.to_string()),
    };
    // The program's own output stands before it.
    let line = said.output.lines().last().unwrap_or_default();
    if line.starts_with(VERDICT_BEGINS)
        && let Ok(verdict) = serde_json::from_str(line)
    {
        return Said::Verdict(verdict);
    }
    let mut sentences = said
        .errors
        .lines()
        .rev()
        .filter_map(|line| line.strip_prefix("askance: "));
    let sentence = sentences.next().unwrap_or("no reason was given");
    Said::Refusal(sentence.to_owned())
}

fn append(path: &Path, text: &str) -> Result<(), Failure> {
    use std::io::Write as _;
    let file = std::fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| unwritable(path, &error))
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::mistake(format!("{} cannot be written: {error}", path.display()))
        .hint("name another folder with --report")
}
