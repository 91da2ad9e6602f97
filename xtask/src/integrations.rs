//! Builds the plugins for Maven and Gradle and the listener for JUnit, publishes them into a repository of this
//! folder, and uses them from a project, as its users would.
//!
//! It is no test of the suite: Maven fetches what it needs, which takes longer than a test may.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use test_support::{Finished, cargo, command_line, run_command, target_dir, workspace_root};

use crate::process::{run as run_shown, said, succeeds};

/// The test of the sample that fails, and the method that is to blame.
const FAILING: &str = "shop.PriceTest#halvesAreRoundedUp";
const CULPRIT: &str = "Price.tax";
/// What is wrong in the sample, and what it should be.
const WRONG: &str = "hundredths + 40";
const RIGHT: &str = "hundredths + 50";
/// For each command: Maven may have to fetch plugins.
const TIME_LIMIT: Duration = Duration::from_secs(600);

pub(crate) fn run(built: Option<PathBuf>) -> Result<()> {
    let executable = match built {
        Some(built) => built.canonicalize()?,
        None => {
            run_shown(&mut cargo(["build", "--package", "askance"]))?;
            target_dir().join("debug/askance")
        }
    };
    let repository = publish()?;
    let sample = Sample::new(&repository, &executable)?;
    sample.with_maven()?;
    if succeeds(Command::new("gradle").arg("--version")) {
        sample.with_gradle()
    } else {
        println!("the Gradle plugin was built and not run: there is no gradle on the PATH");
        Ok(())
    }
}

/// The address of the repository.
fn publish() -> Result<String> {
    let repository = target_dir().join("integrations/repository");
    if repository.exists() {
        fs::remove_dir_all(&repository)?;
    }
    forget_cached()?;
    let address = format!("file://{}", repository.display());
    let mut maven = Command::new("mvn");
    maven.args(["-q", "-B", "-f", "integrations/pom.xml", "deploy"]);
    maven.args(["-Dmaven.install.skip=true"]);
    maven.arg(format!("-DaltDeploymentRepository=askance::{address}"));
    run_shown(maven.current_dir(workspace_root()))?;
    Ok(address)
}

/// Maven keeps what it has fetched, and asks no second time for a version that it has.
fn forget_cached() -> Result<()> {
    let home = std::env::var_os("HOME").context("there is no HOME")?;
    let cached = Path::new(&home).join(".m2/repository/dev/askance");
    if cached.exists() {
        fs::remove_dir_all(cached)?;
    }
    Ok(())
}

/// A copy of the sample in a repository of its own, whose last commit is wrong.
struct Sample {
    folder: tempfile::TempDir,
    repository: String,
    executable: PathBuf,
}

