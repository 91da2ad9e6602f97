//! A run as a request sees it: what can be looked up in it, and the session about it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use debug_engine::NodeId;
use debug_engine::oracle::Cascade;
use debug_engine::session::SessionError;

use super::children::ChildPages;
use super::failure::ApiError;
use super::lines::Lines;
use super::questioning::Questioning;
use crate::oracle::memory::Memory;
use crate::questioning::Opening;
use crate::source::follow::translated;
use crate::source::imported::ImportedTree;
use crate::source::recording::Recording;
use crate::source::run::JavaRun;

/// See the module's header.
pub struct Served {
    recording: Arc<dyn Recording>,
    /// What only a recorded run has: the inside of its calls.
    java: Option<Arc<JavaRun>>,
    children: ChildPages,
    lines: Lines,
    questioning: Mutex<Questioning>,
    /// Which of the snapshots of a growing run it is.
    snapshot: u64,
    /// The snapshot before, for whoever still has numbers from it.
    before: Option<Arc<JavaRun>>,
}

impl Served {
    /// A recorded run.
    ///
    /// # Errors
    /// If no session can be had about it.
    pub fn recorded(
        run: Arc<JavaRun>,
        opening: &Opening,
        oracles: Cascade<'static>,
        memory: Option<Memory>,
    ) -> Result<Served, SessionError> {
        let recording: Arc<dyn Recording> = Arc::<JavaRun>::clone(&run);
        let questioning = Questioning::start(Arc::clone(&recording), opening, oracles, memory)?;
        Ok(Served::new(recording, Some(run), questioning))
    }

    /// A call tree from elsewhere.
    ///
    /// # Errors
    /// If no session can be had about it.
    pub fn imported(
        tree: Arc<ImportedTree>,
        opening: &Opening,
        oracles: Cascade<'static>,
    ) -> Result<Served, SessionError> {
        let recording: Arc<dyn Recording> = tree;
        let questioning = Questioning::start(Arc::clone(&recording), opening, oracles, None)?;
        Ok(Served::new(recording, None, questioning))
    }

    fn new(
        recording: Arc<dyn Recording>,
        java: Option<Arc<JavaRun>>,
        questioning: Questioning,
    ) -> Served {
        Served {
            recording,
            java,
            children: ChildPages::default(),
            lines: Lines::default(),
            questioning: Mutex::new(questioning),
            snapshot: 0,
            before: None,
        }
    }

    /// The same run when more of it is known. The session goes over to it, so this one takes no
    /// answers any more.
    pub(crate) fn grown(
        &self,
        newer: Arc<JavaRun>,
        opening: &Opening,
        oracles: impl FnOnce(&Arc<JavaRun>, Option<&Memory>) -> Cascade<'static>,
    ) -> Result<Served, SessionError> {
        let recording: Arc<dyn Recording> = Arc::<JavaRun>::clone(&newer);
        let before = self.java.clone();
        let mut questioning = self.questioning();
        let answers = match &before {
            Some(before) => translated(questioning.session().log(), before, &newer),
            None => Vec::new(),
        };
        let questioning = questioning.go_over(&newer, answers, opening, oracles)?;
        Ok(Served {
            snapshot: self.snapshot + 1,
            before,
            ..Served::new(recording, Some(newer), questioning)
        })
    }

    pub(crate) fn snapshot(&self) -> u64 {
        self.snapshot
    }

    /// Where a call of another snapshot is in this one, as far as that is known.
    pub(crate) fn moved(&self, node: NodeId, snapshot: u64) -> Option<NodeId> {
        if snapshot == self.snapshot {
            return Some(node);
        }
        let before = self
            .before
            .as_ref()
            .filter(|_| snapshot + 1 == self.snapshot)?;
        let java = self.java.as_ref()?;
        java.node(before.call_id(node)?)
    }

    pub(crate) fn recording(&self) -> &dyn Recording {
        &*self.recording
    }

    pub(super) fn children(&self) -> &ChildPages {
        &self.children
    }

    pub(super) fn lines(&self) -> &Lines {
        &self.lines
    }

    /// The recorded run, for what an imported tree cannot tell.
    pub(crate) fn java(&self) -> Result<&JavaRun, ApiError> {
        self.java.as_deref().ok_or_else(|| {
            ApiError::missing(
                "this call tree was imported: what happened inside its calls was not recorded",
            )
        })
    }

    pub(crate) fn is_recorded(&self) -> bool {
        self.java.is_some()
    }

    /// A number as a node that exists.
    pub(crate) fn node(&self, number: u32) -> Result<NodeId, ApiError> {
        let len = self.recording.len();
        if number < len {
            Ok(NodeId(number))
        } else {
            Err(ApiError::missing(format!(
                "node {number} does not exist: the tree has {len} nodes"
            )))
        }
    }

    /// The session, for a look at it.
    pub(crate) fn questioning(&self) -> MutexGuard<'_, Questioning> {
        // A request that panicked has at worst left an answer unsaved.
        self.questioning
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the session and gives its new revision.
    pub(crate) fn change(
        &self,
        change: impl FnOnce(&mut Questioning) -> Result<(), ApiError>,
    ) -> Result<u64, ApiError> {
        let mut questioning = self.questioning();
        questioning.check_current()?;
        change(&mut questioning)?;
        Ok(questioning.revision())
    }
}
