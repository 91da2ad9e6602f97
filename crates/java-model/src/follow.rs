//! A run that is still going on, as a series of trees: each is a snapshot that does not change
//! while it is searched, and the next one is made in the background.
//!
//! The run is indexed in short steps, one after the other, so that somebody who has nothing else to do than to wait
//! for more has it soon. Who is busy with a snapshot is offered the next one when there is half as much again to see.
//! Calls keep their thread and their number in
//! it from one snapshot to the next, and [`translated`] turns nodes of one into nodes of another.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use debug_engine::session::LogEntry;
use debug_engine::{ExecutionTree as _, NodeId, Target};
use trace_store::let_others_go_first;

use super::growing::GrowingRun;
use super::run::{Chosen, JavaRun};

/// Between two looks at a trace that has nothing new.
const INTERVAL: Duration = Duration::from_millis(10);
/// How long a step should take.
const STEP: Duration = Duration::from_millis(10);
/// Bytes of the first step, and of the shortest and the longest.
const FIRST: u64 = 256 << 10;
const SHORTEST: u64 = 64 << 10;
const LONGEST: u64 = 64 << 20;
/// A question that is being made ready comes before the next snapshot.
const NICENESS: i32 = 5;

/// Follows a trace that grows.
#[derive(Debug)]
pub struct Follower {
    shared: Arc<Shared>,
    following: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    folder: PathBuf,
    /// Set when the program has ended and nothing is written any more.
    ended: Arc<AtomicBool>,
    newest: Mutex<Newest>,
    changed: Condvar,
    /// Somebody has nothing else to do than to wait for more.
    waiting: AtomicBool,
    /// The process that is asked about; 0 until that is settled.
    process: AtomicU32,
    dropped: AtomicBool,
}

#[derive(Default)]
struct Newest {
    /// The newest tree, until somebody takes it.
    run: Option<JavaRun>,
    /// There will be none after it.
    is_last: bool,
}

impl std::fmt::Debug for Newest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Newest")
            .field("is_there", &self.run.is_some())
            .field("is_last", &self.is_last)
            .finish()
    }
}

impl Follower {
    /// Begins to follow the trace in a folder, which need not hold anything yet.
    #[must_use]
    pub fn start(folder: &Path, ended: Arc<AtomicBool>) -> Follower {
        let shared = Arc::new(Shared {
            folder: folder.to_owned(),
            ended,
            newest: Mutex::default(),
            changed: Condvar::new(),
            waiting: AtomicBool::new(true),
            process: AtomicU32::new(0),
            dropped: AtomicBool::new(false),
        });
        let following = Arc::clone(&shared);
        let following = std::thread::spawn(move || following.follow());
        Follower {
            shared,
            following: Some(following),
        }
    }

    /// Whether there is a newer tree than the one that was taken last.
    #[must_use]
    pub fn has_more(&self) -> bool {
        self.shared.lock().run.is_some()
    }

