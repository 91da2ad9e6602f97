//! `askance serve`: the questions and all views in a browser.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;

use clap::Args;

use super::ask_options::SearchArguments;
use super::dap;
use super::failure::{Exit, Failure};
use super::output;
use super::served;
use crate::web::Server;
use askance_api::LiveRun;
use launch::interrupt;

/// Ask, and look at everything, in a browser
#[derive(Debug, Args)]
#[command(
    after_help = "Example: askance serve run.askance\n         askance serve run.askance other.askance --port 8080 --no-open\n         askance serve run.askance --reference fixed/Main.java\n\nThe page is for this machine only. Its address holds a secret and is printed on standard output;\nanswers are kept in the trace, so `askance ask` goes on where the page was."
)]
pub(crate) struct Arguments {
    /// The traces' folders, as `askance record` made them
    #[arg(value_name = "TRACE", required = true)]
    traces: Vec<PathBuf>,

    /// The JVM, by its process id, if several were recorded
    #[arg(long, value_name = "PID")]
    jvm: Option<u32>,

    #[command(flatten)]
    page: PageArguments,

    /// Let editors into the same sessions as well, on this port of this machine (0: any that is free); the address and
    /// the token are printed on standard error
    #[arg(long, value_name = "N")]
    dap: Option<u16>,

    #[command(flatten)]
    search: SearchArguments,
}

/// Where the page is.
#[derive(Debug, Args)]
pub(crate) struct PageArguments {
    /// The port (default: any that is free)
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,

    /// Do not open the page in a browser, only print its address
    #[arg(long)]
    no_open: bool,
}

impl PageArguments {
    pub(crate) fn is_given(&self) -> bool {
        self.port != 0 || self.no_open
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let Arguments {
        traces,
        jvm,
        page,
        dap,
        search,
    } = arguments;
    search.check()?;
    if traces.len() > 1 {
        let about_one = [
            ("--jvm", jvm.is_some()),
            ("--root", search.root.is_some()),
            ("--reference", search.reference.is_some()),
            ("--test", search.test.is_some()),
        ];
        if let Some((name, _)) = about_one.iter().find(|(_, is_given)| *is_given) {
            return Err(Failure::mistake(format!(
                "{name} is about one trace, and several are served"
            ))
            .hint("serve them one by one"));
        }
    }
    let mut slots = Vec::new();
    // The references' traces are removed when the server ends.
    let mut references = Vec::new();
    for trace in traces {
        let (served, reference) = served::open(trace, *jvm, search)?;
        slots.push(Arc::new(LiveRun::complete(served)));
        references.extend(reference);
    }
    if let Some(port) = dap {
        let open = traces.iter().cloned().zip(slots.iter().cloned());
        dap::share(open.collect(), search, *port)?;
    }
    let server = bind(slots, page)?;
    output::talk("askance: serving until Ctrl-C");
    let _guard = interrupt::say_and_leave("The answers are kept in the trace.".to_owned());
    answer(server)
}

/// Takes a port, says the page's address and opens it.
pub(crate) fn bind(slots: Vec<Arc<LiveRun>>, page: &PageArguments) -> Result<Server, Failure> {
    let server = listen(slots, page.port)?;
    let url = server.url();
    output::data(&format!("{url}\n"))?;
    if !page.no_open && !open_in_browser(&url) {
        output::talk("askance: no browser was found; open the address above");
    }
    Ok(server)
}

/// Takes a port.
pub(crate) fn listen(slots: Vec<Arc<LiveRun>>, port: u16) -> Result<Server, Failure> {
    Server::bind(slots, port).map_err(|error| {
        Failure::mistake(format!("port {port} cannot be listened on: {error}"))
            .hint("leave out --port to get one that is free")
    })
}

/// Answers requests until the process ends.
pub(crate) fn answer(server: Server) -> Result<Exit, Failure> {
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
