//! The source of a call's method: the whole file, with the lines that the call executed.
//!
//! A request names a call and never a file. What file that is comes from the class file, which may have
//! been made by anybody, so the file must also lie in one of the folders of sources.

use std::fs;
use std::path::{Path, PathBuf};

use debug_engine::NodeId;
use frame_replay::Coverage;
use serde::{Deserialize, Serialize};

use super::{Answered, OfRun, Wanted, look};
use crate::source::source_text;
use crate::web::served::{Java, Served};

/// Larger files are not shown.
const LARGEST_FILE: u64 = 4 * 1024 * 1024;

#[derive(Debug, Deserialize)]
pub(super) struct Of {
    node: u32,
}

/// A method's source.
#[derive(Debug, Serialize)]
pub(super) struct Source {
    /// The file's name, if the class file has one.
    file: Option<String>,
    routine: String,
    /// The file's text, if it was found.
    text: Option<String>,
    /// Lines of the method.
    method: Vec<u32>,
    /// Lines that this call executed itself.
    executed: Vec<u32>,
    /// Why something is missing.
    note: Option<String>,
}

pub(super) async fn get(OfRun(run): OfRun, Wanted(of): Wanted<Of>) -> Answered<Source> {
    look(run, move |run| {
        let node = run.node(of.node)?;
        Ok(source(run, node))
    })
    .await
}

fn source(run: &Served, node: NodeId) -> Source {
    let code = run.recording().code_of(node);
    let java = run.java().ok();
    let text = java.and_then(|java| text(java, node));
    let note = match (&text, &code.file) {
        (Some(_), _) => None,
        (None, Some(file)) => Some(format!(
            "{file} was not found; --source-path FOLDER says where sources are."
        )),
        (None, None) => Some("The recording does not tell where the source is.".to_owned()),
    };
    let executed = java.and_then(|java| executed(java, node));
    Source {
        file: code.file,
        routine: code.routine,
        text,
        method: code.lines,
        executed: executed.unwrap_or_default(),
        note,
    }
}

fn executed(java: &Java, node: NodeId) -> Option<Vec<u32>> {
    let call = java.run.call_id(node)?;
    let coverage = Coverage::of(java.run.trace(), &java.program, call).ok()?;
    Some(coverage.lines.iter().map(|&line| line.into()).collect())
}

fn text(java: &Java, node: NodeId) -> Option<String> {
    let file = source_text::file_of(&java.run, java.run.method(node))?;
    let file = inside(java.run.source_path(), &file)?;
    if fs::metadata(&file).ok()?.len() > LARGEST_FILE {
        return None;
    }
    let bytes = fs::read(file).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The file's real place, if that is below one of the folders.
fn inside(folders: &[PathBuf], file: &Path) -> Option<PathBuf> {
    let file = file.canonicalize().ok()?;
    let mut folders = folders
        .iter()
        .filter_map(|folder| folder.canonicalize().ok());
    folders
        .any(|folder| file.starts_with(folder))
        .then_some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_outside_the_sources_is_not_read() {
        let outer = tempfile::tempdir().expect("a folder");
        let sources = outer.path().join("src");
        fs::create_dir_all(sources.join("shop")).expect("a folder");
        fs::write(outer.path().join("secret"), "s").expect("a file");
        fs::write(sources.join("shop/Cart.java"), "c").expect("a file");
        let folders = [sources.clone()];
        assert!(inside(&folders, &sources.join("shop/Cart.java")).is_some());
        assert!(inside(&folders, &sources.join("../secret")).is_none());
        assert!(inside(&folders, &outer.path().join("secret")).is_none());
        #[cfg(unix)]
        {
            let link = sources.join("Link.java");
            std::os::unix::fs::symlink(outer.path().join("secret"), &link).expect("a link");
            assert!(inside(&folders, &link).is_none());
        }
    }
}
