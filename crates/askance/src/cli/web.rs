//! `askance debug --web`: the page is there from the start. It shows how far recording and indexing
//! are, and asks when there is something to ask about: with `--live` while the program runs.

use std::sync::Arc;
use std::thread;

use clap::Args;

use super::ask;
use super::ask_options::SearchArguments;
use super::failure::{Exit, Failure};
use super::growing::{self, Views};
use super::live::{self, Started};
use super::output::{self, Talk};
use super::serve::{self, PageArguments};
use launch::interrupt;
use launch::jdk::JdkLocations;
use launch::record::Request;
use trace_format::files::OUTPUT;

/// Where to ask.
#[derive(Debug, Args)]
#[command(next_help_heading = "Browser options")]
pub(crate) struct WebArguments {
    /// Ask in a browser instead of the terminal; the page shows recording and indexing as well
    #[arg(long, conflicts_with_all = ["tui", "answers", "non_interactive", "json", "all_tests", "stop_when_found"])]
    pub(crate) web: bool,

    #[command(flatten)]
    page: PageArguments,
}

impl WebArguments {
    /// What makes no sense without a page.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if !self.web && self.page.is_given() {
            return Err(Failure::mistake("--port and --no-open are about the page")
                .hint("add --web, which opens it"));
        }
        Ok(())
    }
}

/// Starts the program and the page, and answers requests until the process ends.
pub(crate) fn debug(
    request: &Request,
    web: &WebArguments,
    is_live: bool,
    search: SearchArguments,
) -> Result<Exit, Failure> {
    if is_live {
        live::check_options(&search)?;
    }
    let until_it_ends = interrupt::leave_to_children();
    let Started {
        running,
        theirs,
        folder: reference,
    } = match is_live {
        true => live::start(request, &search)?,
        // What is compared when the program has ended is recorded then.
        false => Started {
            running: launch::record::start(request, &JdkLocations::this(), &mut Talk)?,
            theirs: None,
            folder: None,
        },
    };
    let command = ask::command_of(&search).filter(|_| is_live);
    let slot = Arc::new(growing::live_run(
        request, &search, &running, theirs, command,
    )?);
    let server = serve::bind(vec![Arc::clone(&slot)], &web.page)?;
    if is_live {
        let output = running.folder().join(OUTPUT);
        output::talk(&format!(
            "askance: the program is running; what it says goes to {}",
            output.display()
        ));
    }
    thread::spawn(move || {
        let views = match is_live {
            true => Views::Follow,
            false => Views::Wait,
        };
        let later = growing::drive(running, &slot, views, &search);
        // What was recorded as a reference is needed for as long as there are questions.
        let _kept = reference.or(later);
        drop(until_it_ends);
        let _from_now_on =
            interrupt::say_and_leave("The answers are kept in the trace.".to_owned());
        output::talk("askance: serving until Ctrl-C");
        loop {
            thread::park();
        }
    });
    serve::answer(server)
}
