//! A run as a request sees it: what can be looked up in it, and the session about it.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use debug_engine::NodeId;
use debug_engine::oracle::Cascade;
use debug_engine::session::SessionError;

use super::children::ChildPages;
use super::lines::Lines;
use super::questioning::{Advisers, OpenQuestion, SessionProgress, SharedQuestioning};
use crate::failure::ApiError;
use inquiry::Opening;
use inquiry::imported::ImportedTree;
use inquiry::oracle::memory::Memory;
use java_analysis::recording::Recording;
use java_model::run::JavaRun;

/// Pages hear of automatic answers not more often than this.
const BETWEEN_NEWS: Duration = Duration::from_millis(250);

/// See the module's header.
pub struct RunSnapshot {
    recording: Arc<dyn Recording>,
    /// What only a recorded run has: the inside of its calls.
    java: Option<Arc<JavaRun>>,
    children: ChildPages,
    lines: Lines,
    questioning: Mutex<SharedQuestioning>,
    /// Told when those who answer before a person have been heard.
    heard: Condvar,
    /// Which of the snapshots of a growing run it is.
    snapshot: u64,
    /// The snapshot before, for whoever still has numbers from it.
    before: Option<Arc<JavaRun>>,
}

impl RunSnapshot {
    /// A recorded run.
    ///
    /// # Errors
    /// If no session can be had about it.
    pub fn recorded(
        run: Arc<JavaRun>,
        opening: &Opening,
        oracles: Cascade<'static>,
        memory: Option<Memory>,
    ) -> Result<RunSnapshot, SessionError> {
        let recording: Arc<dyn Recording> = Arc::<JavaRun>::clone(&run);
        let questioning =
            SharedQuestioning::start(Arc::clone(&recording), opening, oracles, memory)?;
        Ok(RunSnapshot::new(recording, Some(run), questioning))
    }

    /// A call tree from elsewhere.
    ///
    /// # Errors
    /// If no session can be had about it.
    pub fn imported(
        tree: Arc<ImportedTree>,
        opening: &Opening,
        oracles: Cascade<'static>,
    ) -> Result<RunSnapshot, SessionError> {
        let recording: Arc<dyn Recording> = tree;
        let questioning = SharedQuestioning::start(Arc::clone(&recording), opening, oracles, None)?;
        Ok(RunSnapshot::new(recording, None, questioning))
    }

    fn new(
        recording: Arc<dyn Recording>,
        java: Option<Arc<JavaRun>>,
        questioning: SharedQuestioning,
    ) -> RunSnapshot {
        RunSnapshot {
            recording,
            java,
            children: ChildPages::default(),
            lines: Lines::default(),
            questioning: Mutex::new(questioning),
            heard: Condvar::new(),
            snapshot: 0,
            before: None,
        }
    }

    /// The same run when more of it is known. The session goes over to it, so this one takes no
    /// answers any more.
    pub fn grown(
        &self,
        newer: Arc<JavaRun>,
        question: OpenQuestion,
        opening: &Opening,
        oracles: Cascade<'static>,
        memory: Option<Memory>,
    ) -> Result<RunSnapshot, SessionError> {
        let recording: Arc<dyn Recording> = Arc::<JavaRun>::clone(&newer);
        let before = self.java.clone();
        let mut questioning = self.questioning();
        let from = before.as_deref();
        let gone_over = questioning.go_over(from, &newer, question, opening, oracles, memory)?;
        drop(questioning);
        // Nobody has to wait for what is thought about this one.
        self.heard.notify_all();
        Ok(RunSnapshot {
            snapshot: self.snapshot + 1,
            before,
            ..RunSnapshot::new(recording, Some(newer), gone_over)
        })
    }

    pub fn snapshot(&self) -> u64 {
        self.snapshot
    }

    /// Where a call of another snapshot is in this one, as far as that is known.
    pub fn moved(&self, node: NodeId, snapshot: u64) -> Option<NodeId> {
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

    pub fn recording(&self) -> &dyn Recording {
        &*self.recording
    }

    pub fn children(&self) -> &ChildPages {
        &self.children
    }

    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    /// The recorded run, for what an imported tree cannot tell.
    pub fn java(&self) -> Result<&JavaRun, ApiError> {
        self.java.as_deref().ok_or_else(|| {
            ApiError::missing(
                "this call tree was imported: what happened inside its calls was not recorded",
            )
        })
    }

    pub fn is_recorded(&self) -> bool {
        self.java.is_some()
    }

    /// A number as a node that exists.
    pub fn node(&self, number: u32) -> Result<NodeId, ApiError> {
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
    pub fn questioning(&self) -> MutexGuard<'_, SharedQuestioning> {
        // A request that panicked has at worst left an answer unsaved.
        self.questioning
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The session as soon as those who answer before a person have been heard, or when that takes too long.
    pub fn heard_within(&self, patience: Duration) -> MutexGuard<'_, SharedQuestioning> {
        let thinks = |questioning: &mut SharedQuestioning| questioning.is_thinking();
        let waited = self
            .heard
            .wait_timeout_while(self.questioning(), patience, thinks);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// The session when those who answer before a person have been heard.
    pub fn settled_questioning(&self) -> MutexGuard<'_, SharedQuestioning> {
        let thinks = |questioning: &mut SharedQuestioning| questioning.is_thinking();
        let waited = self.heard.wait_while(self.questioning(), thinks);
        waited.unwrap_or_else(PoisonError::into_inner)
    }

    /// Hears those who answer before a person is asked, however long that takes, and tells of it now and then.
    pub fn hear(&self, advisers: &Advisers, tell: impl Fn(SessionProgress)) {
        let mut told = Instant::now();
        let mut thought = None;
        loop {
            let mut questioning = self.questioning();
            let task = questioning.go_on_hearing(thought);
            let standing = questioning.standing();
            drop(questioning);
            let Some(task) = task else {
                self.heard.notify_all();
                return tell(standing);
            };
            if told.elapsed() >= BETWEEN_NEWS {
                tell(standing);
                told = Instant::now();
            }
            thought = Some(advisers.think(task));
        }
    }

    /// Changes the session.
    pub fn change(
        &self,
        change: impl FnOnce(&mut SharedQuestioning) -> Result<(), ApiError>,
    ) -> Result<(), ApiError> {
        let mut questioning = self.questioning();
        questioning.check_current()?;
        change(&mut questioning)
    }
}
