//! What a build is compared with: the revision from which the change under test began.

use std::path::Path;
use std::process::{Command, Stdio};

/// Variables in which servers say which branch a change is meant for.
const TARGET_BRANCHES: [&str; 3] = [
    "GITHUB_BASE_REF",
    "CI_MERGE_REQUEST_TARGET_BRANCH_NAME",
    "CHANGE_TARGET",
];

/// Where main branches are, if nobody says it.
const MAIN_BRANCHES: [&str; 5] = [
    "origin/HEAD",
    "origin/main",
    "origin/master",
    "main",
    "master",
];

/// The commit that a build in this folder is best compared with: where its branch left the one that it is meant for. On
/// that branch itself it is the commit before, or the last commit if there are changes that are not committed. `None`
/// without a repository, or if nothing else is known of its history.
#[must_use]
pub fn base_revision(folder: &Path) -> Option<String> {
    base_of(folder, |name| std::env::var(name).ok())
}

fn base_of(folder: &Path, variable: impl Fn(&str) -> Option<String>) -> Option<String> {
    let git = |words: &[&str]| output(folder, words);
    let head = git(&["rev-parse", "--verify", "--quiet", "HEAD"])?;
    if git(&["status", "--porcelain", "--untracked-files=no"]).is_some() {
        return Some(head);
    }
    let targets = TARGET_BRANCHES.into_iter().filter_map(variable);
    let targets = targets
        .filter(|branch| !branch.is_empty())
        .flat_map(|branch| [format!("origin/{branch}"), branch]);
    let branches = targets.chain(MAIN_BRANCHES.map(str::to_owned));
    let mut bases = branches.filter_map(|branch| git(&["merge-base", "HEAD", &branch]));
    bases
        .find(|base| *base != head)
        .or_else(|| git(&["rev-parse", "--verify", "--quiet", "HEAD~1"]))
}

/// What git says, if it says anything.
fn output(folder: &Path, words: &[&str]) -> Option<String> {
    let output = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(words)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn git(folder: &Path, words: &str) -> String {
        let names = [
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@b",
            "-c",
            "commit.gpgsign=false",
        ];
        let words: Vec<&str> = names.into_iter().chain(words.split(' ')).collect();
        output(folder, &words).unwrap_or_default()
    }

    #[test]
    fn a_branch_is_compared_with_where_it_left_its_target() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let nothing = |_: &str| None;
        assert_eq!(base_of(folder, nothing), None);
        git(folder, "init --quiet --initial-branch=main");
        git(folder, "commit --allow-empty --quiet -m one");
        let one = git(folder, "rev-parse HEAD");
        assert_eq!(base_of(folder, nothing), None);
        git(folder, "commit --allow-empty --quiet -m two");
        let two = git(folder, "rev-parse HEAD");
        assert_eq!(base_of(folder, nothing), Some(one.clone()));
        git(folder, "checkout --quiet -b feature");
        git(folder, "commit --allow-empty --quiet -m three");
        git(folder, "commit --allow-empty --quiet -m four");
        assert_eq!(base_of(folder, nothing), Some(two.clone()));
        git(folder, "branch release HEAD~3");
        let released = |name: &str| (name == "GITHUB_BASE_REF").then(|| "release".to_owned());
        assert_eq!(base_of(folder, released), Some(one));
        std::fs::write(folder.join("a"), "a").unwrap();
        git(folder, "add a");
        assert_eq!(
            base_of(folder, nothing),
            Some(git(folder, "rev-parse HEAD"))
        );
    }
}
