//! The answers of a project on disk: an embedded database, one file.

use std::collections::BTreeMap;
use std::fs::DirBuilder;
use std::ops::Bound;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use redb::{Database, ReadableTable as _, TableDefinition};
use serde::{Deserialize, Serialize};

/// From a behaviour's key to what was said about it, as JSON.
const ANSWERS: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("answers-1");

/// What the database says about a failure is told and not looked into.
type Tried<T> = Result<T, Box<dyn std::error::Error>>;

/// Why answers cannot be kept or read.
#[derive(Debug, thiserror::Error)]
#[error("the remembered answers in {} cannot be used: {message}", .path.display())]
pub struct MemoryError {
    pub path: PathBuf,
    pub message: String,
}

/// An answer that is remembered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RememberedAnswer {
    /// `yes`, `no` or `inadmissible`.
    pub answer: String,
    /// The path of the value that was called wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wrong: Option<String>,
    /// `a.b.C.method(I)V`.
    pub method: String,
    /// The call as it was shown, in one line.
    pub call: String,
    /// The trace that it was given about.
    pub from: String,
    /// Seconds since 1970.
    pub when: u64,
    /// The call in that trace, and the JVM that it ran in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<(u32, u32)>,
}

/// A store. The file is open only while it is read or written: a page may be served for days, and others want
/// to answer meanwhile.
pub struct Store {
    path: PathBuf,
    /// In the order of keys: those of one method's code follow each other.
    known: Mutex<BTreeMap<String, RememberedAnswer>>,
}

/// How long another process may have the file.
const PATIENCE: Duration = Duration::from_secs(2);

impl Store {
    /// Reads the file, or makes it.
    ///
    /// # Errors
    /// If it is no store, or another process has it open, or it cannot be written.
    pub fn open(path: &Path) -> Result<Store, MemoryError> {
        let store = Store {
            path: path.to_owned(),
            known: Mutex::default(),
        };
        if let Some(folder) = path.parent() {
            // Answers show what the program held.
            let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
            made.map_err(|error| store.failed(&error))?;
        }
        let all = store.with_file(read_all)?;
        store.known().extend(all);
        Ok(store)
    }

    /// What was said about a behaviour.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<RememberedAnswer> {
        self.known().get(key).cloned()
    }

    /// Whether anything was said about a behaviour whose key begins so.
    #[must_use]
    pub(super) fn has(&self, beginning: &str) -> bool {
        let known = self.known();
        beginning_with(&known, beginning).next().is_some()
    }

    /// Whether one of them was called wrong.
    #[must_use]
    pub(super) fn has_wrong(&self, beginning: &str) -> bool {
        let known = self.known();
        beginning_with(&known, beginning).any(|kept| kept.answer == "no")
    }

    /// Keeps answers; a later one about the same behaviour takes the place of an earlier one.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn put(&self, answers: &[(String, RememberedAnswer)]) -> Result<(), MemoryError> {
        if answers.is_empty() {
            return Ok(());
        }
        self.with_file(|database| {
            let transaction = database.begin_write()?;
            {
                let mut table = transaction.open_table(ANSWERS)?;
                for (key, kept) in answers {
                    let bytes = serde_json::to_vec(kept)?;
                    table.insert(key.as_str(), bytes.as_slice())?;
                }
            }
            Ok(transaction.commit()?)
        })?;
        self.known().extend(answers.iter().cloned());
        Ok(())
    }

    /// Everything that is remembered, by method and then by call.
    #[must_use]
    pub fn all(&self) -> Vec<(String, RememberedAnswer)> {
        let mut all: Vec<(String, RememberedAnswer)> = self
            .known()
            .iter()
            .map(|(key, kept)| (key.clone(), kept.clone()))
            .collect();
        all.sort_by(|(one, a), (other, b)| {
            (&a.method, &a.call, one).cmp(&(&b.method, &b.call, other))
        });
        all
    }

    /// Forgets answers; gives how many there were.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn remove(&self, keys: &[String]) -> Result<usize, MemoryError> {
        let removed = self.with_file(|database| {
            let transaction = database.begin_write()?;
            let mut removed = 0;
            {
                let mut table = transaction.open_table(ANSWERS)?;
                for key in keys {
                    removed += usize::from(table.remove(key.as_str())?.is_some());
                }
            }
            transaction.commit()?;
            Ok(removed)
        })?;
        let mut known = self.known();
        for key in keys {
            known.remove(key);
        }
        Ok(removed)
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<String, RememberedAnswer>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with_file<T>(&self, work: impl FnOnce(&Database) -> Tried<T>) -> Result<T, MemoryError> {
        let patience = Instant::now() + PATIENCE;
        let database = loop {
            match Database::create(&self.path) {
                Ok(database) => break database,
                Err(redb::DatabaseError::DatabaseAlreadyOpen) if Instant::now() < patience => {
                    std::thread::sleep(PATIENCE / 100);
                }
                Err(error) => return Err(self.failed(&error)),
            }
        };
        work(&database).map_err(|error| self.failed(&*error))
    }

    fn failed(&self, error: &dyn std::error::Error) -> MemoryError {
        MemoryError {
            path: self.path.clone(),
            message: error.to_string(),
        }
    }
}

fn beginning_with<'known>(
    known: &'known BTreeMap<String, RememberedAnswer>,
    beginning: &'known str,
) -> impl Iterator<Item = &'known RememberedAnswer> {
    known
        .range::<str, _>((Bound::Included(beginning), Bound::Unbounded))
        .take_while(move |(key, _)| key.starts_with(beginning))
        .map(|(_, kept)| kept)
}

fn read_all(database: &Database) -> Tried<Vec<(String, RememberedAnswer)>> {
    let transaction = database.begin_read()?;
    let table = match transaction.open_table(ANSWERS) {
        Ok(table) => table,
        Err(redb::TableError::TableDoesNotExist(_)) => return Ok(Vec::new()),
        Err(error) => return Err(error.into()),
    };
    let mut all = Vec::new();
    for entry in table.iter()? {
        let (key, bytes) = entry?;
        if let Ok(kept) = serde_json::from_slice::<RememberedAnswer>(bytes.value()) {
            all.push((key.value().to_owned(), kept));
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(answer: &str, call: &str) -> RememberedAnswer {
        RememberedAnswer {
            answer: answer.to_owned(),
            wrong: None,
            method: "Till.sum([I)I".to_owned(),
            call: call.to_owned(),
            from: "t.askance".to_owned(),
            when: 7,
            place: None,
        }
    }

    #[test]
    fn what_is_put_is_found_after_opening_again_until_it_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/answers.redb");
        let store = Store::open(&path).unwrap();
        assert_eq!(store.get("a"), None);
        assert!(store.all().is_empty());
        let (first, second) = (kept("yes", "sum(1)"), kept("no", "sum(2)"));
        store
            .put(&[("b".into(), second.clone()), ("a".into(), kept("no", "x"))])
            .unwrap();
        store.put(&[("a".into(), first.clone())]).unwrap();
        // The file is free while nobody reads or writes.
        let store = Store::open(&path).unwrap();
        assert_eq!(store.get("a"), Some(first.clone()));
        let all = store.all();
        assert_eq!(all, [("a".into(), first), ("b".into(), second)]);
        assert_eq!(store.remove(&["a".into(), "z".into()]).unwrap(), 1);
        assert_eq!(store.get("a"), None);
    }

    #[test]
    fn what_is_no_store_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("diary.txt");
        std::fs::write(&path, "dear").unwrap();
        let error = Store::open(&path).err().unwrap().to_string();
        assert!(error.contains("diary.txt"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "dear");
    }
}
