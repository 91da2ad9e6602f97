//! What the guide tells people to type does what the guide says.

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use test_support::workspace_root;

/// A command and what it should print.
#[derive(Debug, PartialEq, Eq)]
struct Shown {
    command: String,
    output: Vec<String>,
}

/// The commands of the blocks of a page that are marked as `console`.
fn shown(page: &str) -> Vec<Shown> {
    let mut commands: Vec<Shown> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| inside) {
            commands.push(Shown {
                command: command.to_owned(),
                output: Vec::new(),
            });
        } else if let (true, Some(last)) = (inside, commands.last_mut()) {
            last.output.push(line.to_owned());
        }
    }
    commands
}

/// Whether a line is what was expected, in which `…` stands for anything.
fn is_line(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split('…');
    let Some(mut rest) = parts.next().and_then(|first| line.strip_prefix(first)) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else {
        return rest.is_empty();
    };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// Whether lines are what was expected; a line that is `…` stands for any number of them.
fn are_lines(patterns: &[String], lines: &[&str]) -> bool {
    match (patterns.split_first(), lines.split_first()) {
        (None, None) => true,
        (None, Some(_)) => false,
        (Some((pattern, others)), _) if pattern == "…" => {
            (0..=lines.len()).any(|skipped| are_lines(others, &lines[skipped..]))
        }
        (Some((pattern, others)), Some((line, rest))) => {
            is_line(pattern, line) && are_lines(others, rest)
        }
        (Some(_), None) => false,
    }
}

fn try_page(path: &Path) {
    let folder = tempfile::tempdir().unwrap();
    symlink(
        workspace_root().join("examples"),
        folder.path().join("examples"),
    )
    .unwrap();
    let tool = Path::new(env!("CARGO_BIN_EXE_askance")).parent().unwrap();
    let path_variable = std::env::var("PATH").unwrap();
    for Shown { command, output } in shown(&std::fs::read_to_string(path).unwrap()) {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("exec 2>&1; {command}")]);
        crate::support::as_a_user(&mut shell, folder.path());
        shell.env("PATH", format!("{}:{path_variable}", tool.display()));
        // What lies beside the tool is what is tried, however old it is.
        shell.env("ASKANCE_QUERY", tool.join("askance-query"));
        let printed = shell.output().unwrap().stdout;
        let printed = String::from_utf8(printed).unwrap();
        let lines: Vec<&str> = printed.lines().collect();
        assert!(
            are_lines(&output, &lines),
            "{}: `{command}` printed\n{printed}\ninstead of\n{}",
            path.display(),
            output.join("\n"),
        );
    }
}

#[test]
fn every_command_of_the_guide_does_what_it_says() {
    let mut tried = 0;
    for entry in std::fs::read_dir(workspace_root().join("docs/guide")).unwrap() {
        let path = entry.unwrap().path();
        let page = std::fs::read_to_string(&path).unwrap();
        tried += shown(&page).len();
        try_page(&path);
    }
    assert!(tried >= 8, "only {tried} commands were found");
}

#[test]
fn every_query_on_the_page_about_queries_finds_what_it_says() {
    if crate::support::companion().is_some() {
        let path = workspace_root().join("docs/query.md");
        let page = std::fs::read_to_string(&path).unwrap();
        assert!(shown(&page).len() >= 20, "{}", shown(&page).len());
        try_page(&path);
    }
}

#[test]
fn dots_stand_for_anything() {
    assert!(is_line("a … c … e", "a bb c d e"));
    assert!(!is_line("a … c", "a b d"));
    assert!(!is_line("a", "ab"));
    let patterns = ["…".to_owned(), "b".to_owned(), "…".to_owned()];
    assert!(are_lines(&patterns, &["a", "b", "c"]));
    assert!(!are_lines(&patterns, &["a", "c"]));
}
