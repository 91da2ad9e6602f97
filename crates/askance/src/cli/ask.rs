//! `askance ask`: the dialogue over a recorded run.

mod compared;
mod conversation;
mod oracles;

use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use debug_engine::Session;
use debug_engine::session::{LogEntry, SessionError};

use super::ask_options::AskArguments;
use super::failure::{Exit, Failure};
use super::inspect::{Opened, TraceArguments};
pub(crate) use super::output::say;
pub(crate) use super::who::Who;
use super::{experiments, failed_tests, never, output, report, screen, suspicion, wrong_output};
use crate::dialogue::script::Script;
use crate::dialogue::{DialogueError, Ending};
pub(crate) use compared::{Compared, Shared, no_reference_for_imported};
pub(crate) use conversation::{Conversation, dialogue};
use inquiry::experimented::Experimented;
use inquiry::imported::ImportedTree;
use inquiry::oracle::memory::Memory;
use inquiry::oracle::passing::PassingTests;
use inquiry::oracle::property::Property;
use inquiry::oracle::sweep::PATIENCE;
use inquiry::questioning::opening::GOING_ON;
use inquiry::{Opening, Questioning};
use java_analysis::recording::Recording;
use java_model::run::JavaRun;
pub(crate) use oracles::{Advisers, Oracles, command_of, memory_of, passing_tests, store_of};

/// Where it is verified which method is to blame, comparing may take this long to name the call.
const CALL_PATIENCE: Duration = Duration::from_secs(3);

/// Ask about the calls of a recorded run until the wrong one is found
#[derive(Debug, Args)]
#[command(
    after_help = "Example: askance ask run.askance\n         askance ask run.askance --reference fixed/Main.java --non-interactive --json\n         askance ask run.askance --answers answers.txt\n         askance ask run.askance --transform balance,loops\n         askance ask run.askance --oracle-cmd ./judge.py\n         askance ask --tui run.askance\n         askance ask --strategy help"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    trace: TraceArguments,

    #[command(flatten)]
    options: AskArguments,
}

pub(crate) fn run(arguments: Arguments) -> Result<Exit, Failure> {
    let script = arguments.options.check()?;
    match arguments.trace.open_either()? {
        Opened::Java(run) => converse(*run, &arguments.options, script),
        Opened::Imported(tree) => {
            if arguments.options.reference.is_some() {
                return Err(no_reference_for_imported());
            }
            let tree: Arc<dyn Recording> = Arc::<ImportedTree>::from(tree);
            wrong_output::check_imported(&arguments.options.output)?;
            never::check_imported(&arguments.options)?;
            let root = arguments.options.root(&*tree)?;
            let opening = |who: &Who| arguments.options.opening(root, who);
            ask(
                &tree,
                &arguments.options,
                &opening,
                script,
                Known::default(),
            )
        }
    }
}

/// Records the reference if there is one, asks, and reports.
pub(crate) fn converse(
    mut run: JavaRun,
    options: &AskArguments,
    script: Option<Script>,
) -> Result<Exit, Failure> {
    options.prepare(&mut run);
    let root = options.root(&run)?;
    let tests = match root {
        Some(_) => vec![None],
        None => failed_tests::choose(&run, options)?,
    };
    if !run.has_state() {
        output::talk(
            "askance: recorded with --detail calls: what objects held, and what changed, is not known",
        );
    }
    let output = wrong_output::symptom(&run, &options.output)?;
    let suspicion = suspicion::scores(&run, options)?;
    // The reference's trace is needed until after the last question.
    let Compared {
        run,
        oracle,
        folder: _folder,
        checked_out,
    } = Compared::new(run, options)?;
    let java = Arc::clone(&run);
    let violated = never::violated(&java, options, root)?;
    let who = Who::of(options.non_interactive, script.clone());
    let experimented = match &oracle {
        Some(oracle) => {
            experiments::conduct(&java, options, &who, checked_out, |request, observer| {
                oracle.experiment(request, observer)
            })?
        }
        None => None,
    };
    if matches!(who, Who::Terminal) {
        java.settle_in_background();
    }
    let passing = passing_tests(&java, options, script.is_some());
    let run: Arc<dyn Recording> = run;
    let mut exit = Exit::Done;
    let decided = experimented.as_ref().filter(|one| one.is_verified());
    let blameless = oracle.as_ref().map(|oracle| match decided {
        Some(experimented) => oracle.blameless_beside(experimented),
        None => oracle.blameless(),
    });
    let blameless = blameless.unwrap_or_default();
    for test in tests {
        let opening = |who: &Who| Opening {
            test: test.clone(),
            output: output.clone(),
            violation: violated.as_ref().map(|violated| violated.first),
            suspicion: suspicion.clone(),
            blameless: blameless.clone(),
            ..options.opening(root, who)
        };
        let memory = memory_of(&java, options, script.is_some())?;
        let known = Known {
            memory,
            reference: oracle.clone(),
            property: violated.as_ref().map(|violated| violated.property.clone()),
            passing: passing.clone(),
            experimented: experimented.clone(),
        };
        let this = ask(&run, options, &opening, script.clone(), known)?;
        if this != Exit::Done {
            exit = this;
        }
    }
    Ok(exit)
}

