//! `askance debug --live`: ask while the program runs.
//!
//! The session searches a snapshot of the tree. After each answer, and whenever nothing is left to
//! ask, the answers go over to a newer snapshot if there is one. Calls that are still running are
//! looked through, as the paper on the virtual execution tree has it: a call is asked about when
//! it has ended, so what is found is found for good, however the program goes on.
//!
//! A reference is recorded to its end before the program starts: both may want the same files and ports. Each
//! snapshot is then compared with it anew.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use debug_engine::session::{Diagnosis, SessionStep};
use debug_engine::{NodeId, Session};

use super::ask::{self, Advisers, Conversation, Oracles, Shared, Who};
use super::ask_options::{AskArguments, SearchArguments};
use super::failure::{Exit, Failure};
use super::output::{self, Talk};
use super::reference::{self, ReferenceRun};
use super::{never, record, report, wrong_output};
use crate::dialogue::Blamed;
use crate::dialogue::Ending;
use crate::dialogue::Person;
use crate::dialogue::script::Script;
use inquiry::oracle::memory::Memory;
use inquiry::oracle::memory::store::Store;
use inquiry::oracle::reference::Reference;
use inquiry::oracle::sweep::PATIENCE;
use inquiry::{Opening, Questioning};
use java_analysis::recording::Recording;
use java_model::follow::{Follower, translated};
use java_model::run::JavaRun;
use launch::folder::TraceFolder;
use launch::interrupt;
use launch::jdk::JdkLocations;
use launch::record::{Ready, Request, Running, Streams};
use trace_format::files::OUTPUT;

/// How to ask while the program runs.
#[derive(Debug, Args)]
#[command(next_help_heading = "Live options")]
pub(crate) struct LiveArguments {
    /// Ask while the program runs; what it says goes into output.txt in the trace's folder
    #[arg(long, conflicts_with = "tui")]
    pub(crate) live: bool,

    /// Stop the program when the bug is found, without asking first
    #[arg(long, requires = "live")]
    stop_when_found: bool,

    /// What the program reads from its standard input (default: nothing)
    #[arg(long, value_name = "FILE", requires = "live")]
    stdin: Option<PathBuf>,
}

impl LiveArguments {
    /// The program's streams: with us at the terminal, it needs others.
    pub(crate) fn streams(&self) -> Result<Streams, Failure> {
        if let Some(file) = self.stdin.as_deref().filter(|file| !file.is_file()) {
            return Err(
                Failure::mistake(format!("there is no file {}", file.display()))
                    .hint("--stdin takes a file that the program is to read"),
            );
        }
        Ok(if self.live {
            Streams::Files {
                input: self.stdin.clone(),
            }
        } else {
            Streams::Inherited
        })
    }
}

/// Starts the program, asks while it runs, and reports.
pub(crate) fn debug(
    request: &Request,
    live: &LiveArguments,
    options: &AskArguments,
    script: Option<Script>,
) -> Result<Exit, Failure> {
    check_options(options)?;
    let _children_get_the_signal = interrupt::leave_to_children();
    // The reference's trace is needed until after the last question.
    let Started {
        running,
        theirs,
        folder: _folder,
    } = start(request, options)?;
    let follower = Follower::start(running.folder(), running.ended());
    let is_scripted = script.is_some();
    let who = Who::of(options.non_interactive, script);
    let first = first_snapshot(&follower, options)?;
    if interrupt::terminated() {
        return Err(record::ended_before_questions(running.wait()?)?);
    }
    let Some((first, root)) = first else {
        return nothing_recorded(running);
    };
    let opening = Opening {
        coverage: None,
        ..options.opening(root, &who)
    };
    let mut person = who.person();
    output::talk(&format!(
        "askance: the program is running; what it says goes to {}",
        running.folder().join(OUTPUT).display()
    ));
    let project = Some(request.working_directory.as_path());
    let mut talked = Talked {
        follower,
        options,
        store: ask::store_of(options, project, is_scripted)?,
        theirs,
        opening,
    };
    let mut searched = talked.converse(first, &mut *person)?;
    talked.remember(&searched)?;
    // The program may go on for long, and nobody will ask about more of it.
    drop(talked);
    let reference = searched.reference.as_ref();
    let told =
        reference.map(|reference| reference.told(&searched.session, &searched.ending, false));
    let exit = report::tell(
        &*searched.run,
        &mut searched.session,
        &searched.ending,
        report::Narrowed {
            blamed: searched.blamed.as_ref(),
            told: told.as_ref(),
            experimented: None,
        },
        options.json,
    )?;
    finish(running, live, &searched.ending, &mut *person)?;
    Ok(exit)
}

