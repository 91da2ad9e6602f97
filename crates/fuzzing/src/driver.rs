//! Runs a target with many inputs and tells what it did not come back from well.
//!
//! A finding is a panic, an input that takes longer than a second, or one for which more memory is taken than any
//! input justifies. Findings of one place count once, and the first input of each is kept in a file.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::FuzzTarget;
use crate::mutation::{Random, mutated};

/// An input that takes longer is a finding.
const LONGEST: Duration = Duration::from_secs(1);
/// One that has not come back by then never will.
const GIVEN_UP: Duration = Duration::from_secs(30);
/// An input for which more is allocated at once is a finding.
const LARGEST: usize = 512 << 20;
/// Longer inputs are cut: they would only be slower.
const LONGEST_INPUT: usize = 1 << 16;
/// Between two lines that tell how far it is.
const NEWS: Duration = Duration::from_secs(30);

/// How memory is measured: that belongs to the process, not to a library.
pub struct MemoryGauge {
    pub reset: fn(),
    /// The most that was allocated at once since.
    pub peak: fn() -> usize,
}

pub struct Options {
    pub runs: u64,
    pub seed: u64,
    /// Where inputs are kept that were findings.
    pub findings: PathBuf,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct FuzzReport {
    pub seeds: usize,
    pub runs: u64,
    pub took: Duration,
    pub slowest: Duration,
    pub most_memory: usize,
    /// What was found, and how often.
    pub findings: BTreeMap<String, u64>,
}

impl fmt::Display for FuzzReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.took.as_secs_f64();
        write!(
            formatter,
            "{} inputs from {} seeds in {seconds:.1} s ({:.0} a second); the slowest took {:.1} ms, the largest {:.1} MB; {}",
            self.runs,
            self.seeds,
            self.runs as f64 / seconds.max(f64::EPSILON),
            self.slowest.as_secs_f64() * 1e3,
            self.most_memory as f64 / f64::from(1 << 20),
            match self.findings.len() {
                0 => "no finding".to_owned(),
                1 => "1 finding".to_owned(),
                more => format!("{more} findings"),
            }
        )
    }
}

/// Runs a target with its seeds as they are, and then with as many changed ones as are wanted. `news` hears now
/// and then how far it is.
///
/// # Errors
/// If there are no seeds, or findings cannot be kept.
pub fn run(
    target: &FuzzTarget,
    options: &Options,
    memory: &MemoryGauge,
    news: &mut dyn FnMut(&FuzzReport),
) -> Result<FuzzReport> {
    let seeds = (target.seeds)().context("there is nothing to begin with")?;
    let mut worker = Worker::start(target, memory, &options.findings)?;
    worker.report.seeds = seeds.len();
    let mut random = Random::new(options.seed);
    let started = Instant::now();
    let mut told = started;
    for number in 0..options.runs {
        let input = match seeds.get(usize::try_from(number)?) {
            Some(seed) => seed.clone(),
            None => mutated(&mut random, &seeds, target.words, LONGEST_INPUT),
        };
        worker.take(input)?;
        if told.elapsed() > NEWS {
            told = Instant::now();
            worker.report.took = started.elapsed();
            news(&worker.report);
        }
    }
    worker.report.took = started.elapsed();
    Ok(worker.finish())
}

/// Runs a target with one input, which may panic.
pub fn run_once(target: &FuzzTarget, input: &[u8]) {
    (target.run)(input);
}

/// What is running now, for whoever waits for it in vain.
struct Running {
    /// Milliseconds since the start, plus one; 0 while nothing runs.
    since: AtomicU64,
    input: Mutex<Vec<u8>>,
}

struct Worker<'a> {
    target: &'a FuzzTarget,
    memory: &'a MemoryGauge,
    findings: PathBuf,
    started: Instant,
    running: Arc<Running>,
    /// Where the last panic was, and what it said.
    panicked: Arc<Mutex<Option<String>>>,
    report: FuzzReport,
}

