//! A recorded run as the tables read it.

use std::sync::{Arc, OnceLock};

use java_model::run::JavaRun;

use crate::method_table::MethodTable;

/// See the module's header.
pub struct TableReader {
    pub run: Arc<JavaRun>,
    /// Its number among the runs that are asked about, from 1.
    pub number: i64,
    methods: OnceLock<MethodTable>,
}

impl TableReader {
    #[must_use]
    pub fn new(run: Arc<JavaRun>, number: i64) -> Self {
        TableReader {
            run,
            number,
            methods: OnceLock::new(),
        }
    }

    /// What cannot be read, if anything cannot.
    #[must_use]
    pub fn damage(&self) -> Option<String> {
        self.run.trace().damage().ok()?
    }

    pub(crate) fn methods(&self) -> &MethodTable {
        self.methods.get_or_init(|| MethodTable::of(&self.run))
    }
}

impl std::fmt::Debug for TableReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "run {} at {}", self.number, self.run.folder().display())
    }
}
