//! `askance debug --web`: the page is there from the start. It shows how far recording and indexing
//! are, and asks when there is something to ask about: with `--live` while the program runs.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;

use super::ask::{self, Oracles, Shared, Who};
use super::ask_options::SearchArguments;
use super::failure::{Exit, Failure};
use super::live::{self, Started};
use super::output::{self, Talk};
use super::serve::{self, PageArguments};
use super::{failed_tests, record};
use askance_api::{Advised, Growth, LiveRun, OpenQuestion, Phase};
use inquiry::Opening;
use inquiry::oracle::command::SharedCommand;
use inquiry::oracle::memory::Memory;
use inquiry::oracle::reference::Reference;
use java_analysis::recording::Recording;
use java_model::follow::{Follower, recorded_bytes};
use java_model::run::JavaRun;
use launch::interrupt;
use launch::jdk::JdkLocations;
use launch::record::{FinishedRecording, Request, Running};
use trace_format::files::OUTPUT;

/// Between two looks at a program that runs.
const INTERVAL: Duration = Duration::from_millis(100);
/// Between two snapshots that the views follow while a question is open.
const FOLLOWING: Duration = Duration::from_secs(2);
/// Going over to a snapshot takes longer in a large run: no more than one part of so many is spent on it.
const FOLLOWING_PART: u32 = 10;

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
    let opening = Opening {
        coverage: None,
        ..search.opening(None, &Who::Terminal)
    };
    let project = Some(request.working_directory.as_path());
    let slot = Arc::new(LiveRun::growing(
        running.folder(),
        Growth {
            opening,
            source_path: search.source_path.clone(),
            remembered: ask::store_of(&search, project, false)?,
            advised: Box::new(advised(
                theirs,
                ask::command_of(&search).filter(|_| is_live),
            )),
        },
        running.stopper(),
    ));
    let server = serve::bind(vec![Arc::clone(&slot)], &web.page)?;
    if is_live {
        let output = running.folder().join(OUTPUT);
        output::talk(&format!(
            "askance: the program is running; what it says goes to {}",
            output.display()
        ));
    }
    thread::spawn(move || {
        let mut kept = reference;
        match drive(running, &slot, is_live, &search) {
            Ok(later) => kept = kept.or(later),
            Err(failure) => {
                output::say_failure(&failure);
                slot.tell(|progress| {
                    progress.phase = Phase::Failed;
                    progress.sentence = Some(failure.sentence.clone());
                });
            }
        }
        drop(until_it_ends);
        let _from_now_on =
            interrupt::say_and_leave("The answers are kept in the trace.".to_owned());
        output::talk("askance: serving until Ctrl-C");
        // What was recorded as a reference is needed for as long as there are questions.
        let _kept = kept;
        loop {
            thread::park();
        }
    });
    serve::answer(server)
}

/// Who answers about a snapshot before a person is asked.
fn advised(
    theirs: Option<Arc<JavaRun>>,
    command: Option<SharedCommand<'static>>,
) -> impl Fn(&Arc<JavaRun>, Option<Memory>) -> Advised {
    move |run, memory| {
        let reference = theirs
            .as_ref()
            .map(|theirs| Shared::new(Reference::new(Arc::clone(run), Arc::clone(theirs))));
        let blameless = reference.as_ref().map(Shared::blameless);
        let recording: Arc<dyn Recording> = Arc::<JavaRun>::clone(run);
        let oracles = Oracles::new(&recording, memory, reference, None, command.clone());
        Advised {
            oracles: oracles.cascade,
            blameless: blameless.unwrap_or_default(),
        }
    }
}

type Kept = Option<launch::folder::TraceFolder>;