impl<'a> Worker<'a> {
    fn start(
        target: &'a FuzzTarget,
        memory: &'a MemoryGauge,
        findings: &Path,
    ) -> Result<Worker<'a>> {
        let findings = findings.join(target.name);
        fs::create_dir_all(&findings)
            .with_context(|| format!("cannot make {}", findings.display()))?;
        let worker = Worker {
            target,
            memory,
            findings,
            started: Instant::now(),
            running: Arc::new(Running {
                since: AtomicU64::new(0),
                input: Mutex::default(),
            }),
            panicked: Arc::default(),
            report: FuzzReport::default(),
        };
        let panicked = Arc::clone(&worker.panicked);
        panic::set_hook(Box::new(move |panic| {
            let mut said = panicked.lock().unwrap_or_else(PoisonError::into_inner);
            // The first panic is the cause of those that follow it.
            said.get_or_insert_with(|| panic.to_string());
        }));
        worker.watch();
        Ok(worker)
    }

    /// Ends the process if an input does not come back, with the input kept.
    fn watch(&self) {
        let (running, started) = (Arc::clone(&self.running), self.started);
        let file = self.findings.join("does-not-end");
        thread::spawn(move || {
            loop {
                thread::sleep(LONGEST);
                let since = running.since.load(Ordering::Acquire);
                let now = started.elapsed().as_millis() as u64;
                if since > 0 && now.saturating_sub(since) > GIVEN_UP.as_millis() as u64 {
                    let input = running.input.lock().unwrap_or_else(PoisonError::into_inner);
                    let _ = fs::write(&file, &*input);
                    std::process::abort();
                }
            }
        });
    }

    fn take(&mut self, input: Vec<u8>) -> Result<()> {
        (self.memory.reset)();
        let before = (self.memory.peak)();
        let (took, panicked) = self.run(input);
        let allocated = (self.memory.peak)().saturating_sub(before);
        self.report.runs += 1;
        self.report.slowest = self.report.slowest.max(took);
        self.report.most_memory = self.report.most_memory.max(allocated);
        if let Some(panicked) = panicked {
            self.found(panicked)?;
        } else if allocated > LARGEST {
            self.found(format!("takes {} MB", allocated >> 20))?;
        } else if took > LONGEST {
            // Others use the machine as well: what counts is the processor's time. Who only waits is found by the
            // watch.
            let before = processor_time();
            let input = self.last_input();
            self.run(input);
            if processor_time().saturating_sub(before) > LONGEST {
                self.found("takes longer than a second".to_owned())?;
            }
        }
        Ok(())
    }

    fn run(&self, input: Vec<u8>) -> (Duration, Option<String>) {
        *self.lock_input() = input.clone();
        let now = self.started.elapsed().as_millis() as u64;
        self.running.since.store(now + 1, Ordering::Release);
        let start = Instant::now();
        let outcome = panic::catch_unwind(AssertUnwindSafe(|| (self.target.run)(&input)));
        let took = start.elapsed();
        self.running.since.store(0, Ordering::Release);
        let mut said = self.panicked.lock().unwrap_or_else(PoisonError::into_inner);
        let said = said.take();
        let unsaid = || outcome.is_err().then(|| "a panic".to_owned());
        (took, said.or_else(unsaid))
    }

    /// Counts a finding, and keeps its input if it is the first of its kind.
    fn found(&mut self, what: String) -> Result<()> {
        let kind = without_numbers(&what);
        let number = self.report.findings.len();
        let times = self.report.findings.entry(kind).or_insert(0);
        *times += 1;
        if *times == 1 {
            let file = self.findings.join(format!("{number:03}"));
            let input = self.last_input();
            fs::write(&file, input).with_context(|| format!("cannot write {}", file.display()))?;
            fs::write(file.with_extension("txt"), what)?;
        }
        Ok(())
    }

    fn last_input(&self) -> Vec<u8> {
        self.lock_input().clone()
    }

    fn lock_input(&self) -> std::sync::MutexGuard<'_, Vec<u8>> {
        let input = self.running.input.lock();
        input.unwrap_or_else(PoisonError::into_inner)
    }

    fn finish(self) -> FuzzReport {
        let _ = panic::take_hook();
        self.report
    }
}

/// That all threads of this process have had.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    let nanoseconds = u32::try_from(time.tv_nsec).unwrap_or_default();
    Duration::new(seconds, nanoseconds)
}

/// The first line, where the place stands, and the message with its numbers left out: they differ from input to
/// input, the mistake does not.
fn without_numbers(text: &str) -> String {
    let mut lines = text.lines();
    let place = lines.next().unwrap_or_default();
    let message: String = lines.next().unwrap_or_default().chars().take(60).collect();
    let message: String = message
        .chars()
        .filter(|each| !each.is_ascii_digit())
        .collect();
    format!("{place} {message}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMORY: MemoryGauge = MemoryGauge {
        reset: || {},
        peak: || 0,
    };

    /// What panics is heard by the whole process: two drivers at once would hear each other's.
    static ALONE: Mutex<()> = Mutex::new(());

    fn run_alone(target: &FuzzTarget, options: &Options) -> FuzzReport {
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        run(target, options, &MEMORY, &mut |_| {}).unwrap()
    }

    fn options(folder: &Path) -> Options {
        Options {
            runs: 3000,
            seed: 1,
            findings: folder.to_owned(),
        }
    }

    #[test]
    fn what_panics_is_found_once_and_kept() {
        let target = FuzzTarget {
            name: "fussy",
            run: |bytes| assert!(!bytes.contains(&0xff), "{} bytes", bytes.len()),
            seeds: || Ok(vec![b"harmless".to_vec()]),
            words: &[],
        };
        let folder = tempfile::tempdir().unwrap();
        let report = run_alone(&target, &options(folder.path()));
        assert_eq!(report.runs, 3000);
        assert_eq!(report.findings.len(), 1, "{report:?}");
        let kept = fs::read(folder.path().join("fussy/000")).unwrap();
        assert!(kept.contains(&0xff));
        assert!(report.to_string().contains("1 finding"));
    }

    #[test]
    fn seeds_come_first_as_they_are() {
        let target = FuzzTarget {
            name: "narrow",
            run: |bytes| assert_ne!(bytes, b"the seed"),
            seeds: || Ok(vec![b"another".to_vec(), b"the seed".to_vec()]),
            words: &[],
        };
        let folder = tempfile::tempdir().unwrap();
        let two = Options {
            runs: 2,
            ..options(folder.path())
        };
        let report = run_alone(&target, &two);
        assert_eq!(report.findings.len(), 1);
    }
}
