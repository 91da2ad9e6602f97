//! The files that an import writes.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use debug_engine::tree::SizeMaxima;

use super::numbering::Sizes;
use super::{ImportError, file};

/// With more names than this, further ones are not compared with earlier ones.
const MOST_NAMES: usize = 8_000_000;
/// Nodes per step of the pass from the back: whole blocks of the `largest` column.
const STEP: usize = 1 << 20;

/// A file that is written front to back.
pub(super) struct Column {
    pub(super) path: PathBuf,
    out: BufWriter<File>,
}

impl Column {
    pub(super) fn create(folder: &Path, name: &str) -> Result<Self, ImportError> {
        let path = folder.join(name);
        match File::create(&path) {
            Ok(file) => Ok(Column {
                path,
                out: BufWriter::with_capacity(1 << 18, file),
            }),
            Err(error) => Err(unwritable(&path, error)),
        }
    }

    pub(super) fn put(&mut self, bytes: &[u8]) -> Result<(), ImportError> {
        self.out
            .write_all(bytes)
            .map_err(|error| unwritable(&self.path, error))
    }

    pub(super) fn flush(&mut self) -> Result<(), ImportError> {
        self.out
            .flush()
            .map_err(|error| unwritable(&self.path, error))
    }

    /// Puts it in the place of another file.
    pub(super) fn rename(&mut self, path: &Path) -> Result<(), ImportError> {
        std::fs::rename(&self.path, path).map_err(|error| unwritable(path, error))?;
        path.clone_into(&mut self.path);
        Ok(())
    }
}

pub(super) fn unwritable(path: &Path, source: io::Error) -> ImportError {
    ImportError::Unwritable {
        path: path.to_owned(),
        source,
    }
}

/// The routines: a name, and whether its calls are trusted.
pub(super) struct Names {
    known: HashMap<(Box<str>, bool), u32>,
    names: Column,
    names_at: Column,
    bytes: u64,
    count: u32,
}

impl Names {
    pub(super) fn create(folder: &Path) -> Result<Self, ImportError> {
        Ok(Names {
            known: HashMap::new(),
            names: Column::create(folder, file::NAMES)?,
            names_at: Column::create(folder, file::NAMES_AT)?,
            bytes: 0,
            count: 0,
        })
    }

    pub(super) fn number(&mut self, name: &str, trusted: bool) -> Result<u32, ImportError> {
        let key = (Box::from(name), trusted);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let number = self.count;
        self.count += 1;
        let entry = self.bytes << 1 | u64::from(trusted);
        self.names_at.put(&entry.to_le_bytes())?;
        self.names.put(name.as_bytes())?;
        self.bytes += name.len() as u64;
        if self.known.len() < MOST_NAMES {
            self.known.insert(key, number);
        }
        Ok(number)
    }

    pub(super) fn finish(&mut self) -> Result<u32, ImportError> {
        self.names_at.put(&(self.bytes << 1).to_le_bytes())?;
        self.names_at.flush()?;
        self.names.flush()?;
        Ok(self.count)
    }
}

/// Fills the columns `sizes` and `largest` from the back.
pub(super) fn write_sizes(folder: &Path, nodes: u32) -> Result<(), ImportError> {
    let parents_path = folder.join(file::PARENTS);
    let path = folder.join(file::SIZES);
    let largest_path = folder.join(file::LARGEST);
    let mut sizes = Sizes::default();
    let mut pass = || -> io::Result<()> {
        let mut parents = File::open(&parents_path)?;
        let mut out = File::create(&path)?;
        let mut largest_out = File::create(&largest_path)?;
        let mut end = nodes as usize;
        while end > 0 {
            let start = (end - 1) / STEP * STEP;
            let mut block = vec![0; (end - start) * 4];
            parents.seek(SeekFrom::Start(start as u64 * 4))?;
            parents.read_exact(&mut block)?;
            let (numbers, _) = block.as_chunks_mut::<4>();
            for (node, bytes) in (start as u32..end as u32).zip(numbers.iter_mut()).rev() {
                let parent = u32::from_le_bytes(*bytes);
                *bytes = sizes.before(node, parent).to_le_bytes();
            }
            let largest: Vec<u8> = numbers
                .chunks(SizeMaxima::BLOCK as usize)
                .flat_map(|sizes| sizes.iter().map(|bytes| u32::from_le_bytes(*bytes)).max())
                .flat_map(u32::to_le_bytes)
                .collect();
            let first_block = start as u64 / u64::from(SizeMaxima::BLOCK);
            largest_out.seek(SeekFrom::Start(first_block * 4))?;
            largest_out.write_all(&largest)?;
            out.seek(SeekFrom::Start(start as u64 * 4))?;
            out.write_all(&block)?;
            end = start;
        }
        Ok(())
    };
    pass().map_err(|error| unwritable(&path, error))
}
