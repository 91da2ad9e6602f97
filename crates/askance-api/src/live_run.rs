//! A run in its place on the server: complete, or still growing. While a program runs, what is known
//! of it is a series of snapshots; a request works on one of them from its beginning to its end.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread;

use debug_engine::oracle::Cascade;
use debug_engine::session::{Diagnosis, SessionError, SessionStep};
use debug_engine::{ExecutionTree as _, RoutineId};
use schemars::JsonSchema;
use serde::Serialize;
use tokio::sync::watch;
use trace_store::CallId;

use super::questioning::{OpenQuestion, SessionProgress, SharedQuestioning};
use super::run_snapshot::RunSnapshot;
use crate::failure::ApiError;
use inquiry::Opening;
use inquiry::oracle::memory::Memory;
use inquiry::oracle::memory::store::Store;
use java_model::follow::Follower;
use java_model::run::JavaRun;

/// See the module's header.
pub struct LiveRun {
    name: String,
    current: RwLock<Option<Arc<RunSnapshot>>>,
    /// Whoever waits for it hears of every change of the session.
    standing: watch::Sender<SessionProgress>,
    progress: watch::Sender<Option<Progress>>,
    growing: Option<Growing>,
}

/// See [`LiveRun::news`].
pub struct News(watch::Receiver<SessionProgress>);

impl News {
    /// Whether there were any since this was asked last.
    pub fn has_come(&mut self) -> bool {
        let has_come = self.0.has_changed().unwrap_or(false);
        self.0.mark_unchanged();
        has_come
    }
}

/// How to ask about each snapshot of a run that grows.
pub struct Growth {
    pub opening: Opening,
    pub source_path: Vec<PathBuf>,
    /// The answers of other sessions about the project.
    pub remembered: Option<Arc<Store>>,
    /// Who answers about a snapshot before a person is asked.
    pub advised: Box<Advise>,
}

/// Tells who answers about a snapshot, of which so much is remembered.
pub type Advise = dyn Fn(&Arc<JavaRun>, Option<Memory>) -> Advised + Send + Sync;

/// What a snapshot is asked about with.
pub struct Advised {
    pub oracles: Cascade<'static>,
    /// Methods that cannot be to blame.
    pub blameless: BTreeSet<RoutineId>,
}

/// What a run that is being recorded has beside its calls.
struct Growing {
    folder: PathBuf,
    growth: Growth,
    /// The call below which is searched, if not everywhere. Its number changes while the run grows.
    root: Mutex<Option<CallId>>,
    /// Held while a snapshot is put in the place of another.
    turn: Mutex<()>,
    /// Set as soon as there is something to ask while the program runs.
    follower: Mutex<Option<Arc<Follower>>>,
    /// Ends the program.
    stop: Box<dyn Fn() + Send + Sync>,
}

/// How far recording and indexing are.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Progress {
    pub phase: Phase,
    /// Calls that can be asked about so far.
    pub calls: u32,
    /// Bytes recorded so far.
    pub bytes: u64,
    pub seconds: u64,
    /// How much of the index is made, of 1.
    pub indexed: Option<f64>,
    /// What went wrong, or how it ended.
    pub sentence: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// The program runs.
    Recording,
    /// It has ended, and the index is being made.
    Indexing,
    /// Everything is known.
    Complete,
    /// There is nothing to ask about.
    Failed,
}

impl Growing {
    /// How to ask about a snapshot.
    fn opening(&self, run: &JavaRun) -> Opening {
        let root = self.root.lock().unwrap_or_else(PoisonError::into_inner);
        Opening {
            root: root.and_then(|call| run.node(call)),
            ..self.growth.opening.clone()
        }
    }
}

impl LiveRun {
    /// A run that is complete.
    #[must_use]
    pub fn complete(served: RunSnapshot) -> LiveRun {
        let served = Arc::new(served);
        let slot = LiveRun {
            name: name(served.recording().folder()),
            current: RwLock::new(Some(Arc::clone(&served))),
            standing: watch::Sender::default(),
            progress: watch::Sender::new(None),
            growing: None,
        };
        slot.hear(&served);
        slot
    }

