//! `askance ci` on a project of Maven's with a repository: what the last commit broke is found, and nobody is asked.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{Said, source};
use serde_json::Value;
use test_support::workspace_root;

const RIGHT: &str = "package shop;

public class Price {
    public static int withTax(int net, int percent) {
        return net + tax(net, percent);
    }

    static int tax(int net, int percent) {
        int hundredths = net * percent;
        return (hundredths + 50) / 100;
    }
}
";

const TESTS: &str = "package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class PriceTest {
    @Test
    void halvesAreRoundedUp() {
        assertEquals(11, Price.withTax(10, 5));
    }

    @Test
    void nothingCostsNothing() {
        assertEquals(0, Price.withTax(0, 19));
    }

    @Test
    void passesWhenItIsRunAgain() throws Exception {
        Path mark = Path.of(\"target\", \"was-run\");
        boolean isSecond = Files.exists(mark);
        Files.createDirectories(mark.getParent());
        Files.writeString(mark, \"\");
        assertTrue(isSecond);
    }
}
";

fn git(folder: &Path, words: &[&str]) {
    let mut command = Command::new("git");
    command.current_dir(folder).args(["-c", "user.name=n"]);
    command.args(["-c", "user.email=n@example.org"]).args(words);
    assert!(command.output().unwrap().status.success(), "{words:?}");
}

/// A repository whose last commit is wrong; `None` where Maven cannot build it.
fn repository() -> Option<tempfile::TempDir> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let pom = workspace_root().join("crates/askance/tests/java/tested/pom.xml");
    std::fs::copy(pom, path.join("pom.xml")).unwrap();
    source(path, ".gitignore", "target\naskance-report\n");
    source(path, "main/shop/Price.java", RIGHT);
    source(path, "junit5/shop/PriceTest.java", TESTS);
    git(path, &["init", "-q"]);
    git(path, &["add", "-A"]);
    git(path, &["commit", "-qm", "right"]);
    let mut build = Command::new("mvn");
    build.args(["-q", "-B", "-o", "test", "-Dmaven.test.failure.ignore=true"]);
    let built = build.current_dir(path).output();
    if !built.as_ref().is_ok_and(|built| built.status.success()) {
        test_support::skip(format!(
            "Maven is not here or cannot get its plugins; `cargo xtask setup` tries to: {built:?}"
        ));
        return None;
    }
    let wrong = RIGHT.replace("hundredths + 50", "hundredths + 40");
    source(path, "main/shop/Price.java", &wrong);
    git(path, &["commit", "-qam", "wrong"]);
    // The build begins as it would on a server.
    std::fs::remove_dir_all(path.join("target")).unwrap();
    Some(folder)
}

/// A shell with this script, as a server runs it: the tool is on its path, and the build is in the environment.
fn shell(folder: &Path, script: &str) -> Command {
    let mut command = Command::new("bash");
    command.args(["-c", script]);
    crate::support::as_a_user(&mut command, folder);
    let tool = Path::new(env!("CARGO_BIN_EXE_askance")).parent().unwrap();
    let path = std::env::var("PATH").unwrap();
    command.env("PATH", format!("{}:{path}", tool.display()));
    command.env("ASKANCE_BUILD", "mvn -q -B -o test");
    command
}

/// The script of the template for GitLab.
fn gitlab_script() -> String {
    let template = workspace_root().join("ci/askance.gitlab-ci.yml");
    let template = std::fs::read_to_string(template).unwrap();
    let lines = template.lines().skip_while(|line| line.trim() != "script:");
    let script = lines.skip(1).map_while(|line| line.strip_prefix("    - "));
    script.collect::<Vec<_>>().join("\n")
}

