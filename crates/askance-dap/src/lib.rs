//! The Debug Adapter Protocol over a recorded run, so that editors step through it, backwards as well, and ask the
//! questions in their debug console.
//!
//! This crate translates: [`time_travel`] goes through the run, `askance-api` has the session, and what is said at the
//! console is read by the parser of the terminal's dialogue. It knows neither a socket nor how programs are started:
//! whoever serves gives it two streams and a [`EditorWorkplace`].
//!
//! Clients differ in what they send, so requests are read leniently: what is missing has a usual value, what is not
//! known is passed over. Numbers that the client got for frames and objects hold until the next stop.

mod breakpoints;
mod console;
mod disassembly;
mod extension;
mod followed;
mod following;
mod handles;
mod inspection;
mod installed;
mod movement;
mod requests;
mod session;
mod sources;
mod stop_reason;
mod wire;

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;

use askance_api::LiveRun;
pub use requests::{AttachArguments, LaunchArguments};
use session::Session;
use wire::{Request, Sender};

/// What can be debugged, and who starts it.
pub trait EditorWorkplace: Send + Sync {
    /// Runs a program and records it.
    ///
    /// # Errors
    /// One sentence for the person at the editor.
    fn launch(
        &self,
        wanted: &LaunchArguments,
        listener: &dyn LaunchListener,
    ) -> Result<Arc<LiveRun>, String>;

    /// Opens a trace.
    ///
    /// # Errors
    /// One sentence for the person at the editor.
    fn attach(&self, wanted: &AttachArguments) -> Result<Arc<LiveRun>, String>;
}

/// Hears of a program that is being recorded.
pub trait LaunchListener {
    /// How far it is.
    fn progress(&self, sentence: &str);

    /// What the program printed.
    fn printed(&self, text: &str, is_error: bool);

    /// Whether nobody waits for it any more.
    fn is_cancelled(&self) -> bool;
}

/// Answers one client until it goes away.
///
/// # Errors
/// If the streams break, or what comes is not the protocol.
pub fn serve(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    workplace: &dyn EditorWorkplace,
) -> io::Result<()> {
    let gone = Arc::new(AtomicBool::new(false));
    let (requests, queue) = mpsc::channel();
    let reader_gone = Arc::clone(&gone);
    // Somebody who leaves while a program is being recorded must be heard.
    thread::spawn(move || read(input, &requests, &reader_gone));
    let mut session = Session::new(Sender::new(output), workplace, gone);
    loop {
        let request = match session.patience() {
            None => queue.recv().map_err(RecvTimeoutError::from),
            Some(patience) => queue.recv_timeout(patience),
        };
        match request {
            Ok(request) => {
                if !session.answer(&request?)? {
                    return Ok(());
                }
            }
            Err(RecvTimeoutError::Timeout) => session.look_again()?,
            Err(RecvTimeoutError::Disconnected) => {
                session.end_program(None);
                return Ok(());
            }
        }
    }
}

fn read(mut input: impl BufRead, requests: &mpsc::Sender<io::Result<Request>>, gone: &AtomicBool) {
    loop {
        let request = wire::receive(&mut input);
        let is_last = match &request {
            Ok(Some(request)) => matches!(request.command.as_str(), "disconnect" | "terminate"),
            Ok(None) | Err(_) => true,
        };
        if is_last {
            gone.store(true, Ordering::Relaxed);
        }
        let ends = !matches!(request, Ok(Some(_)));
        let sent = match request.transpose() {
            Some(request) => requests.send(request),
            None => return,
        };
        if ends || sent.is_err() {
            return;
        }
    }
}