    /// A run that is being recorded into this folder.
    #[must_use]
    pub fn growing(
        folder: &Path,
        growth: Growth,
        stop: impl Fn() + Send + Sync + 'static,
    ) -> LiveRun {
        LiveRun {
            name: name(folder),
            current: RwLock::default(),
            standing: watch::Sender::default(),
            progress: watch::Sender::new(Some(Progress {
                phase: Phase::Recording,
                calls: 0,
                bytes: 0,
                seconds: 0,
                indexed: None,
                sentence: None,
            })),
            growing: Some(Growing {
                folder: folder.to_owned(),
                growth,
                root: Mutex::default(),
                turn: Mutex::default(),
                follower: Mutex::default(),
                stop: Box::new(stop),
            }),
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// What is known now; nothing while nothing is recorded.
    pub fn current(&self) -> Option<Arc<RunSnapshot>> {
        let current = self.current.read();
        current.unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn standings(&self) -> watch::Receiver<SessionProgress> {
        self.standing.subscribe()
    }

    /// For whoever asks now and then whether the session has changed.
    pub fn news(&self) -> News {
        News(self.standing.subscribe())
    }

    pub fn progress(&self) -> watch::Receiver<Option<Progress>> {
        self.progress.subscribe()
    }

    /// The folder of a run that is, or was, recorded for this page.
    pub fn recorded_in(&self) -> Option<&Path> {
        Some(&self.growing.as_ref()?.folder)
    }

    /// Ends the program, if it is ours; whether it is.
    pub fn stop(&self) -> bool {
        match &self.growing {
            Some(growing) => {
                (growing.stop)();
                true
            }
            None => false,
        }
    }

    /// Tells how far things are.
    pub fn tell(&self, change: impl FnOnce(&mut Progress)) {
        self.progress.send_if_modified(|progress| match progress {
            Some(progress) => {
                let before = progress.clone();
                change(progress);
                *progress != before
            }
            None => false,
        });
    }

    /// From now on the run can be asked about while it grows.
    pub fn follow(&self, follower: Arc<Follower>) {
        if let Some(growing) = &self.growing {
            let mut place = growing
                .follower
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            *place = Some(follower);
        }
    }

    fn follower(&self) -> Option<Arc<Follower>> {
        let follower = self.growing.as_ref()?.follower.lock();
        follower.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// From now on only this call and what is below it is searched.
    pub fn search_below(&self, call: CallId) {
        if let Some(growing) = &self.growing {
            let mut root = growing.root.lock().unwrap_or_else(PoisonError::into_inner);
            *root = Some(call);
        }
    }

    /// Whether only more of the run can help.
    #[must_use]
    pub fn waits(&self) -> bool {
        self.current().is_none_or(|served| {
            let mut questioning = served.questioning();
            let step = questioning.step();
            !questioning.is_thinking()
                && !matches!(
                    step,
                    SessionStep::Ask(_) | SessionStep::Done(Diagnosis::Found { .. })
                )
        })
    }

    /// Whether nothing is known yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.current().is_none()
    }

    /// Puts the whole run in its place.
    pub fn put(&self, served: RunSnapshot) {
        let served = Arc::new(served);
        let current = self.current.write();
        *current.unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&served));
        self.tell(|progress| progress.calls = served.recording().len());
        self.hear(&served);
    }

    /// Tells the pages where a session stands, and hears those who answer before a person is asked while the
    /// pages go on.
    fn hear(&self, served: &Arc<RunSnapshot>) {
        let mut questioning = served.questioning();
        let advisers = questioning.begin_hearing();
        self.standing.send_replace(questioning.standing());
        drop(questioning);
        if let Some(advisers) = advisers {
            let (served, standing) = (Arc::clone(served), self.standing.clone());
            thread::spawn(move || {
                served.hear(&advisers, |news| {
                    standing.send_replace(news);
                });
            });
        }
    }

    /// Whether the views can go over to more of the run while the question stays: nobody is being heard about it, and
    /// nobody looks into a call.
    #[must_use]
    pub fn can_follow(&self) -> bool {
        self.current().is_some_and(|served| {
            let mut questioning = served.questioning();
            !questioning.is_thinking() && !questioning.is_inside()
        })
    }

    /// Puts a newer snapshot in the place of the last, with all answers.
    ///
    /// # Errors
    /// If no session can be had about it.
    pub fn grow(&self, newer: JavaRun, question: OpenQuestion) -> Result<(), SessionError> {
        let Some(growing) = &self.growing else {
            return Ok(());
        };
        let mut newer = newer;
        newer.add_source_path(&growing.growth.source_path);
        let newer = Arc::new(newer);
        // One after the other, and without keeping requests waiting: a reference takes time to compare with.
        let _turn = growing.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let known = self.current().map_or(0, |known| known.recording().len());
        if newer.len() < known {
            // Somebody else was quicker with one that has more.
            return Ok(());
        }
        let store = growing.growth.remembered.as_ref();
        let memory = store.map(|store| Memory::new(Arc::clone(&newer), Arc::clone(store)));
        let Advised { oracles, blameless } = (growing.growth.advised)(&newer, memory.clone());
        let opening = Opening {
            blameless,
            ..growing.opening(&newer)
        };
        let current = self.current.write();
        let mut current = current.unwrap_or_else(PoisonError::into_inner);
        let served = match &*current {
            Some(before) => before.grown(newer, question, &opening, oracles, memory)?,
            None => RunSnapshot::recorded(newer, &opening, oracles, memory)?,
        };
        let served = Arc::new(served);
        *current = Some(Arc::clone(&served));
        drop(current);
        self.tell(|progress| progress.calls = served.recording().len());
        self.hear(&served);
        Ok(())
    }

    /// After an answer: goes over to what has been recorded meanwhile, if there is more.
    fn catch_up(&self) -> Result<(), SessionError> {
        let Some(follower) = self.follower() else {
            return Ok(());
        };
        if let Some(java) = self
            .current()
            .as_ref()
            .and_then(|served| served.java().ok())
        {
            follower.settle_on(java.trace().meta().pid);
        }
        match follower.take() {
            Some(newer) => self.grow(newer, OpenQuestion::ChosenAnew),
            None => Ok(()),
        }
    }

    fn phase(&self) -> Option<Phase> {
        self.progress.borrow().as_ref().map(|known| known.phase)
    }

    /// Whether the program has ended and all that it did is recorded, though a snapshot may have less.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        matches!(self.phase(), Some(Phase::Complete) | None)
    }

