//! A revision of the program, checked out beside the working tree for as long as it is needed.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::interrupt::{self, Duty};
use crate::scratch;

/// Why a revision cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum WorktreeError {
    #[error("git could not be run: {0}")]
    NoGit(io::Error),
    #[error("{} is not in a git repository, so there is no other revision of it", .0.display())]
    NoRepository(PathBuf),
    #[error("git cannot check out {revision}: {message}")]
    NoRevision { revision: String, message: String },
    #[error("git knows no revision {0}")]
    UnknownRevision(String),
    #[error("no temporary folder could be made: {0}")]
    Temporary(io::Error),
    #[error("the build of {revision} failed: {command}\n{message}")]
    Build {
        revision: String,
        command: String,
        message: String,
    },
}

/// How much of what a failed build says is told.
const LINES_TOLD: usize = 20;

/// A checked-out revision. It goes away when it is dropped.
#[derive(Debug)]
pub struct Worktree {
    repository: PathBuf,
    folder: tempfile::TempDir,
    revision: String,
    _removed_before_leaving: Duty,
}

/// The commit that a revision of the repository around a folder stands for.
#[must_use]
pub fn commit(inside: &Path, revision: &str) -> Option<String> {
    let wanted = format!("{revision}^{{commit}}");
    let found = git(inside, ["rev-parse", "--verify", "--quiet", &wanted]).ok()?;
    let commit = text(&found.stdout).trim().to_owned();
    (found.status.success() && !commit.is_empty()).then_some(commit)
}

impl Worktree {
    /// Checks out a revision of the repository that a folder is in.
    ///
    /// # Errors
    /// If there is no repository, or no such revision.
    pub fn of(inside: &Path, revision: &str) -> Result<Worktree, WorktreeError> {
        let top = git(inside, ["rev-parse", "--show-toplevel"])?;
        if !top.status.success() {
            return Err(WorktreeError::NoRepository(inside.to_owned()));
        }
        let repository = PathBuf::from(text(&top.stdout).trim_end());
        remove_abandoned(&repository);
        let folder = scratch::folder().map_err(WorktreeError::Temporary)?;
        let (theirs, tree) = (repository.clone(), tree_in(folder.path()));
        let worktree = Worktree {
            repository,
            folder,
            revision: revision.to_owned(),
            _removed_before_leaving: interrupt::before_leaving(move || remove(&theirs, &tree)),
        };
        let place = worktree.folder().into_os_string();
        let words: [&OsStr; 7] = [
            OsStr::new("worktree"),
            OsStr::new("add"),
            OsStr::new("--quiet"),
            OsStr::new("--force"),
            OsStr::new("--detach"),
            &place,
            OsStr::new(revision),
        ];
        let added = git(&worktree.repository, words)?;
        if added.status.success() {
            return Ok(worktree);
        }
        let message = text(&added.stderr);
        let message = message.trim().trim_start_matches("fatal: ");
        Err(WorktreeError::NoRevision {
            revision: revision.to_owned(),
            message: message.lines().last().unwrap_or_default().to_owned(),
        })
    }

    /// The repository's working tree, of which this is another revision.
    #[must_use]
    pub fn repository(&self) -> &Path {
        &self.repository
    }

    /// Where the revision is.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        tree_in(self.folder.path())
    }

    /// The same place in the other revision; the path itself if it is not in the repository.
    #[must_use]
    pub fn counterpart(&self, path: &Path) -> PathBuf {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let real = absolute.canonicalize().unwrap_or(absolute);
        match real.strip_prefix(&self.repository) {
            Ok(inside) if inside.as_os_str().is_empty() => self.folder(),
            Ok(inside) => self.folder().join(inside),
            Err(_) => path.to_owned(),
        }
    }

    /// A word of a command line with every path in it moved into the other revision, as far as that
    /// has it: what is not kept in the repository is taken from where it is.
    #[must_use]
    pub fn moved(&self, word: &OsStr, working_directory: &Path) -> OsString {
        let entries = std::env::split_paths(word).map(|entry| {
            let here = working_directory.join(&entry);
            let there = self.counterpart(&here);
            match (there.exists(), here.exists()) {
                (true, _) if entry.is_relative() => entry,
                (true, _) => there,
                (false, true) => here,
                (false, false) => entry,
            }
        });
        std::env::join_paths(entries).unwrap_or_else(|_| word.to_owned())
    }

    /// Builds it, in the counterpart of a folder.
    ///
    /// # Errors
    /// If the command cannot be run or fails.
    pub fn build(&self, command: &str, working_directory: &Path) -> Result<(), WorktreeError> {
        let failed = |message: String| WorktreeError::Build {
            revision: self.revision.clone(),
            command: command.to_owned(),
            message,
        };
        let output = Command::new("sh")
            .args(["-c", command])
            .current_dir(self.counterpart(working_directory))
            .stdin(Stdio::null())
            .output()
            .map_err(|error| failed(error.to_string()))?;
        if output.status.success() {
            return Ok(());
        }
        let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
        let lines: Vec<&str> = said.trim_end().lines().collect();
        let last = lines.len().saturating_sub(LINES_TOLD);
        Err(failed(lines[last..].join("\n")))
    }
}

impl Drop for Worktree {
    fn drop(&mut self) {
        remove(&self.repository, &self.folder());
    }
}

/// Where a revision is checked out, in a folder of its own.
fn tree_in(folder: &Path) -> PathBuf {
    folder.join("tree")
}

/// Takes a revision away, also out of the repository's list.
fn remove(repository: &Path, tree: &Path) {
    let words = ["worktree", "remove", "--force"].map(OsStr::new);
    let _ = git(repository, words.into_iter().chain([tree.as_os_str()]));
}

/// Takes away what a tool that was killed has checked out. The folder may have gone before; the repository lists it
/// all the same.
fn remove_abandoned(repository: &Path) {
    let Ok(listed) = git(repository, ["worktree", "list", "--porcelain"]) else {
        return;
    };
    let listed = text(&listed.stdout);
    let trees = listed
        .lines()
        .filter_map(|line| line.strip_prefix("worktree "));
    for tree in trees.map(Path::new) {
        let owner = tree.parent().and_then(Path::file_name);
        if owner
            .and_then(scratch::owner)
            .is_some_and(scratch::is_nobodys)
        {
            remove(repository, tree);
        }
    }
}

pub(super) fn git<S: AsRef<OsStr>>(
    folder: &Path,
    words: impl IntoIterator<Item = S>,
) -> Result<Output, WorktreeError> {
    Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(words)
        .stdin(Stdio::null())
        .output()
        .map_err(WorktreeError::NoGit)
}

pub(super) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
