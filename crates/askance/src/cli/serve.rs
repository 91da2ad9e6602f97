//! `askance serve`: the questions and all views in a browser.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use clap::Args;

use super::failure::{Exit, Failure};
use super::inspect::{Opened, open_either};
use super::output;
use crate::interrupt;
use crate::web::{IS_BUILT, Served, Server};

/// Ask, and look at everything, in a browser
#[derive(Debug, Args)]
#[command(
    after_help = "Example: askance serve run.askance\n         askance serve run.askance other.askance --port 8080 --no-open\n\nThe page is for this machine only. Its address holds a secret and is printed on standard output;\nanswers are kept in the trace, so `askance ask` goes on where the page was."
)]
pub(crate) struct Arguments {
    /// The traces' folders, as `askance record` made them
    #[arg(value_name = "TRACE", required = true)]
    traces: Vec<PathBuf>,

    /// The port (default: any that is free)
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,

    /// Do not open the page in a browser, only print its address
    #[arg(long)]
    no_open: bool,

    /// Forget the answers that were given earlier
    #[arg(long)]
    fresh: bool,

    /// Where the sources are (repeatable)
    #[arg(long, value_name = "FOLDER")]
    source_path: Vec<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let mut runs = Vec::new();
    for trace in &arguments.traces {
        let served = match open_either(trace, None)? {
            Opened::Java(mut run) => {
                run.add_source_path(&arguments.source_path);
                Served::recorded(*run, arguments.fresh)
            }
            Opened::Imported(tree) => Served::imported(*tree, arguments.fresh),
        };
        runs.push(served?);
    }
    let server = Server::bind(runs, arguments.port).map_err(|error| {
        Failure::mistake(format!(
            "port {} cannot be listened on: {error}",
            arguments.port
        ))
        .hint("leave out --port to get one that is free")
    })?;
    let url = server.url();
    output::data(&format!("{url}\n"))?;
    if !IS_BUILT {
        output::talk(
            "askance: built without npm, so the page is not in this executable; install npm and build again",
        );
    }
    if !arguments.no_open && !open_in_browser(&url) {
        output::talk("askance: no browser was found; open the address above");
    }
    output::talk("askance: serving until Ctrl-C");
    let _guard = interrupt::say_and_leave("The answers are kept in the trace.".to_owned());
    server
        .run()
        .map_err(|error| Failure::mistake(format!("the server broke off: {error}")))?;
    Ok(Exit::Done)
}

/// Asks the desktop to open an address; `false` if there is nothing that could.
fn open_in_browser(url: &str) -> bool {
    let opener = if cfg!(target_os = "macos") {
        "open"
    } else {
        "xdg-open"
    };
    let mut command = Command::new(opener);
    command.arg(url).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    match command.spawn() {
        Ok(mut child) => {
            // It may live as long as the browser does, and somebody must hear of its end.
            std::thread::spawn(move || child.wait());
            true
        }
        Err(_) => false,
    }
}
