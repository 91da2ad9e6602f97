//! `askance jdwp`: Java's own debuggers attach to a recorded run, over the Java Debug Wire Protocol.

use std::io::{self, BufReader, BufWriter};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::thread;

use clap::Args;
use java_model::run::JavaRun;

use super::failure::{Exit, Failure};
use super::inspect::TraceArguments;
use super::loopback::{self, Strangers};
use super::output;

/// Let jdb, Eclipse or IntelliJ attach to a recorded run as to a JVM: the Java Debug Wire Protocol
#[derive(Debug, Args)]
#[command(
    after_help = "Example: askance jdwp run.askance --port 5005\n         jdb -attach 127.0.0.1:5005\n\nIt listens on this machine only and prints one line with its address. The protocol knows no token, so\nconnections of other users are refused, by what the system tells of them.\nEach client begins where the run began. docs/editors.md has the configuration of Eclipse and IntelliJ."
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    trace: TraceArguments,

    /// The port of this machine to listen on; 0 is any that is free
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
}

/// Answers whoever connects, each in a thread of its own, until the process ends.
pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let run = Arc::new(arguments.trace.open()?);
    let (listener, address) = loopback::listen(arguments.port)?;
    output::data(&format!("{address}\n"))?;
    loop {
        let client = loopback::next_client(&listener, Strangers::Refused)
            .map_err(|error| Failure::mistake(format!("nobody can connect any more: {error}")))?;
        let run = Arc::clone(&run);
        thread::spawn(move || {
            if let Err(error) = converse(&client, &run) {
                output::talk(&format!("askance: a client broke off: {error}"));
            }
            let _ = client.shutdown(Shutdown::Both);
        });
    }
}

fn converse(client: &TcpStream, run: &JavaRun) -> io::Result<()> {
    client.set_nodelay(true)?;
    let input = BufReader::new(client.try_clone()?);
    askance_jdwp::serve(run, input, BufWriter::new(client.try_clone()?))
}