/// A program that runs, beside its reference.
pub(super) struct Started {
    pub(super) running: Running,
    /// The run of the reference.
    pub(super) theirs: Option<Arc<JavaRun>>,
    /// Where that was recorded, which is removed with this.
    pub(super) folder: Option<TraceFolder>,
}

/// Records the reference if there is one, then starts the program.
pub(super) fn start(request: &Request, options: &SearchArguments) -> Result<Started, Failure> {
    let ready = Ready::new(request, &JdkLocations::this(), &mut Talk)?;
    let (theirs, folder) = match &options.reference {
        Some(path) => {
            let (build, streams) = (options.build.as_deref(), request.streams.clone());
            let ReferenceRun { run, folder, .. } =
                reference::record_other(ready.run_file(), path, build, streams)?;
            (Some(Arc::new(run)), folder)
        }
        None => (None, None),
    };
    Ok(Started {
        running: ready.start(),
        theirs,
        folder,
    })
}

/// A number means nothing before the program runs, and its output is not whole before it has ended.
pub(super) fn check_options(options: &SearchArguments) -> Result<(), Failure> {
    wrong_output::check_live(options)?;
    never::check_live(options)?;
    match options.root.as_deref().map(str::parse::<u32>) {
        Some(Ok(number)) => Err(Failure::mistake(format!(
            "--live --root {number}: calls have no numbers before the program runs"
        ))
        .hint("name a method: its first call is taken, once the program has come to it")),
        _ => Ok(()),
    }
}

/// The first snapshot that has the call that `--root` names, and that call.
fn first_snapshot(
    follower: &Follower,
    options: &AskArguments,
) -> Result<Option<(JavaRun, Option<NodeId>)>, Failure> {
    while let Some(run) = follower.next() {
        match options.root(&run) {
            Ok(root) => return Ok(Some((run, root))),
            Err(_) if follower.goes_on() => {}
            Err(failure) => return Err(failure),
        }
    }
    Ok(None)
}

/// The program has ended without a call to ask about.
fn nothing_recorded(running: Running) -> Result<Exit, Failure> {
    let recorded = running.wait()?;
    record::open(&recorded)?;
    Err(Failure::mistake("nothing was recorded"))
}

/// The last snapshot, and what came of asking about it.
struct Searched {
    run: Arc<JavaRun>,
    session: Session,
    ending: Ending,
    blamed: Option<Blamed>,
    reference: Option<Shared>,
}

struct Talked<'options> {
    follower: Follower,
    options: &'options AskArguments,
    /// What is remembered of the project.
    store: Option<Arc<Store>>,
    /// The run of the reference.
    theirs: Option<Arc<JavaRun>>,
    opening: Opening,
}

