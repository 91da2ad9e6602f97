//! What files are known by, so that those which were cut, emptied or overwritten since do not answer as if nothing had
//! happened.
//!
//! To read all of a trace would take longer than most questions. So a seal has the length of each file, and a checksum
//! of blocks that are spread over it: of a small file all of them, of a large one so many that nothing which concerns
//! a whole file, or most of it, goes unnoticed.
//!
//! Indexes are sealed when they are complete, and those that are damaged are made again. What was recorded is sealed by
//! whoever had it recorded, when the JVM is gone; damage there can only be told.

use std::fmt;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use serde::{Deserialize, Serialize};
use trace_format::{Meta, files};

use crate::error::{IoContext as _, Result};
use crate::processes::is_gone;

const BLOCK: u64 = 64 << 10;
/// Blocks of a file that are looked at.
const MOST_BLOCKS: u64 = 16;

/// The files of a folder, in the order of their names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Seal(Vec<SealedFile>);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct SealedFile {
    name: String,
    length: u64,
    checksum: u32,
}

/// Files that are not as they were when the recording ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage(Vec<String>);

impl fmt::Display for Damage {
    /// As the end of a sentence.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0[..] {
            [file] => write!(formatter, "the file {file} is not as it was recorded"),
            files => write!(
                formatter,
                "the files {} are not as they were recorded",
                files.join(", ")
            ),
        }
    }
}

/// Seals what a JVM has recorded, if it is gone.
///
/// # Errors
/// If a file cannot be read, or the seal cannot be written.
pub fn seal(jvm: &Path) -> Result<()> {
    let path = jvm.join(files::META);
    let json = fs::read(&path).during("read", &path)?;
    if !Meta::parse(&json).is_ok_and(|meta| is_gone(meta.pid)) {
        return Ok(());
    }
    let seal = Seal::of(jvm, files::SEAL).during("read the files of", jvm)?;
    let path = jvm.join(files::SEAL);
    write_checked(&path, &seal).during("write", &path)
}

/// What of a JVM's recording is damaged, as far as can be seen from outside. Nothing is known of one that was not
/// sealed.
#[must_use]
pub fn damage(jvm: &Path) -> Option<Damage> {
    let path = jvm.join(files::SEAL);
    if !path.exists() {
        return None;
    }
    let damaged = match read_checked::<Seal>(&path) {
        Some(seal) => seal.damaged(jvm).map(str::to_owned).collect(),
        None => vec![files::SEAL.to_owned()],
    };
    (!damaged.is_empty()).then_some(Damage(damaged))
}

impl Seal {
    /// Of all files of a folder but one.
    pub(crate) fn of(folder: &Path, except: &str) -> io::Result<Self> {
        let mut sealed = Vec::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if name != except && entry.file_type()?.is_file() {
                let (length, checksum) = look_at(&entry.path())?;
                sealed.push(SealedFile {
                    name,
                    length,
                    checksum,
                });
            }
        }
        sealed.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(Self(sealed))
    }

    /// Whether the files of a folder are those that were sealed; there may be others.
    pub(crate) fn is_whole(&self, folder: &Path) -> bool {
        self.damaged(folder).next().is_none()
    }

    fn damaged(&self, folder: &Path) -> impl Iterator<Item = &str> {
        let changed = |file: &&SealedFile| {
            let found = look_at(&folder.join(&file.name)).ok();
            found != Some((file.length, file.checksum))
        };
        self.0.iter().filter(changed).map(|file| &*file.name)
    }
}

/// Writes JSON, with its checksum on a line behind it.
pub(crate) fn write_checked(path: &Path, content: &impl Serialize) -> io::Result<()> {
    let mut bytes = serde_json::to_vec(content)?;
    let checksum = crc32fast::hash(&bytes);
    bytes.extend_from_slice(format!("\n{checksum:08x}\n").as_bytes());
    fs::write(path, bytes)
}

/// What was written so; `None` if it is damaged.
pub(crate) fn read_checked<T: for<'de> Deserialize<'de>>(path: &Path) -> Option<T> {
    let text = fs::read_to_string(path).ok()?;
    let (json, checksum) = text.strip_suffix('\n')?.rsplit_once('\n')?;
    let is_whole = u32::from_str_radix(checksum, 16).ok()? == crc32fast::hash(json.as_bytes());
    is_whole.then(|| serde_json::from_str(json).ok())?
}

/// The length of a file, and the checksum of some of it.
fn look_at(path: &Path) -> io::Result<(u64, u32)> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut hasher = crc32fast::Hasher::new();
    let mut block = Vec::new();
    for at in places(length) {
        let size = BLOCK.min(length - at) as usize;
        block.resize(size, 0);
        file.read_exact_at(&mut block, at)?;
        hasher.update(&block);
    }
    Ok((length, hasher.finalize()))
}

/// Where the blocks begin: the first, the last, and those between them at equal distances.
fn places(length: u64) -> impl Iterator<Item = u64> {
    let all = length.div_ceil(BLOCK);
    let count = all.min(MOST_BLOCKS);
    let last = length.saturating_sub(BLOCK);
    (0..count).map(move |number| match all <= MOST_BLOCKS {
        true => number * BLOCK,
        false => last / (count - 1) * number + last % (count - 1) * number / (count - 1),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_begin_and_end_with_the_file() {
        assert_eq!(places(0).count(), 0);
        assert_eq!(places(1).collect::<Vec<_>>(), [0]);
        assert_eq!(places(BLOCK + 1).collect::<Vec<_>>(), [0, BLOCK]);
        for length in [17 * BLOCK, 100 * BLOCK + 7, u64::from(u32::MAX) * BLOCK + 1] {
            let places: Vec<u64> = places(length).collect();
            assert_eq!(places.len() as u64, MOST_BLOCKS);
            assert_eq!(places.first(), Some(&0));
            assert_eq!(places.last(), Some(&(length - BLOCK)));
            assert!(places.is_sorted());
        }
    }

    #[test]
    fn every_byte_of_a_small_file_counts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows");
        let whole: Vec<u8> = (0..3 * BLOCK as usize / 2).map(|at| at as u8).collect();
        fs::write(&path, &whole).unwrap();
        let seal = Seal::of(folder.path(), "stamp").unwrap();
        assert!(seal.is_whole(folder.path()));
        for at in (0..whole.len()).step_by(997) {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            fs::write(&path, changed).unwrap();
            assert!(!seal.is_whole(folder.path()), "byte {at}");
        }
        fs::write(&path, &whole[..whole.len() - 1]).unwrap();
        assert!(!seal.is_whole(folder.path()));
        fs::remove_file(&path).unwrap();
        assert!(!seal.is_whole(folder.path()));
    }

    #[test]
    fn a_large_file_of_zeros_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows");
        let length = 40 * BLOCK;
        fs::write(&path, vec![7; length as usize]).unwrap();
        let seal = Seal::of(folder.path(), "stamp").unwrap();
        let mut half = vec![7; length as usize / 2];
        half.resize(length as usize, 0);
        fs::write(&path, half).unwrap();
        assert!(!seal.is_whole(folder.path()));
    }
}
