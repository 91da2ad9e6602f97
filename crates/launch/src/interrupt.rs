//! What Ctrl-C means, depending on what is going on, and what it means that somebody ends us otherwise.
//!
//! The terminal sends the signal of Ctrl-C to the whole foreground group, so a recorded program gets it too.
//! While that program runs the signal is the program's business: Askance waits for it to end and
//! goes on with what was recorded. SIGTERM and SIGHUP are sent to us alone: the program is then ended as well, what was
//! recorded is finished, and nothing follows. In a dialogue the answers are already saved after each one, so
//! a farewell and exit code 130 are enough. While experiments run, whatever would end the process is noted only: what
//! they have started and put on the disk must go first.
//!
//! Ending the process so drops nothing that it has made for a while. Whoever makes such a thing has it removed
//! [before we leave](before_leaving).

use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// The exit code after an interruption.
pub const EXIT_CODE: i32 = 130;

static HAPPENED: AtomicUsize = AtomicUsize::new(0);
static TERMINATED: AtomicBool = AtomicBool::new(false);
static PHASE: Mutex<Phase> = Mutex::new(Phase::Reading);
static DUTIES: Mutex<BTreeMap<u64, Box<dyn FnOnce() + Send>>> = Mutex::new(BTreeMap::new());

/// What is going on.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Phase {
    /// Nothing that needs care: the signal ends the process.
    Reading,
    /// Children run that get the signal of Ctrl-C as well: it is only noted.
    Launching,
    /// Children run that must be ended before the process may end, whoever wants it to.
    Experimenting,
    /// The signal says this and ends the process.
    Dialogue(String),
}

/// Starts listening. Called once, by the executable.
pub fn listen() {
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else {
        return;
    };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            // Before it is looked what is going on: what goes on next looks whether this has happened.
            if signal != SIGINT {
                TERMINATED.store(true, Ordering::SeqCst);
            }
            HAPPENED.fetch_add(1, Ordering::SeqCst);
            let phase = locked(&PHASE).clone();
            match phase {
                Phase::Launching | Phase::Experimenting => {}
                Phase::Reading => leave(None),
                Phase::Dialogue(farewell) => leave(Some(&farewell)),
            }
        }
    });
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does what is to be done before the process ends, and ends it.
fn leave(farewell: Option<&str>) -> ! {
    static LEAVING: Mutex<()> = Mutex::new(());
    // Whoever else wants to leave waits here, or what is being done would be cut off.
    let _leaving = locked(&LEAVING);
    // Programs that still run are told by this.
    TERMINATED.store(true, Ordering::SeqCst);
    if let Some(farewell) = farewell {
        // The terminal may be gone.
        let _ = writeln!(std::io::stderr(), "\n{farewell}");
    }
    // What was begun last may need what was begun before. Others may be at it meanwhile, so the lock is not held.
    loop {
        let last = locked(&DUTIES).pop_last();
        match last {
            Some((_, duty)) => duty(),
            None => std::process::exit(EXIT_CODE),
        }
    }
}

/// Has something done if a signal ends the process before the guard is dropped.
#[must_use]
pub fn before_leaving(duty: impl FnOnce() + Send + 'static) -> Duty {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    locked(&DUTIES).insert(number, Box::new(duty));
    Duty(number)
}

/// Something that is to be done before the process ends; dropped, it need not be done any more.
#[derive(Debug)]
pub struct Duty(u64);

impl Drop for Duty {
    fn drop(&mut self) {
        locked(&DUTIES).remove(&self.0);
    }
}

/// Ends the process if somebody has told us to while that was only noted.
pub fn leave_if_terminated() {
    if terminated() {
        leave(None);
    }
}

/// Whether Ctrl-C was pressed so far, or somebody has ended us otherwise.
#[must_use]
pub fn happened() -> bool {
    times() > 0
}

/// How often either has happened so far.
#[must_use]
pub fn times() -> usize {
    HAPPENED.load(Ordering::SeqCst)
}

/// Whether somebody has ended us otherwise than by Ctrl-C: what runs has to end now.
#[must_use]
pub fn terminated() -> bool {
    TERMINATED.load(Ordering::SeqCst)
}

/// Until the guard is dropped, Ctrl-C is left to the children, and whatever else would end the process is noted.
#[must_use]
pub fn leave_to_children() -> Guard {
    Guard::enter(Phase::Launching)
}

/// Until the guard is dropped, whatever would end the process is only noted.
#[must_use]
pub fn note_only() -> Guard {
    Guard::enter(Phase::Experimenting)
}

/// Until the guard is dropped, Ctrl-C ends the process with these words. If somebody has ended us while that was only
/// noted, it ends now.
#[must_use]
pub fn say_and_leave(farewell: String) -> Guard {
    let guard = Guard::enter(Phase::Dialogue(farewell.clone()));
    if terminated() {
        leave(Some(&farewell));
    }
    guard
}

/// Restores what Ctrl-C meant before.
#[derive(Debug)]
pub struct Guard(Phase);

impl Guard {
    fn enter(phase: Phase) -> Guard {
        Guard(std::mem::replace(&mut *locked(&PHASE), phase))
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        *locked(&PHASE) = std::mem::replace(&mut self.0, Phase::Reading);
    }
}
