//! Reading a call tree from a file with one JSON object a line, in preorder.
//!
//! The file is read once, front to back, and each line is written to the columns at once; what is kept
//! in memory is the stack of open calls and the routines' names. The sizes of subtrees are known only
//! when everything was read: a second pass goes over the parents from the back. Numbers that come twice
//! are found as they come as long as the numbers ascend, and in passes over their column otherwise.

use std::fs::File;
use std::path::{Path, PathBuf};

use debug_engine::RoutineId;
use serde_json::value::RawValue;

use super::columns::{Column, Names, unwritable, write_sizes};
use super::description::{Description, VERSION};
use super::error::ImportError;
use super::ids::IdWriter;
use super::line::{Line, Lines, parse, text_of};
use super::numbering::{Numbering, state};
use super::routines::{Entry, RoutineWriter};
use super::texts::TextWriter;
use super::{NO_PARENT, file};

/// What was imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Imported {
    pub calls: u32,
    pub routines: u32,
    pub roots: u32,
}

/// Imports a file into an existing empty folder. `progress` hears bytes done and bytes in all,
/// and says whether to go on.
///
/// # Errors
/// If the file cannot be read, is not what it should be, or nothing can be written. The folder is then
/// to be removed.
pub fn import(
    source: &Path,
    folder: &Path,
    progress: &mut dyn FnMut(u64, u64) -> bool,
) -> Result<Imported, ImportError> {
    let unreadable = |error| ImportError::Unreadable {
        path: source.to_owned(),
        source: error,
    };
    let input = File::open(source).map_err(unreadable)?;
    let total = input.metadata().map_err(unreadable)?.len();
    let mut lines = Lines::new(input);
    let mut tree = TreeWriter::create(folder)?;
    let mut roots = 0;
    while let Some((number, bytes)) = lines.next().map_err(unreadable)? {
        let line = parse(source, number, bytes)?;
        roots += u32::from(line.parent.is_none());
        tree.add(source, number, &line)?;
        if number.is_multiple_of(4096) && !progress(lines.done, total) {
            return Err(ImportError::Interrupted);
        }
    }
    let description = tree.finish(source)?;
    let Description {
        nodes, routines, ..
    } = description;
    if nodes == 0 {
        return Err(ImportError::Empty(source.to_owned()));
    }
    write_sizes(folder, nodes)?;
    let json = serde_json::to_vec(&description).unwrap_or_default();
    let path = folder.join(file::DESCRIPTION);
    std::fs::write(&path, json).map_err(|error| unwritable(&path, error))?;
    Ok(Imported {
        calls: nodes,
        routines,
        roots,
    })
}

/// The columns that are written line by line.
struct TreeWriter {
    folder: PathBuf,
    numbering: Numbering,
    names: Names,
    parents: Column,
    jumps: Column,
    routines: RoutineWriter,
    ids: IdWriter,
    texts: TextWriter,
}

impl TreeWriter {
    fn create(folder: &Path) -> Result<Self, ImportError> {
        let column = |name| Column::create(folder, name);
        Ok(TreeWriter {
            folder: folder.to_owned(),
            numbering: Numbering::new(),
            names: Names::create(folder)?,
            parents: column(file::PARENTS)?,
            jumps: column(file::JUMPS)?,
            routines: RoutineWriter::create(folder)?,
            ids: IdWriter::new(folder),
            texts: TextWriter::new(folder),
        })
    }

    fn add(&mut self, source: &Path, number: u64, line: &Line<'_>) -> Result<(), ImportError> {
        if self.numbering.nodes() >= NO_PARENT - 1 {
            return Err(ImportError::TooMany(source.to_owned()));
        }
        let before = state(line.before.map(RawValue::get));
        let after = state(line.after.map(RawValue::get));
        let added = self.numbering.add(line.id, line.parent, before, after);
        let Ok(added) = added else {
            return Err(self.wrong_parent(source, number, line.parent.unwrap_or_default()));
        };
        let routine = self.names.number(&line.name, line.trusted)?;
        if routine >= RoutineWriter::MOST {
            return Err(ImportError::TooMany(source.to_owned()));
        }
        self.parents.put(&added.parent.to_le_bytes())?;
        self.jumps.put(&added.jump.to_le_bytes())?;
        self.routines.put(Entry {
            routine: RoutineId(routine),
            is_chained: added.is_chained,
        })?;
        self.ids.put(line.id)?;
        self.texts.put(&text_of(line))
    }

    /// The parent is not open: it has ended, or it never was.
    fn wrong_parent(&mut self, source: &Path, line: u64, parent: u64) -> ImportError {
        let file = source.to_owned();
        match self.ids.contains(parent) {
            Ok(true) => ImportError::NotPreorder { file, line, parent },
            Ok(false) => ImportError::UnknownParent { file, line, parent },
            Err(error) => error,
        }
    }

    /// Ends all columns but those of sizes.
    fn finish(mut self, source: &Path) -> Result<Description, ImportError> {
        self.parents.flush()?;
        self.jumps.flush()?;
        if !self.numbering.is_ascending()
            && let Some(twice) = self.ids.find_twice()?
        {
            return Err(duplicate(source, twice));
        }
        let description = Description {
            version: VERSION,
            from: source.display().to_string(),
            nodes: self.numbering.nodes(),
            routines: self.names.finish()?,
            routine_bytes: self.routines.finish()?,
            first_id: self.ids.finish()?,
            has_texts: self.texts.finish()?,
        };
        let mut chains = Column::create(&self.folder, file::CHAINS)?;
        for row in self.numbering.long_chains() {
            for number in row {
                chains.put(&number.to_le_bytes())?;
            }
        }
        chains.flush()?;
        Ok(description)
    }
}

/// Finds the lines again: a second pass over a file that is wrong anyway.
fn duplicate(source: &Path, (id, later): (u64, u32)) -> ImportError {
    let mut found = Vec::new();
    let mut node = 0;
    if let Ok(input) = File::open(source) {
        let mut lines = Lines::new(input);
        while let Ok(Some((number, bytes))) = lines.next() {
            let same = parse(source, number, bytes).is_ok_and(|line| line.id == id);
            if same {
                found.push(number);
            }
            if node == later {
                break;
            }
            node += 1;
        }
    }
    ImportError::DuplicateId {
        file: source.to_owned(),
        line: found.last().copied().unwrap_or_default(),
        id,
        first: found.first().copied().unwrap_or_default(),
    }
}
