//! A run that is being recorded, as front ends show it: followed to its end in the background, with questions about
//! what is recorded so far.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::ask::{self, Advisers, Oracles, Shared, Who};
use super::ask_options::SearchArguments;
use super::failure::Failure;
use super::output;
use super::served;
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
use launch::record::{FinishedRecording, Request, Running};

/// Between two looks at a program that runs.
const INTERVAL: Duration = Duration::from_millis(100);
/// Between two snapshots that the views follow while a question is open.
const FOLLOWING: Duration = Duration::from_secs(2);
/// Going over to a snapshot takes longer in a large run: no more than one part of so many is spent on it.
const FOLLOWING_PART: u32 = 10;

/// A run that is being recorded, in which questions are asked by and by.
pub(super) fn live_run(
    request: &Request,
    search: &SearchArguments,
    running: &Running,
    theirs: Option<Arc<JavaRun>>,
    command: Option<SharedCommand<'static>>,
) -> Result<LiveRun, Failure> {
    let project = Some(request.working_directory.as_path());
    let growth = Growth {
        opening: Opening {
            coverage: None,
            ..search.opening(None, &Who::Terminal)
        },
        source_path: search.source_path.clone(),
        remembered: ask::store_of(search, project, false)?,
        advised: Box::new(advised(theirs, command)),
    };
    Ok(LiveRun::growing(
        running.folder(),
        growth,
        running.stopper(),
    ))
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
        let oracles = Oracles::new(
            &recording,
            Advisers {
                memory,
                reference,
                command: command.clone(),
                ..Advisers::default()
            },
        );
        Advised {
            oracles: oracles.cascade,
            blameless: blameless.unwrap_or_default(),
        }
    }
}

type Kept = Option<launch::folder::TraceFolder>;

/// What is shown while the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Views {
    /// Nothing before its end.
    Wait,
    /// What was recorded meanwhile, every now and then, also while a question is open.
    Follow,
    /// The same when somebody takes it; nobody has to be asked for that.
    Taken,
}

/// Follows the program to its end, and tells how that went.
pub(super) fn drive(
    running: Running,
    slot: &LiveRun,
    views: Views,
    search: &SearchArguments,
) -> Kept {
    match follow(running, slot, views, search) {
        Ok(kept) => kept,
        Err(failure) => {
            output::say_failure(&failure);
            slot.tell(|progress| {
                progress.phase = Phase::Failed;
                progress.sentence = Some(failure.sentence.clone());
            });
            None
        }
    }
}

/// Follows the program to its end, and the questions to the last snapshot.
fn follow(
    running: Running,
    slot: &LiveRun,
    views: Views,
    search: &SearchArguments,
) -> Result<Kept, Failure> {
    let started = Instant::now();
    let folder = running.folder().to_owned();
    let follower = match views {
        Views::Wait => None,
        Views::Follow | Views::Taken => Some(Arc::new(Follower::start(&folder, running.ended()))),
    };
    let mut pace = FollowingPace::of(views);
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
    if interrupt::terminated() {
        let failure = record::ended_before_questions(recorded).unwrap_or_else(|failure| failure);
        output::say_failure(&failure);
        interrupt::leave_if_terminated();
        return Err(failure);
    }
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
            let (served, reference) = served::recorded(indexed(slot, &recorded, search)?, search)?;
            slot.put(served);
            reference
        }
    };
    let path = recorded.folder.keep();
    output::talk(&format!("askance: the trace is in {}", path.display()));
    slot.tell(|progress| progress.phase = Phase::Complete);
    if let Some(follower) = follower.as_ref().filter(|_| views == Views::Follow) {
        while follower.goes_on() {
            go_on(slot, follower, search, &mut pace)?;
            thread::sleep(INTERVAL);
        }
    }
    Ok(kept)
}

/// When the views go over to what was recorded meanwhile.
struct FollowingPace {
    /// Never, if views take it by themselves.
    next: Option<Instant>,
}

impl FollowingPace {
    fn of(views: Views) -> FollowingPace {
        FollowingPace {
            next: (views == Views::Follow).then(|| Instant::now() + FOLLOWING),
        }
    }

    fn is_due(&self) -> bool {
        self.next.is_some_and(|next| Instant::now() >= next)
    }

    /// It took so long.
    fn took(&mut self, time: Duration) {
        if let Some(next) = &mut self.next {
            *next = Instant::now() + FOLLOWING.max(time * FOLLOWING_PART);
        }
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