    /// Whether there is a newer tree, or may be one.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        let newest = self.shared.lock();
        newest.run.is_some() || !newest.is_last
    }

    /// Waits for a newer tree; `None` if there will be none.
    #[must_use]
    pub fn next(&self) -> Option<JavaRun> {
        self.shared.waiting.store(true, Ordering::SeqCst);
        let mut newest = self.shared.lock();
        while newest.run.is_none() && !newest.is_last {
            newest = self
                .shared
                .changed
                .wait(newest)
                .unwrap_or_else(PoisonError::into_inner);
        }
        self.shared.waiting.store(false, Ordering::SeqCst);
        newest.run.take()
    }

    /// The newer tree, if there is one by now. If there is none, one is made at once, for when
    /// somebody comes again.
    #[must_use]
    pub fn take(&self) -> Option<JavaRun> {
        let newer = self.shared.lock().run.take();
        self.shared.waiting.store(newer.is_none(), Ordering::SeqCst);
        newer
    }

    /// From now on it is this process that is followed, whatever others there are.
    pub fn settle_on(&self, process: u32) {
        self.shared.process.store(process, Ordering::SeqCst);
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.shared.dropped.store(true, Ordering::SeqCst);
        // A step is short, and what it leaves on disk is then cleared up.
        if let Some(following) = self.following.take() {
            let _ = following.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Newest> {
        self.newest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn follow(&self) {
        let_others_go_first(NICENESS);
        let mut growing = None;
        let mut pace = Pace::default();
        let mut known = Size::default();
        let mut has_unseen = false;
        while !self.dropped.load(Ordering::SeqCst) {
            // In this order: what is written before the end is seen after it.
            let has_ended = self.ended.load(Ordering::SeqCst);
            let is_new = self.step(&mut growing, &mut pace);
            let is_last = has_ended && growing.as_ref().is_none_or(GrowingRun::is_up_to_date);
            has_unseen |= is_new;
            if is_last || has_unseen && self.is_wanted(growing.as_ref(), known) {
                self.offer(growing.as_mut(), &mut known, is_last);
                has_unseen = false;
            }
            if is_last {
                return;
            }
            if !is_new {
                std::thread::sleep(INTERVAL);
            }
        }
    }

    /// Indexes a little more; whether there was anything.
    fn step(&self, growing: &mut Option<GrowingRun>, pace: &mut Pace) -> bool {
        let settled = self.process.load(Ordering::SeqCst);
        let wanted = (settled != 0).then_some(settled);
        let followed = growing.as_ref().map(GrowingRun::pid);
        if followed.is_none() || followed != wanted {
            let chosen = Chosen::of(&self.folder, wanted);
            if chosen.is_ok_and(|chosen| followed != Some(chosen.pid)) {
                *growing = GrowingRun::open(&self.folder, wanted).ok();
            }
        }
        let Some(run) = growing else {
            return false;
        };
        let (started, before) = (Instant::now(), run.indexed());
        let is_new = run.advance(pace.bytes);
        pace.took(started.elapsed(), run.indexed() - before);
        match is_new {
            Ok(is_new) => is_new,
            Err(_) => {
                *growing = None;
                false
            }
        }
    }

    /// Whether somebody waits for a snapshot or would want one that is so much larger.
    fn is_wanted(&self, growing: Option<&GrowingRun>, known: Size) -> bool {
        let indexed = growing.map_or(0, GrowingRun::indexed);
        self.waiting.load(Ordering::SeqCst) || indexed >= known.bytes + known.bytes / 2
    }

    /// Makes a snapshot for who takes it.
    fn offer(&self, growing: Option<&mut GrowingRun>, known: &mut Size, is_last: bool) {
        let run = growing.and_then(|growing| {
            let run = growing.snapshot().ok()?;
            let size = Size::of(&run, growing.indexed());
            let is_new = is_last || known.differs(size);
            *known = size;
            is_new.then_some(run)
        });
        if run.is_some() || is_last {
            let mut newest = self.lock();
            newest.is_last = is_last;
            newest.run = run.or(newest.run.take());
            self.changed.notify_all();
        }
    }
}

/// How much is indexed in a step.
#[derive(Clone, Copy, Debug)]
struct Pace {
    bytes: u64,
}

impl Default for Pace {
    fn default() -> Self {
        Pace { bytes: FIRST }
    }
}

impl Pace {
    /// So many bytes took so long.
    fn took(&mut self, time: Duration, bytes: u64) {
        if bytes == 0 {
            return;
        }
        let fitting = bytes as f64 * STEP.as_secs_f64() / time.as_secs_f64().max(1e-6);
        let is_all = bytes < self.bytes;
        // There were no more: longer steps might have been as quick.
        if !is_all || fitting < self.bytes as f64 {
            self.bytes = (fitting as u64).clamp(SHORTEST, (self.bytes * 2).min(LONGEST));
        }
    }
}

/// What tells two snapshots apart.
#[derive(Clone, Copy, Debug, Default)]
struct Size {
    bytes: u64,
    calls: u32,
    open: usize,
}

impl Size {
    fn of(run: &JavaRun, bytes: u64) -> Size {
        Size {
            bytes,
            calls: run.len(),
            open: run.incomplete_nodes().len(),
        }
    }

    fn differs(self, other: Size) -> bool {
        (self.calls, self.open) != (other.calls, other.open)
    }
}

/// Makes what a question would else wait for. Without it a view says that it knows nothing.
pub fn make_indexes(run: &JavaRun) {
    let _ = run.trace().writes_indexed();
    let _ = run.trace().objects().map(|mut objects| objects.next());
}

/// Bytes in the full chunks of all JVMs of a run.
pub fn recorded_bytes(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| {
            entry
                .path()
                .join(trace_format::files::CHUNKS)
                .metadata()
                .ok()
        })
        .map(|chunks| chunks.len())
        .sum()
}

/// What is asked about in one snapshot, in a later one.
#[must_use]
pub fn moved_target(target: Target, from: &JavaRun, to: &JavaRun) -> Option<Target> {
    let node = |node: NodeId| to.node(from.call_id(node)?);
    Some(match target {
        Target::Node(call) => Target::Node(node(call)?),
        Target::Range { first, last } => Target::Range {
            first: node(first)?,
            last: node(last)?,
        },
        Target::Piece { first, last } => Target::Piece {
            first: node(first)?,
            last: node(last)?,
        },
    })
}

/// Answers about nodes of one snapshot as answers about nodes of a later one.
#[must_use]
pub fn translated(answers: &[LogEntry], from: &JavaRun, to: &JavaRun) -> Vec<LogEntry> {
    let node = |node: NodeId| to.node(from.call_id(node)?);
    answers
        .iter()
        .filter_map(|entry| {
            let mut entry = entry.clone();
            if let Some(first) = entry.node {
                entry.node = Some(node(first)?);
            }
            if let Some(last) = entry.last {
                entry.last = Some(node(last)?);
            }
            Some(entry)
        })
        .collect()
}
