//! Resources that differ: files on the class path that are no code.
//!
//! They are given to the wrong version in a folder that stands before everything else on its class path. What only the
//! wrong version has cannot be taken away like that.

use std::io;

use launch::class_path::{ClassPath, Resource};
use launch::rerun::Modification;
use tempfile::TempDir;

use crate::experimenter::BothPrograms;
use crate::laboratory::Over;
use crate::search::smallest_right;
use crate::trials::Trials;

/// With more of them than this none is tried.
const MOST: usize = 20_000;

/// A file of the right version that the wrong one lacks or has otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceChange {
    pub path: String,
    theirs: Resource,
}

/// The resources of the right version that the wrong one lacks or has otherwise.
#[must_use]
pub fn differing_resources(programs: &BothPrograms) -> Vec<ResourceChange> {
    let both = programs.ours.class_path().zip(programs.theirs.class_path());
    both.map(|(ours, theirs)| differing(&ours, &theirs))
        .unwrap_or_default()
}

fn differing(ours: &ClassPath, theirs: &ClassPath) -> Vec<ResourceChange> {
    let ours = ours.resources();
    let other = theirs.resources().into_iter();
    let differing =
        other.filter(|(path, resource)| ours.get(path).is_none_or(|mine| !mine.is_like(resource)));
    let all: Vec<ResourceChange> = differing
        .map(|(path, theirs)| ResourceChange { path, theirs })
        .collect();
    if all.len() > MOST { Vec::new() } else { all }
}

/// A smallest set of resources that makes the wrong version right, by their paths; `None` if there is none.
pub(crate) fn smallest_resources(
    trials: &mut Trials<'_>,
    all: &[ResourceChange],
) -> Result<Option<Vec<String>>, Over> {
    let found = smallest_right(all.len(), |set| {
        let Ok(folder) = folder(set.iter().map(|&at| &all[at])) else {
            return Ok(false);
        };
        trials.is_right(Modification {
            resources: Some(folder.path()),
            ..Modification::default()
        })
    })?;
    Ok(found.map(|set| set.iter().map(|&at| all[at].path.clone()).collect()))
}

fn folder<'r>(resources: impl Iterator<Item = &'r ResourceChange>) -> io::Result<TempDir> {
    let folder = launch::scratch::folder()?;
    for change in resources {
        let place = folder.path().join(&change.path);
        // An archive may name places that are none of ours.
        let is_inside =
            !change.path.split('/').any(|part| part == "..") && place.starts_with(folder.path());
        let bytes = change.theirs.bytes().filter(|_| is_inside);
        if let (Some(bytes), Some(parent)) = (bytes, place.parent()) {
            std::fs::create_dir_all(parent)?;
            std::fs::write(&place, bytes)?;
        }
    }
    Ok(folder)
}
