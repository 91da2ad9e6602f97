//! The Java Debug Wire Protocol over a recorded run, so that the debuggers that Java's tools and development
//! environments have attach to a recording as to a JVM that runs elsewhere.
//!
//! This crate translates: [`time_travel`] goes through the run, class files in the trace have the tables of lines and
//! variables. It knows no socket: whoever serves gives it two streams.
//!
//! The protocol goes forwards only, but for `PopFrames`: popping a frame leads back to before its call, with everything
//! as it was then. What a recording cannot do (set values, call methods, redefine classes) is refused with the
//! protocol's own error, and the capabilities say so beforehand. Where something is not known, it has the protocol's
//! *void* for a value.

mod catalogue;
mod event_request;
mod identity;
mod machine;
mod object_reference;
mod packet;
mod reference_type;
mod refusal;
mod session;
mod thread_reference;
mod travelling;
mod virtual_machine;

use std::io::{self, Read, Write};

use java_model::run::JavaRun;

use session::Session;

/// Answers one client until it goes away, or until the run has been told to its end.
///
/// # Errors
/// If the streams break, or what comes is not the protocol.
pub fn serve(run: &JavaRun, mut input: impl Read, output: impl Write) -> io::Result<()> {
    Session::new(run, output).converse(&mut input)
}
