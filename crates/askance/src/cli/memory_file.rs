//! Which file of remembered answers.

use std::path::PathBuf;

use clap::Args;

use super::failure::Failure;
use super::surroundings::working_directory;
use inquiry::oracle::memory::file_of;
use inquiry::oracle::memory::store::{RememberedAnswer, Store};
use launch::project::Project;
use launch::user_folders;

#[derive(Debug, Args)]
pub(super) struct MemoryFile {
    /// The file of answers (default: that of the project in the current folder)
    #[arg(long, value_name = "FILE")]
    memory: Option<PathBuf>,
}

impl MemoryFile {
    pub(super) fn open(&self) -> Result<Option<Store>, Failure> {
        let file = match &self.memory {
            Some(file) => Some(file.clone()),
            None => {
                let root = Project::of(&working_directory()?).root;
                user_folders::state().map(|state| file_of(&state, &root))
            }
        };
        match file.filter(|file| file.exists()) {
            Some(file) => Ok(Some(Store::open(&file)?)),
            None => Ok(None),
        }
    }

    pub(super) fn all(&self) -> Result<Vec<(String, RememberedAnswer)>, Failure> {
        Ok(match self.open()? {
            Some(store) => store.all(),
            None => Vec::new(),
        })
    }
}