impl Sample {
    fn new(repository: &str, executable: &Path) -> Result<Sample> {
        let folder = tempfile::tempdir()?;
        let sample = workspace_root().join("integrations/sample/.");
        said(Command::new("cp").arg("-r").args([&sample, folder.path()]))?;
        let sample = Sample {
            folder,
            repository: repository.to_owned(),
            executable: executable.to_owned(),
        };
        fs::write(
            sample.path(".gitignore"),
            "target\nbuild\n.gradle\naskance-report\n.state\n",
        )?;
        let code = sample.path("src/main/java/shop/Price.java");
        let wrong = fs::read_to_string(&code)?;
        ensure!(wrong.contains(WRONG), "the sample has lost its bug");
        fs::write(&code, wrong.replace(WRONG, RIGHT))?;
        sample.git(&["init", "-q"])?;
        sample.git(&["add", "-A"])?;
        sample.git(&["commit", "-qm", "right"])?;
        fs::write(&code, wrong)?;
        sample.git(&["commit", "-qam", "wrong"])?;
        Ok(sample)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn git(&self, words: &[&str]) -> Result<String> {
        let mut git = Command::new("git");
        git.arg("-C").arg(self.folder.path());
        git.args(["-c", "user.name=n", "-c", "user.email=n@example.org"]);
        said(git.args(words))
    }

    /// Runs a command in the sample, where nothing of the user's is read or written.
    fn finished(&self, command: &mut Command) -> Result<Finished> {
        println!("$ {}", command_line(command));
        let command = command
            .current_dir(self.folder.path())
            .env("XDG_STATE_HOME", self.path(".state"))
            .env("ASKANCE_MEMORY", "off");
        let finished = run_command(command, b"", TIME_LIMIT)?;
        ensure!(!finished.timed_out, "it took too long");
        Ok(finished)
    }

    fn with_maven(&self) -> Result<()> {
        let maven = |words: &[&str]| {
            let mut command = Command::new("mvn");
            command.args(["-q", "-B"]).args(words);
            command.arg(format!("-Daskance.repository={}", self.repository));
            command
        };
        let test = self.finished(&mut maven(&["test"]))?;
        let expected = format!("askance debug -- mvn -q test '-Dtest={FAILING}'");
        expect(&test, Some(1), &[&expected])?;

        let named = format!("-Dtest={FAILING}");
        let arguments = "-Daskance.arguments=--non-interactive --json";
        let executable = format!("-Daskance.executable={}", self.executable.display());
        let debug = self.finished(&mut maven(&[
            "askance:debug",
            &named,
            arguments,
            &executable,
        ]))?;
        expect(&debug, Some(0), &[&asked_first()])?;

        let missing = [
            "askance:debug",
            &named,
            "-Daskance.executable=/nowhere/askance",
        ];
        let refused = self.finished(&mut maven(&missing))?;
        expect(
            &refused,
            Some(1),
            &["/nowhere/askance, and there is no executable"],
        )?;

        let ci = ["askance:ci", "-Daskance.goals=test", &executable];
        let ci = self.finished(&mut maven(&ci))?;
        expect(&ci, Some(1), &["what was found out is in"])?;
        self.expect_report()?;
        println!("Maven: test, askance:debug and askance:ci do what they should");
        Ok(())
    }

    fn with_gradle(&self) -> Result<()> {
        let gradle = |words: &[&str]| {
            let mut command = Command::new("gradle");
            command.args(["--quiet", "--no-daemon"]).args(words);
            command.arg(format!("-Paskance.repository={}", self.repository));
            command
        };
        let executable = format!("-Paskance.executable={}", self.executable.display());
        let named = format!("-Paskance.tests={FAILING}");
        let arguments = "-Paskance.arguments=--non-interactive --json";
        let debug = self.finished(&mut gradle(&[
            "askanceDebug",
            &named,
            arguments,
            &executable,
        ]))?;
        expect(&debug, Some(0), &[&asked_first()])?;
        let ci = ["askanceCi", "-Paskance.tasks=test", &executable];
        let ci = self.finished(&mut gradle(&ci))?;
        expect(&ci, Some(1), &["what was found out is in"])?;
        self.expect_report()?;
        println!("Gradle: askanceDebug and askanceCi do what they should");
        Ok(())
    }

    /// The report names the culprit; it is removed for the next.
    fn expect_report(&self) -> Result<()> {
        let report = self.path("askance-report");
        let summary = fs::read_to_string(report.join("summary.md"))
            .with_context(|| format!("{} has no summary", report.display()))?;
        ensure!(summary.contains(CULPRIT), "{CULPRIT} is not in: {summary}");
        Ok(fs::remove_dir_all(report)?)
    }
}

/// What the line of JSON says that ends a dialogue with nobody.
fn asked_first() -> String {
    format!("\"routine\":\"{CULPRIT}\"")
}

fn expect(finished: &Finished, code: Option<i32>, words: &[&str]) -> Result<()> {
    let all = finished.stdout_text() + &finished.stderr_text();
    if finished.exit_code() != code {
        bail!(
            "exit code {:?} instead of {code:?}: {all}",
            finished.exit_code()
        );
    }
    for each in words {
        ensure!(all.contains(each), "{each:?} is not in: {all}");
    }
    Ok(())
}
