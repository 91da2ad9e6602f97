//! A run that is still going on, as a series of trees: each is a snapshot that does not change
//! while it is searched, and the next one is made in the background.
//!
//! A snapshot of a large run takes a while to index. So the first one holds no more than its beginning, each
//! later one no more than four times as much as the one before, and the next one is made only when there is half as
//! much again to see: all of them together cost little more than the last one. Only
//! when somebody waits for more of a small run is it made at once. Calls keep their thread and their number in
//! it from one snapshot to the next, and [`translated`] turns nodes of one into nodes of another.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use debug_engine::session::LogEntry;
use debug_engine::{ExecutionTree as _, NodeId};

use super::run::JavaRun;

/// Between two looks at the trace.
const INTERVAL: Duration = Duration::from_millis(10);
/// A trace below this size is looked at again whenever somebody waits.
const SMALL: u64 = 16 << 20;
/// The first snapshot holds no more than this: it is indexed within some hundredths of a second.
const FIRST: u64 = 4 << 20;
/// Each later one holds at most so many times as much as the one before.
const GROWTH: u64 = 4;

/// Follows a trace that grows.
#[derive(Debug)]
pub struct Follower {
    shared: Arc<Shared>,
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
        std::thread::spawn(move || following.follow());
        Follower { shared }
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
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Newest> {
        self.newest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn follow(&self) {
        let mut known = Size::default();
        let mut pause = INTERVAL;
        while !self.dropped.load(Ordering::SeqCst) {
            // In this order: what is written before the end is seen after it.
            let has_ended = self.ended.load(Ordering::SeqCst);
            let bytes = recorded_bytes(&self.folder);
            let may_wait = known.bytes > SMALL && bytes < known.bytes + known.bytes / 2;
            let is_wanted = self.waiting.load(Ordering::SeqCst) || bytes > known.bytes;
            if has_ended || (is_wanted && !may_wait) {
                let started = Instant::now();
                let most = FIRST.max(known.bytes * GROWTH);
                let run = self.open(most);
                let is_beginning = run.as_ref().is_some_and(|run| run.trace().is_beginning());
                let is_last = has_ended && !is_beginning;
                let is_new = run.as_ref().is_some_and(|run| known.differs(run));
                if let Some(run) = &run {
                    known = Size::of(run, if is_beginning { most } else { bytes });
                }
                let run = run.filter(|_| is_last || is_new);
                if run.is_some() || is_last {
                    let mut newest = self.lock();
                    newest.is_last = is_last;
                    newest.run = run.or(newest.run.take());
                    self.changed.notify_all();
                }
                if is_last {
                    return;
                }
                pause = match is_beginning {
                    true => Duration::ZERO,
                    false => INTERVAL.max(started.elapsed()),
                };
            }
            std::thread::sleep(pause);
        }
    }

    /// The run as far as it is recorded, or about so many bytes of it, with all its indexes; `None` while
    /// nothing is.
    fn open(&self, bytes: u64) -> Option<JavaRun> {
        let settled = self.process.load(Ordering::SeqCst);
        let jvm = (settled != 0).then_some(settled);
        let run = JavaRun::open_up_to(&self.folder, jvm, Some(bytes), &mut |_, _| {}).ok()?;
        make_indexes(&run);
        Some(run)
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

    fn differs(self, run: &JavaRun) -> bool {
        self.calls != run.len() || self.open != run.incomplete_nodes().len()
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