    /// Whether more of the run may come.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        match self.phase() {
            Some(Phase::Recording | Phase::Indexing) => true,
            Some(Phase::Complete) => self.follower().is_some_and(|follower| follower.goes_on()),
            Some(Phase::Failed) | None => false,
        }
    }

    /// Goes over to what was recorded meanwhile, if there is more and nobody is kept from a question by that: the open
    /// one stays.
    ///
    /// # Errors
    /// If no session can be had about it.
    pub fn look_again(&self) -> Result<(), SessionError> {
        if !self.can_follow() {
            return Ok(());
        }
        match self.follower().and_then(|follower| follower.take()) {
            Some(newer) => self.grow(newer, OpenQuestion::Stays),
            None => Ok(()),
        }
    }

    /// Changes the session, goes over to what was recorded meanwhile, and tells the pages. Gives the run
    /// as it is known then; those who answer before a person may still be heard.
    pub fn change(
        &self,
        change: impl FnOnce(&RunSnapshot, &mut SharedQuestioning) -> Result<(), ApiError>,
    ) -> Result<Arc<RunSnapshot>, ApiError> {
        let run = self.known()?;
        run.change(|questioning| change(&run, questioning))?;
        self.catch_up()?;
        let run = self.current().unwrap_or(run);
        self.hear(&run);
        Ok(run)
    }

    /// What is known now, if there is anything.
    pub fn known(&self) -> Result<Arc<RunSnapshot>, ApiError> {
        let nothing_yet = || ApiError::missing("nothing of this run is recorded yet");
        self.current().ok_or_else(nothing_yet)
    }
}

fn name(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or(folder.as_os_str());
    name.to_string_lossy().into_owned()
}
