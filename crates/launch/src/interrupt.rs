//! What Ctrl-C means, depending on what is going on.
//!
//! The terminal sends the signal to the whole foreground group, so a recorded program gets it too.
//! While that program runs the signal is the program's business: Askance waits for it to end and
//! goes on with what was recorded. In a dialogue the answers are already saved after each one, so
//! a farewell and exit code 130 are enough. While files are read, nothing needs care at all. While
//! experiments run, whatever would end the process is noted only: what they have started and put on
//! the disk must go first.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// The exit code after an interruption.
pub const EXIT_CODE: i32 = 130;

static HAPPENED: AtomicBool = AtomicBool::new(false);
static PHASE: Mutex<Phase> = Mutex::new(Phase::Reading);

/// What is going on.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Phase {
    /// Nothing that needs care: the signal ends the process.
    Reading,
    /// Children run that get the signal as well: it is only noted.
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
            let phase = PHASE
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner)
                .clone();
            if signal != SIGINT && phase != Phase::Experimenting {
                // As if nobody listened.
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
            HAPPENED.store(true, Ordering::SeqCst);
            match phase {
                Phase::Launching | Phase::Experimenting => {}
                Phase::Reading => std::process::exit(EXIT_CODE),
                Phase::Dialogue(farewell) => {
                    #[expect(clippy::print_stderr, reason = "the last words of the process")]
                    {
                        eprintln!("\n{farewell}");
                    }
                    std::process::exit(EXIT_CODE);
                }
            }
        }
    });
}

/// Whether Ctrl-C was pressed so far.
#[must_use]
pub fn happened() -> bool {
    HAPPENED.load(Ordering::SeqCst)
}

/// Until the guard is dropped, Ctrl-C is left to the children.
#[must_use]
pub fn leave_to_children() -> Guard {
    Guard::enter(Phase::Launching)
}

/// Until the guard is dropped, whatever would end the process is only noted.
#[must_use]
pub fn note_only() -> Guard {
    Guard::enter(Phase::Experimenting)
}

/// Until the guard is dropped, Ctrl-C ends the process with these words.
#[must_use]
pub fn say_and_leave(farewell: String) -> Guard {
    Guard::enter(Phase::Dialogue(farewell))
}

/// Restores what Ctrl-C meant before.
#[derive(Debug)]
pub struct Guard(Phase);

impl Guard {
    fn enter(phase: Phase) -> Guard {
        let mut current = PHASE
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        Guard(std::mem::replace(&mut *current, phase))
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let mut current = PHASE
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        *current = std::mem::replace(&mut self.0, Phase::Reading);
    }
}