/// Asks whoever is there, after the oracle, and reports.
fn ask(
    run: &Arc<dyn Recording>,
    options: &AskArguments,
    opening: &dyn Fn(&Who) -> Opening,
    script: Option<Script>,
    known: Known,
) -> Result<Exit, Failure> {
    let Known {
        memory,
        reference: oracle,
        property,
        passing,
        experimented,
    } = known;
    let is_decided = experimented.as_ref().is_some_and(Experimented::is_verified);
    // What is verified need not be asked about.
    let who = match is_decided {
        true => Who::Nobody,
        false => Who::of(options.non_interactive, script),
    };
    let opening = opening(&who);
    let mut questioning = Questioning::start(run, &opening, &mut say_at_start)?;
    questioning.explains = options.explain;
    if let Some(mut memory) = memory.clone() {
        questioning.remember(&mut memory)?;
    }
    let heard = questioning.session().log().len();
    let started = Instant::now();
    if let Some(oracle) = &oracle {
        let patience = if is_decided { CALL_PATIENCE } else { PATIENCE };
        oracle.sweep(questioning.session_for_oracles(), options, patience)?;
    }
    let advisers = Advisers {
        memory: memory.clone(),
        reference: oracle.clone(),
        property,
        passing,
        command: command_of(options),
    };
    let oracles = Oracles::new(run, advisers);
    let (ending, blamed) = if options.tui && !is_decided {
        match screen::converse(run, &mut questioning, oracles.cascade)? {
            Some(ended) => ended,
            None => return Ok(Exit::Interrupted),
        }
    } else {
        let asks_for_symptom = oracle.is_none()
            && options.oracle_cmd.is_none()
            && opening.root.is_none()
            && who.sees_questions()
            && questioning.session().log().is_empty();
        let conversation = Conversation {
            asks_for_symptom,
            output: &options.output,
            person: &mut *who.person(),
            keeps: opening.keeps,
            oracles,
            heard,
            come_back: &|_| is_decided && started.elapsed() > CALL_PATIENCE,
        };
        dialogue(run, &mut questioning, conversation)?
    };
    let session = questioning.session_for_oracles();
    let told = oracle.map(|oracle| oracle.told(session, &ending, is_decided));
    if let Some(mut memory) = memory.filter(|_| opening.keeps || options.memory.is_some()) {
        memory.keep(in_force(session))?;
    }
    let narrowed = report::Narrowed {
        blamed: blamed.as_ref(),
        told: told.as_ref(),
        experimented: experimented.as_ref(),
    };
    // A question that nobody answered is shown once more; what was found is worth waiting for.
    run.set_hurried(matches!(ending, Ending::Unanswered(_)));
    report::tell(&**run, session, &ending, narrowed, options.json)
}

/// What can answer before anybody is asked.
#[derive(Default)]
struct Known {
    memory: Option<Memory>,
    reference: Option<Shared>,
    property: Option<Property>,
    passing: Option<PassingTests>,
    /// What running the program again has shown.
    experimented: Option<Experimented>,
}

/// The answers that no later one overrules.
pub(crate) fn in_force(session: &Session) -> impl Iterator<Item = &LogEntry> {
    let log = session.log().iter();
    log.filter(|entry| {
        let target = entry.target();
        target.is_some_and(|target| session.answer_for_target(target) == Some(entry))
    })
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Failure {
        Failure::mistake(error.to_string())
    }
}

impl From<DialogueError> for Failure {
    fn from(error: DialogueError) -> Failure {
        Failure::mistake(error.to_string())
    }
}

/// One sentence for the person, with the option that would have another effect.
pub(crate) fn say_at_start(sentence: &str) {
    match sentence.starts_with(GOING_ON) {
        true => say(&format!("{sentence}; --fresh starts anew")),
        false => say(sentence),
    }
}
