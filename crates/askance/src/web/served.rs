//! A run that is served: what can be looked up in it, and the session about it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use debug_engine::NodeId;
use debug_engine::session::SessionError;
use frame_replay::Program;
use tokio::sync::watch;

use super::children::ChildPages;
use super::failure::ApiError;
use super::questioning::Questioning;
use crate::source::imported::ImportedTree;
use crate::source::recording::Recording;
use crate::source::run::JavaRun;

/// See the module's header.
pub struct Served {
    recording: Arc<dyn Recording>,
    java: Option<Java>,
    children: ChildPages,
    questioning: Mutex<Questioning>,
    /// The session's revision: whoever waits for it hears of every change.
    revision: watch::Sender<u64>,
}

/// What only a recorded run has: the inside of its calls.
pub(super) struct Java {
    pub(super) run: Arc<JavaRun>,
    pub(super) program: Program,
}

impl Served {
    /// A recorded run. `fresh` forgets the answers that were given earlier.
    ///
    /// # Errors
    /// If no session can be had about it.
    pub fn recorded(run: JavaRun, fresh: bool) -> Result<Served, SessionError> {
        let run = Arc::new(run);
        let program = Program::of(run.trace());
        let recording: Arc<dyn Recording> = Arc::<JavaRun>::clone(&run);
        Served::new(recording, Some(Java { run, program }), fresh)
    }

    /// A call tree from elsewhere.
    ///
    /// # Errors
    /// If no session can be had about it.
    pub fn imported(tree: ImportedTree, fresh: bool) -> Result<Served, SessionError> {
        Served::new(Arc::new(tree), None, fresh)
    }

    fn new(
        recording: Arc<dyn Recording>,
        java: Option<Java>,
        fresh: bool,
    ) -> Result<Served, SessionError> {
        let questioning = Questioning::start(Arc::clone(&recording), fresh)?;
        Ok(Served {
            recording,
            java,
            children: ChildPages::default(),
            revision: watch::Sender::new(questioning.revision()),
            questioning: Mutex::new(questioning),
        })
    }

    pub(super) fn recording(&self) -> &dyn Recording {
        &*self.recording
    }

    pub(super) fn children(&self) -> &ChildPages {
        &self.children
    }

    /// The recorded run, for what an imported tree cannot tell.
    pub(super) fn java(&self) -> Result<&Java, ApiError> {
        self.java.as_ref().ok_or_else(|| {
            ApiError::missing(
                "this call tree was imported: what happened inside its calls was not recorded",
            )
        })
    }

    pub(super) fn is_recorded(&self) -> bool {
        self.java.is_some()
    }

    /// A number as a node that exists.
    pub(super) fn node(&self, number: u32) -> Result<NodeId, ApiError> {
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
    pub(super) fn questioning(&self) -> MutexGuard<'_, Questioning> {
        // A request that panicked has at worst left an answer unsaved.
        self.questioning
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the session and tells everyone who waits for that.
    pub(super) fn change<T>(
        &self,
        change: impl FnOnce(&mut Questioning) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        let mut questioning = self.questioning();
        let result = change(&mut questioning);
        self.revision.send_replace(questioning.revision());
        result
    }

    pub(super) fn revisions(&self) -> watch::Receiver<u64> {
        self.revision.subscribe()
    }
}