#[test]
fn what_the_last_commit_broke_is_found_and_annotated() {
    let Some(folder) = repository() else { return };
    let path = folder.path();
    let page = path.join("target-page.md");
    // What the action runs.
    let script = workspace_root().join("ci/askance-ci");
    let mut command = shell(path, &format!("exec '{}'", script.display()));
    command.env("GITHUB_ACTIONS", "true");
    command.env("GITHUB_STEP_SUMMARY", &page);
    let said = Said::from(command.output().unwrap());
    assert_eq!(said.code, Some(1), "{}\n{}", said.out, said.err);
    let annotation = "::error file=main/shop/Price.java,line=10";
    let is_annotated = said.out.lines().any(|line| line.starts_with(annotation));
    assert!(is_annotated, "{}\n{}", said.out, said.err);

    let report = path.join("askance-report");
    let summary = std::fs::read_to_string(report.join("summary.md")).unwrap();
    assert!(
        summary.contains("shop.Price.tax (main/shop/Price.java:10)"),
        "{summary}"
    );
    assert!(summary.contains("Flaky: it passed"), "{summary}");
    assert!(!summary.contains("nothingCostsNothing"), "{summary}");
    assert_eq!(std::fs::read_to_string(page).unwrap(), summary);

    let sarif = std::fs::read_to_string(report.join("findings.sarif")).unwrap();
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let regions = results.iter().map(|result| {
        let place = &result["locations"][0]["physicalLocation"];
        (
            place["artifactLocation"]["uri"].as_str(),
            place["region"]["startLine"].as_u64(),
        )
    });
    let blamed = (Some("main/shop/Price.java"), Some(10));
    assert!(regions.into_iter().any(|one| one == blamed), "{sarif:#}");

    let pages = crate::support::names(&report);
    let pages: Vec<&String> = pages
        .iter()
        .filter(|name| name.ends_with(".html"))
        .collect();
    let [page] = pages[..] else {
        panic!("one test failed twice: {pages:?}")
    };
    let page = std::fs::read_to_string(report.join(page)).unwrap();
    assert!(page.len() < 5_000_000, "{}", page.len());
    let mode = report.metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o77, 0, "others can look into {}", report.display());
    assert!(page.contains("<title>The bug is in Price.tax</title>"));
}

/// A project without a history has nothing to compare with.
#[test]
fn without_another_version_there_are_suspects() {
    let Some(folder) = repository() else { return };
    let path = folder.path();
    // The test that is flaky has failed before.
    source(path, "target/was-run", "");
    let mut command = shell(path, "askance ci --no-reference -- $ASKANCE_BUILD");
    let said = Said::from(command.output().unwrap());
    assert_eq!(said.code, Some(1), "{}\n{}", said.out, said.err);
    let suspects = "shop.PriceTest#halvesAreRoundedUp: suspects, the likeliest first: shop.Price";
    assert!(said.err.contains(suspects), "{}", said.err);
}

/// Writes a report in which a test failed; when it is run again, it takes its time.
const SLOW_AGAIN: &str = "if [ -e TEST-shop.xml ]; then echo $$ > again; exec sleep 300; fi
case='<testcase name=\"total\" classname=\"shop.CartTest\"><failure message=\"no\"/></testcase>'
echo \"<testsuite>$case</testsuite>\" > TEST-shop.xml
if [ -n \"$SLOW\" ]; then echo $$ > again; exec sleep 300; fi
exit 1
";

/// Whether a process is gone, or nobody has looked yet at how it ended.
fn has_ended(pid: &str) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{pid}/stat"));
    state.map_or(true, |state| state.contains(") Z "))
}

/// Fails unless what we run ends with us, whether it is the build or a test that is run again.
#[track_caller]
fn check_ends_with_us(variables: &[(&str, &str)]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    source(path, "build.sh", SLOW_AGAIN);
    let mut command = shell(path, "exec askance ci --no-reference -- sh build.sh");
    command.envs(variables.iter().copied());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut ours = command.spawn().unwrap();
    let pid = || std::fs::read_to_string(path.join("again")).unwrap_or_default();
    crate::support::wait_for("the build sleeps", || pid().ends_with('\n'));
    let pid = pid().trim().to_owned();
    let mut kill = Command::new("kill");
    kill.arg(ours.id().to_string());
    assert!(kill.status().unwrap().success());
    assert_eq!(ours.wait().unwrap().code(), Some(130));
    crate::support::wait_for("the build should end", || has_ended(&pid));
    let traces = path.join("askance-report/traces");
    let left = traces.read_dir().into_iter().flatten().count();
    assert_eq!(left, 0, "{}", traces.display());
    assert!(!path.join("askance-report/summary.md").exists());
}

#[test]
fn a_build_ends_with_us() {
    check_ends_with_us(&[("SLOW", "1")]);
}

#[test]
fn a_test_that_is_run_again_ends_with_us() {
    check_ends_with_us(&[]);
}

#[test]
fn a_build_that_succeeds_leaves_nothing() {
    let Some(folder) = repository() else { return };
    let path = folder.path();
    source(path, "main/shop/Price.java", RIGHT);
    source(path, "target/was-run", "");
    let script = gitlab_script();
    assert!(script.starts_with("askance ci "), "{script}");
    let mut command = shell(path, &script);
    command.env("ASKANCE_REPORT", "askance-report");
    let said = Said::from(command.output().unwrap());
    assert_eq!(said.code, Some(0), "{}\n{}", said.out, said.err);
    assert!(!path.join("askance-report").exists());
    assert!(!said.err.contains("askance:"), "{}", said.err);
}