impl Talked<'_> {
    /// Asks in one snapshot after the other.
    fn converse(&mut self, first: JavaRun, person: &mut dyn Person) -> Result<Searched, Failure> {
        let mut run = self.with_sources(first);
        let mut reference = self.compared(&run);
        let recording: Arc<dyn Recording> = Arc::<JavaRun>::clone(&run);
        let mut questioning = Questioning::fresh(&recording, &self.opening, &mut ask::say)?;
        let command = ask::command_of(self.options);
        let mut says_that_it_waits = true;
        loop {
            interrupt::leave_if_terminated();
            let recording: Arc<dyn Recording> = Arc::<JavaRun>::clone(&run);
            let follower = &self.follower;
            let heard = questioning.session().log().len();
            if let Some(reference) = &reference {
                reference.sweep(questioning.session_for_oracles(), self.options, PATIENCE)?;
            }
            let memory = self.memory(&run);
            let (ending, blamed) = ask::dialogue(
                &recording,
                &mut questioning,
                Conversation {
                    asks_for_symptom: false,
                    output: &self.options.output,
                    person,
                    keeps: self.opening.keeps,
                    oracles: Oracles::new(
                        &recording,
                        Advisers {
                            memory,
                            reference: reference.clone(),
                            command: command.clone(),
                            ..Advisers::default()
                        },
                    ),
                    heard,
                    come_back: &|step| match step {
                        SessionStep::Ask(_) => follower.has_more(),
                        SessionStep::Done(Diagnosis::Found { .. }) => false,
                        SessionStep::Done(_) => follower.goes_on(),
                    },
                },
            )?;
            if ending != Ending::Grown {
                return Ok(Searched {
                    run,
                    session: questioning.into_session(),
                    ending,
                    blamed,
                    reference,
                });
            }
            if !questioning.session().log().is_empty() {
                follower.settle_on(run.trace().meta().pid);
            }
            if says_that_it_waits && !follower.has_more() {
                says_that_it_waits = false;
                output::talk("askance: nothing to ask about so far; waiting for the program");
            }
            if let Some(newer) = follower.next() {
                let newer = self.with_sources(newer);
                let answers = translated(questioning.session().log(), &run, &newer);
                let root = self.opening.root.and_then(|root| run.call_id(root));
                self.opening.root = root.and_then(|call| newer.node(call));
                reference = self.compared(&newer);
                let recording: Arc<dyn Recording> = Arc::<JavaRun>::clone(&newer);
                questioning.go_over(&recording, answers, &self.opening)?;
                run = newer;
            }
        }
    }

    /// A snapshot beside the reference. Classes come while the program runs, and with them methods that
    /// cannot be to blame.
    fn compared(&mut self, run: &Arc<JavaRun>) -> Option<Shared> {
        let theirs = Arc::clone(self.theirs.as_ref()?);
        let reference = Shared::new(Reference::new(Arc::clone(run), theirs));
        self.opening.blameless = reference.blameless();
        Some(reference)
    }

    /// What is remembered, for a snapshot.
    fn memory(&self, run: &Arc<JavaRun>) -> Option<Memory> {
        let store = self.store.as_ref()?;
        Some(Memory::new(Arc::clone(run), Arc::clone(store)))
    }

    /// Keeps what was said for other sessions.
    fn remember(&self, searched: &Searched) -> Result<(), Failure> {
        if let Some(mut memory) = self.memory(&searched.run) {
            memory.keep(ask::in_force(&searched.session))?;
        }
        Ok(())
    }

    fn with_sources(&self, mut run: JavaRun) -> Arc<JavaRun> {
        self.options.prepare(&mut run);
        Arc::new(run)
    }
}

/// Ends the program if that is wanted, waits for its end, and keeps the trace.
fn finish(
    running: Running,
    live: &LiveArguments,
    ending: &Ending,
    person: &mut dyn Person,
) -> Result<(), Failure> {
    if !running.is_gone() {
        let found = matches!(ending, Ending::Done(Diagnosis::Found { .. }));
        let stops = if found && live.stop_when_found {
            true
        } else if person.can_correct_itself() {
            let said = person
                .line("The program is still running. Stop it? [y]es [n]o > ")
                .map_err(|error| Failure::mistake(format!("no answer can be read: {error}")))?;
            said.is_none_or(|line| line.trim_start().starts_with(['y', 'Y']))
        } else {
            false
        };
        if stops {
            running.stop();
        } else {
            output::talk("askance: the program goes on; waiting for its end");
        }
    }
    let recorded = running.wait()?;
    let end = recorded.end;
    let path = recorded.folder.keep();
    record::tell_end(end);
    output::talk(&format!("askance: the trace is in {}", path.display()));
    Ok(())
}