/// Follows the program to its end, and the questions to the last snapshot.
fn drive(
    running: Running,
    slot: &LiveRun,
    is_live: bool,
    search: &SearchArguments,
) -> Result<Kept, Failure> {
    let started = Instant::now();
    let folder = running.folder().to_owned();
    let follower = is_live.then(|| Arc::new(Follower::start(&folder, running.ended())));
    let mut pace = FollowingPace::default();
    if let Some(follower) = &follower {
        slot.follow(Arc::clone(follower));
    }
    while !running.is_gone() {
        slot.tell(|progress| {
            progress.bytes = recorded_bytes(&folder);
            progress.seconds = started.elapsed().as_secs();
        });
        if let Some(follower) = &follower {
            go_on(slot, follower, search, &mut pace)?;
        }
        thread::sleep(INTERVAL);
    }
    let recorded = running.wait()?;
    record::tell_end(recorded.end);
    let ended = format!("the program ended with {}", recorded.end.describe());
    slot.tell(|progress| {
        progress.phase = Phase::Indexing;
        progress.bytes = recorded_bytes(&folder);
        progress.seconds = started.elapsed().as_secs();
        progress.sentence = Some(ended);
    });
    let kept = match &follower {
        Some(follower) => {
            last_snapshots(slot, follower, &recorded, search)?;
            None
        }
        None => {
            let (served, reference) = serve::recorded(indexed(slot, &recorded, search)?, search)?;
            slot.put(served);
            reference
        }
    };
    let path = recorded.folder.keep();
    output::talk(&format!("askance: the trace is in {}", path.display()));
    slot.tell(|progress| progress.phase = Phase::Complete);
    if let Some(follower) = &follower {
        while follower.goes_on() {
            go_on(slot, follower, search, &mut pace)?;
            thread::sleep(INTERVAL);
        }
    }
    Ok(kept)
}

/// When the views go over to what was recorded meanwhile.
struct FollowingPace {
    next: Instant,
}

impl Default for FollowingPace {
    fn default() -> Self {
        FollowingPace {
            next: Instant::now() + FOLLOWING,
        }
    }
}

impl FollowingPace {
    fn is_due(&self) -> bool {
        Instant::now() >= self.next
    }

    /// It took so long.
    fn took(&mut self, time: Duration) {
        self.next = Instant::now() + FOLLOWING.max(time * FOLLOWING_PART);
    }
}

/// Takes a newer snapshot if somebody waits for one, and now and then for those who look around: the open question
/// stays.
fn go_on(
    slot: &LiveRun,
    follower: &Follower,
    search: &SearchArguments,
    pace: &mut FollowingPace,
) -> Result<(), Failure> {
    let question = match slot.waits() {
        true => OpenQuestion::ChosenAnew,
        false if pace.is_due() && slot.can_follow() => OpenQuestion::Stays,
        false => return Ok(()),
    };
    let started = Instant::now();
    if let Some(newer) = follower.take() {
        grow(slot, newer, question, follower, search)?;
        pace.took(started.elapsed());
    }
    Ok(())
}

/// Puts a snapshot in its place; the first one only if it has the call that `--root` names, or there will
/// be no other.
fn grow(
    slot: &LiveRun,
    newer: JavaRun,
    question: OpenQuestion,
    follower: &Follower,
    search: &SearchArguments,
) -> Result<(), Failure> {
    if slot.is_empty() {
        match search.root(&newer) {
            Ok(root) => {
                if let Some(call) = root.and_then(|root| newer.call_id(root)) {
                    slot.search_below(call);
                }
            }
            Err(_) if follower.goes_on() => return Ok(()),
            Err(failure) => return Err(failure),
        }
    }
    Ok(slot.grow(newer, question)?)
}

/// There must be something to ask about by now.
fn last_snapshots(
    slot: &LiveRun,
    follower: &Follower,
    recorded: &FinishedRecording,
    search: &SearchArguments,
) -> Result<(), Failure> {
    while slot.is_empty() {
        match follower.next() {
            Some(next) => grow(slot, next, OpenQuestion::ChosenAnew, follower, search)?,
            // Says why, as it does without a page.
            None => {
                let run = record::open(recorded)?;
                search.root(&run)?;
                break;
            }
        }
    }
    Ok(())
}

/// Opens what was recorded and tells the page how far that is.
fn indexed(
    slot: &LiveRun,
    recorded: &FinishedRecording,
    search: &SearchArguments,
) -> Result<JavaRun, Failure> {
    let folder = recorded.folder.path();
    let run = JavaRun::open(folder, None, &mut |done, total| {
        let part = done as f64 / total.max(1) as f64;
        slot.tell(|progress| progress.indexed = Some(part));
    });
    let run = match run {
        Ok(run) => run,
        Err(_) => record::open(recorded)?,
    };
    failed_tests::in_any_jvm(run, search)
}
