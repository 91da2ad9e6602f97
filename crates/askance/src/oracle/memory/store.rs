//! The answers of a project on disk: an embedded database, one file.

use std::path::{Path, PathBuf};

use redb::{Database, ReadableTable as _, TableDefinition};
use serde::{Deserialize, Serialize};

/// From a behaviour's key to what was said about it, as JSON.
const ANSWERS: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("answers-1");

/// What the database says about a failure is told and not looked into.
type Tried<T> = Result<T, Box<dyn std::error::Error>>;

/// Why answers cannot be kept or read.
#[derive(Debug, thiserror::Error)]
#[error("the remembered answers in {} cannot be used: {message}", .path.display())]
pub struct StoreError {
    pub path: PathBuf,
    pub message: String,
}

/// An answer that is remembered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
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
}

/// An open store.
pub struct Store {
    path: PathBuf,
    database: Database,
}

impl Store {
    /// Opens the file, or makes it.
    ///
    /// # Errors
    /// If it is no store, or another process has it open, or it cannot be written.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        let failed = |message: String| StoreError {
            path: path.to_owned(),
            message,
        };
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| failed(error.to_string()))?;
        }
        let database = Database::create(path).map_err(|error| failed(error.to_string()))?;
        Ok(Store {
            path: path.to_owned(),
            database,
        })
    }

    /// What was said about a behaviour.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn get(&self, key: &str) -> Result<Option<Kept>, StoreError> {
        let read = || -> Tried<Option<Kept>> {
            let transaction = self.database.begin_read()?;
            let table = match transaction.open_table(ANSWERS) {
                Ok(table) => table,
                Err(redb::TableError::TableDoesNotExist(_)) => return Ok(None),
                Err(error) => return Err(error.into()),
            };
            let found = table.get(key)?;
            Ok(found.and_then(|bytes| serde_json::from_slice(bytes.value()).ok()))
        };
        read().map_err(|error| self.failed(&*error))
    }

    /// Keeps answers; a later one about the same behaviour takes the place of an earlier one.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn put(&self, answers: &[(String, Kept)]) -> Result<(), StoreError> {
        let write = || -> Tried<()> {
            let transaction = self.database.begin_write()?;
            {
                let mut table = transaction.open_table(ANSWERS)?;
                for (key, kept) in answers {
                    let bytes = serde_json::to_vec(kept).unwrap_or_default();
                    table.insert(key.as_str(), bytes.as_slice())?;
                }
            }
            Ok(transaction.commit()?)
        };
        write().map_err(|error| self.failed(&*error))
    }

    /// Everything that is remembered, by method and then by call.
    ///
    /// # Errors
    /// If the store is damaged.
    pub fn all(&self) -> Result<Vec<(String, Kept)>, StoreError> {
        let read = || -> Tried<Vec<(String, Kept)>> {
            let transaction = self.database.begin_read()?;
            let table = match transaction.open_table(ANSWERS) {
                Ok(table) => table,
                Err(redb::TableError::TableDoesNotExist(_)) => return Ok(Vec::new()),
                Err(error) => return Err(error.into()),
            };
            let mut all = Vec::new();
            for entry in table.iter()? {
                let (key, bytes) = entry?;
                if let Ok(kept) = serde_json::from_slice::<Kept>(bytes.value()) {
                    all.push((key.value().to_owned(), kept));
                }
            }
            Ok(all)
        };
        let mut all = read().map_err(|error| self.failed(&*error))?;
        all.sort_by(|(_, a), (_, b)| (&a.method, &a.call).cmp(&(&b.method, &b.call)));
        Ok(all)
    }

    /// Forgets answers; gives how many there were.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn remove(&self, keys: &[String]) -> Result<usize, StoreError> {
        let write = || -> Tried<usize> {
            let transaction = self.database.begin_write()?;
            let mut removed = 0;
            {
                let mut table = transaction.open_table(ANSWERS)?;
                for key in keys {
                    removed += usize::from(table.remove(key.as_str())?.is_some());
                }
            }
            transaction.commit()?;
            Ok(removed)
        };
        write().map_err(|error| self.failed(&*error))
    }

    fn failed(&self, error: &dyn std::error::Error) -> StoreError {
        StoreError {
            path: self.path.clone(),
            message: error.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(answer: &str, call: &str) -> Kept {
        Kept {
            answer: answer.to_owned(),
            wrong: None,
            method: "Till.sum([I)I".to_owned(),
            call: call.to_owned(),
            from: "t.askance".to_owned(),
            when: 7,
        }
    }

    #[test]
    fn what_is_put_is_found_after_opening_again_until_it_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/answers.redb");
        let store = Store::open(&path).unwrap();
        assert_eq!(store.get("a").unwrap(), None);
        assert!(store.all().unwrap().is_empty());
        let (first, second) = (kept("yes", "sum(1)"), kept("no", "sum(2)"));
        store
            .put(&[("b".into(), second.clone()), ("a".into(), kept("no", "x"))])
            .unwrap();
        store.put(&[("a".into(), first.clone())]).unwrap();
        drop(store);
        let store = Store::open(&path).unwrap();
        assert_eq!(store.get("a").unwrap(), Some(first.clone()));
        let all = store.all().unwrap();
        assert_eq!(all, [("a".into(), first), ("b".into(), second)]);
        assert_eq!(store.remove(&["a".into(), "z".into()]).unwrap(), 1);
        assert_eq!(store.get("a").unwrap(), None);
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
