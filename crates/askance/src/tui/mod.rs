//! The dialogue on one screen of a terminal: the question, the tree of calls, beside them the call that is
//! looked at, the suspects or the output, and the source. For people on ssh, and for those who like to stay in a
//! terminal.
//!
//! It drives the same session as the other front ends, and every key is what one would type in the
//! dialogue. Whatever happens – leaving, Ctrl-C, a signal, a panic – the terminal is given back as
//! it was, and no answer is lost, because each is kept when it is given.

mod beside;
mod draw;
mod keys;
mod open_tree;
mod screen;
mod text;

#[cfg(test)]
mod tests;

use std::io::{self, Stderr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use debug_engine::oracle::Cascade;
use debug_engine::session::{Diagnosis, SessionError, SessionStep};
use ratatui::Terminal;
use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::crossterm::event::{self, Event};
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{cursor, execute};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use inquiry::Questioning;
use inquiry::command::Command;
use inquiry::inside::InsideSearch;
use java_analysis::calls::{Blamed, Calls};
use keys::KeyOutcome;
use launch::interrupt;
use screen::Screen;

/// How long a signal may go unnoticed.
const LOOK_ROUND: Duration = Duration::from_millis(200);

/// How it ended.
#[derive(Debug, PartialEq)]
pub enum ScreenEnding {
    /// Nothing is left to ask.
    Done(Diagnosis),
    /// The person went away.
    Left,
    /// Ctrl-C, or a signal.
    Interrupted,
}

/// Why it broke off.
#[derive(Debug, thiserror::Error)]
pub enum TuiError {
    #[error("{0}")]
    Session(#[from] SessionError),
    #[error("the terminal cannot be used: {0}")]
    Terminal(#[from] io::Error),
    #[error("the answers cannot be saved: {0}")]
    Save(io::Error),
}

/// Asks on the whole screen until the person leaves. Gives the piece of the buggy call that is to
/// blame, if the search went on inside it.
///
/// # Errors
/// If the terminal cannot be used, or the answers cannot be kept.
pub fn converse(
    title: &str,
    questioning: &mut Questioning,
    calls: &dyn Calls,
    cascade: Cascade<'_>,
) -> Result<(ScreenEnding, Option<Blamed>), TuiError> {
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register(signal, Arc::clone(&interrupted))?;
    }
    // Without its terminal, waiting for a key never ends. The answers are kept already, and there is
    // no screen to tidy up.
    let at_once = Arc::new(AtomicBool::new(true));
    signal_hook::flag::register_conditional_shutdown(SIGHUP, interrupt::EXIT_CODE, at_once)?;
    let mut screen = Screen::new(title.to_owned(), questioning, calls, cascade)?;
    let mut taken = TakenTerminal::take()?;
    let mut next = || loop {
        if interrupted.load(Ordering::SeqCst) {
            return Ok(None);
        }
        if event::poll(LOOK_ROUND)? {
            return event::read().map(Some);
        }
    };
    run(&mut screen, &mut taken.terminal, &mut next)
}

/// Draws, listens, and goes into calls, until the person leaves. `next` gives `None` when there will
/// be nothing to hear any more.
fn run<Screened: Backend>(
    screen: &mut Screen<'_>,
    terminal: &mut Terminal<Screened>,
    next: &mut dyn FnMut() -> io::Result<Option<Event>>,
) -> Result<(ScreenEnding, Option<Blamed>), TuiError> {
    let mut blamed = None;
    loop {
        terminal
            .draw(|frame| draw::draw(screen, frame))
            .map_err(|error| io::Error::other(error.to_string()))?;
        let heard = match next()? {
            Some(Event::Key(key)) => keys::press(screen, key)?,
            Some(_) => KeyOutcome::Nothing,
            None => KeyOutcome::Interrupt,
        };
        match heard {
            KeyOutcome::Nothing => {}
            KeyOutcome::Changed => blamed = None,
            KeyOutcome::Interrupt => return Ok((ScreenEnding::Interrupted, blamed)),
            KeyOutcome::Leave => {
                let ending = match screen.step() {
                    SessionStep::Done(diagnosis) => ScreenEnding::Done(diagnosis.clone()),
                    SessionStep::Ask(_) => ScreenEnding::Left,
                };
                return Ok((ending, blamed));
            }
            KeyOutcome::Inside => {
                let Some(search) = screen.inside() else {
                    continue;
                };
                let call = search.call();
                let title = format!("inside call #{call}");
                let ending = {
                    let (pieces, inside) = search.parts();
                    let mut deeper = Screen::new(title, pieces, inside, Cascade::new())?;
                    run(&mut deeper, terminal, next)?.0
                };
                match ending {
                    ScreenEnding::Interrupted => return Ok((ending, blamed)),
                    ScreenEnding::Done(Diagnosis::Found { .. }) => {
                        blamed = screen.inside().and_then(InsideSearch::blamed);
                        if let Some(piece) = &blamed {
                            screen.tell(format!("To blame inside call #{call}: {}", piece.title));
                        }
                    }
                    ScreenEnding::Done(_) | ScreenEnding::Left => {
                        screen.say(Command::LeaveInside)?;
                    }
                }
            }
        }
    }
}

/// The terminal while it is ours; dropping gives it back, also when a panic unwinds.
struct TakenTerminal {
    terminal: Terminal<CrosstermBackend<Stderr>>,
}

impl TakenTerminal {
    fn take() -> io::Result<TakenTerminal> {
        enable_raw_mode()?;
        // From here on a failure must give the terminal back.
        let screen = execute!(io::stderr(), EnterAlternateScreen, cursor::Hide);
        let terminal = screen.and_then(|()| Terminal::new(CrosstermBackend::new(io::stderr())));
        match terminal {
            Ok(terminal) => {
                give_back_before_panics();
                Ok(TakenTerminal { terminal })
            }
            Err(error) => {
                give_back();
                Err(error)
            }
        }
    }
}

impl Drop for TakenTerminal {
    fn drop(&mut self) {
        give_back();
    }
}

fn give_back() {
    let _ = disable_raw_mode();
    let _ = execute!(io::stderr(), LeaveAlternateScreen, cursor::Show);
}

/// A panic's message must be readable.
fn give_back_before_panics() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        give_back();
        before(panic);
    }));
}
