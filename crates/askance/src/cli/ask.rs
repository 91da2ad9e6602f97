//! `askance ask`: the dialogue over a recorded run.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal as _};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use clap::Args;
use debug_engine::oracle::{Cascade, Oracle};
use debug_engine::session::{Answer, Diagnosis, LogEntry, SessionError, Source, Step};
use debug_engine::{NodeId, RoutineId, Session};

use super::ask_options::{AskArguments, SearchArguments, Switch};
use super::decided::Decided;
use super::failed_tests;
use super::failure::{Exit, Failure};
use super::inspect::{Opened, TraceArguments};
use super::output;
use super::reference::{self, ReferenceRun};
use super::{report, screen, suspicion};
use crate::dialogue::script::Script;
use crate::dialogue::terminal::Terminal;
use crate::dialogue::{Blamed, Dialogue, DialogueError, Ending, Nobody, Person};
use crate::interrupt;
use crate::launch::folder::TraceFolder;
use crate::oracle::command::{Command, CommandOracle, SharedCommand};
use crate::oracle::memory::store::Store;
use crate::oracle::memory::{self, Memory};
use crate::oracle::passing::PassingTests;
use crate::oracle::reference::Reference;
use crate::oracle::sweep::sweep;
use crate::questioning::{Opening, Questioning};
use crate::source::imported::ImportedTree;
use crate::source::questions::Questions;
use crate::source::recording::Recording;
use crate::source::run::JavaRun;

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
    let suspicion = suspicion::scores(&run, options)?;
    // The reference's trace is needed until after the last question.
    let Compared {
        run,
        oracle,
        folder: _folder,
    } = Compared::new(run, options)?;
    let java = Arc::clone(&run);
    let passing = passing_tests(&java, options, script.is_some());
    let run: Arc<dyn Recording> = run;
    let mut exit = Exit::Done;
    for test in tests {
        let opening = |who: &Who| Opening {
            test: test.clone(),
            suspicion: suspicion.clone(),
            blameless: oracle.as_ref().map(Shared::blameless).unwrap_or_default(),
            ..options.opening(root, who)
        };
        let memory = memory_of(&java, options, script.is_some())?;
        let known = Known {
            memory,
            reference: oracle.clone(),
            passing: passing.clone(),
        };
        let this = ask(&run, options, &opening, script.clone(), known)?;
        if this != Exit::Done {
            exit = this;
        }
    }
    Ok(exit)
}

/// A run, with what it is compared to.
pub(crate) struct Compared {
    pub(crate) run: Arc<JavaRun>,
    pub(crate) oracle: Option<Shared>,
    /// The reference's trace, which is removed with this.
    pub(crate) folder: Option<TraceFolder>,
}

impl Compared {
    /// Records the reference if there is one.
    pub(crate) fn new(run: JavaRun, options: &SearchArguments) -> Result<Compared, Failure> {
        let Some(path) = &options.reference else {
            return Ok(Compared {
                run: Arc::new(run),
                oracle: None,
                folder: None,
            });
        };
        let ReferenceRun { run: other, folder } =
            reference::record_reference(&run, path, options.build.as_deref())?;
        let run = Arc::new(run);
        let oracle = Reference::new(Arc::clone(&run), Arc::new(other));
        Ok(Compared {
            run,
            oracle: Some(Shared::new(oracle)),
            folder: Some(folder),
        })
    }
}

/// What cannot be run cannot be compared.
pub(crate) fn no_reference_for_imported() -> Failure {
    Failure::mistake(
        "an imported call tree cannot be run again, so --reference has nothing to compare with",
    )
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
        passing,
    } = known;
    let who = Who::of(options, script);
    let opening = opening(&who);
    let mut questioning = Questioning::start(run, &opening, &mut say)?;
    if let Some(mut memory) = memory.clone() {
        questioning.remember(&mut memory)?;
    }
    if oracle.is_none() && options.oracle_cmd.is_none() && options.strategy.is_none() {
        follow_assertion(&mut questioning)?;
    }
    let heard = questioning.session.log().len();
    if let Some(oracle) = &oracle {
        oracle.sweep(&mut questioning.session, options)?;
    }
    let oracles = Oracles::new(
        run,
        memory.clone(),
        oracle.clone(),
        passing,
        command_of(options),
    );
    let (ending, blamed) = if options.tui {
        match screen::converse(run, &mut questioning, oracles.cascade)? {
            Some(ended) => ended,
            None => return Ok(Exit::Interrupted),
        }
    } else {
        let conversation = Conversation {
            person: &mut *who.person(),
            keeps: opening.keeps,
            oracles,
            heard,
            come_back: &|_| false,
        };
        dialogue(run, &mut questioning, conversation)?
    };
    let session = &mut questioning.session;
    let (changed, decided) = match oracle {
        Some(oracle) => oracle.narrowed(session, &ending),
        None => Default::default(),
    };
    if let Some(mut memory) = memory.filter(|_| opening.keeps || options.memory.is_some()) {
        memory.keep(in_force(session))?;
    }
    let narrowed = report::Narrowed {
        blamed: blamed.as_ref(),
        changed: &changed,
        decided: decided.as_ref(),
    };
    report::tell(&**run, session, &ending, narrowed, options.json)
}

/// Whether somebody else than the reference has said what is wrong with a call.
fn rests_on_a_person(session: &Session, node: NodeId) -> bool {
    let said = session.answer_for(node);
    said.is_some_and(|entry| entry.source != Source::Reference)
}

/// What can answer before anybody is asked.
#[derive(Default)]
struct Known {
    memory: Option<Memory>,
    reference: Option<Shared>,
    passing: Option<PassingTests>,
}

/// What passing tests of the run let presume, unless that is not wanted. A script gets it only if it asks for it.
pub(crate) fn passing_tests(
    run: &Arc<JavaRun>,
    options: &SearchArguments,
    is_scripted: bool,
) -> Option<PassingTests> {
    let is_wanted = match options.passing_tests {
        Some(switch) => switch == Switch::On,
        None => !is_scripted,
    };
    let knows = run.has_state() && run.tests().iter().any(|test| test.verdict.is_failure());
    (is_wanted && knows).then(|| PassingTests::of(run))
}

/// What is remembered of the project that was recorded. A script stands for a whole dialogue: it gets
/// no help that it does not ask for.
pub(crate) fn memory_of(
    run: &Arc<JavaRun>,
    options: &SearchArguments,
    is_scripted: bool,
) -> Result<Option<Memory>, Failure> {
    let project = run
        .run_file()
        .map(|file| Path::new(&file.working_directory.0));
    let store = store_of(options, project, is_scripted)?;
    Ok(store.map(|store| Memory::new(Arc::clone(run), store)))
}

/// The answers of the project in a folder.
pub(crate) fn store_of(
    options: &SearchArguments,
    project: Option<&Path>,
    is_scripted: bool,
) -> Result<Option<Arc<Store>>, Failure> {
    if let Some(file) = &options.memory {
        return Ok(Some(Arc::new(Store::open(file)?)));
    }
    let is_off = std::env::var_os("ASKANCE_MEMORY").is_some_and(|value| value == "off");
    if options.no_memory || is_off || is_scripted {
        return Ok(None);
    }
    let file = project.and_then(memory::file_of);
    let opened = file.map(|file| Store::open(&file));
    Ok(opened.and_then(|opened| {
        opened
            .map_err(|error| say(&format!("{error}; going on without them")))
            .ok()
            .map(Arc::new)
    }))
}

/// The answers that no later one overrules.
pub(crate) fn in_force(session: &Session) -> impl Iterator<Item = &LogEntry> {
    let log = session.log().iter();
    log.filter(|entry| {
        let target = entry.target();
        target.is_some_and(|target| session.answer_for_target(target) == Some(entry))
    })
}

/// Begins with the call that gave a failed assertion its value, unless the search is under way.
fn follow_assertion(questioning: &mut Questioning) -> Result<(), Failure> {
    let mut answers = questioning.session.log().iter();
    if answers.all(|entry| matches!(entry.source, Source::Run | Source::Trusted))
        && let Some(producer) = questioning.follow_value()?
    {
        say(&format!(
            "what the test found wrong was produced by call #{producer}"
        ));
    }
    Ok(())
}

/// One sentence for the person.
pub(crate) fn say(sentence: &str) {
    output::talk(&format!("askance: {sentence}"));
}

fn tell_shortcomings(reference: &Reference) {
    if reference.matched() == 0 {
        output::talk(
            "askance: the reference run has no call with the same method and the same state before as any that was asked about",
        );
    }
    if reference.gave_up() {
        output::talk(
            "askance: comparing with the reference took too long and was given up; --root METHOD narrows the search",
        );
    }
}

/// Who answers.
pub(crate) enum Who {
    Terminal,
    Script(Script),
    Nobody,
}

impl Who {
    pub(crate) fn of(options: &AskArguments, script: Option<Script>) -> Who {
        match script {
            Some(script) => Who::Script(script),
            None if options.non_interactive || !io::stdin().is_terminal() => Who::Nobody,
            None => Who::Terminal,
        }
    }

    pub(crate) fn person(self) -> Box<dyn Person> {
        match self {
            Who::Terminal => Box::new(Terminal),
            Who::Script(script) => Box::new(script),
            Who::Nobody => Box::new(Nobody),
        }
    }
}

/// Whoever answers before a person is asked.
pub(crate) struct Oracles {
    pub(crate) cascade: Cascade<'static>,
    /// On whose behalf a question that nobody can answer counts as unknown.
    unknown_from: Option<Source>,
}

impl Oracles {
    pub(crate) fn new(
        run: &Arc<dyn Recording>,
        memory: Option<Memory>,
        reference: Option<Shared>,
        passing: Option<PassingTests>,
        command: Option<SharedCommand<'static>>,
    ) -> Self {
        let mut cascade = Cascade::new();
        let mut unknown_from = None;
        if let Some(memory) = memory {
            cascade.push(memory);
        }
        if let Some(reference) = reference {
            cascade.push(reference);
            unknown_from = Some(Source::Reference);
        }
        if let Some(passing) = passing {
            cascade.push(passing);
        }
        if let Some(command) = command {
            cascade.push(CommandOracle::new(Arc::clone(run), command));
            unknown_from = unknown_from.or(Some(Source::Command));
        }
        Oracles {
            cascade,
            unknown_from,
        }
    }
}

/// The command that `--oracle-cmd` names; it is started when it is first asked.
pub(crate) fn command_of(options: &SearchArguments) -> Option<SharedCommand<'static>> {
    let line = options.oracle_cmd.clone()?;
    let patience = Duration::from_secs_f64(options.oracle_timeout);
    let command = Command::new(line, patience, say);
    Some(command.at_least(options.min_confidence).shared())
}

/// Who takes part in a dialogue, and when it is left.
pub(crate) struct Conversation<'run> {
    pub(crate) person: &'run mut dyn Person,
    /// Whether the answers are kept for another time.
    pub(crate) keeps: bool,
    pub(crate) oracles: Oracles,
    /// How many of the session's answers the person has heard of.
    pub(crate) heard: usize,
    /// Whether to come back instead of going on with this step: the tree has grown.
    pub(crate) come_back: &'run dyn Fn(&Step) -> bool,
}

/// Asks until nothing is left, nobody answers, or the caller wants it to come back.
pub(crate) fn dialogue(
    run: &Arc<dyn Recording>,
    questioning: &mut Questioning,
    conversation: Conversation<'_>,
) -> Result<(Ending, Option<Blamed>), Failure> {
    let Conversation {
        person,
        keeps,
        oracles,
        heard,
        come_back,
    } = conversation;
    let go_on = format!("askance ask {}", shell_word(run.folder()));
    let questions = Questions::new(Arc::clone(run));
    let _guard = keeps
        .then(|| interrupt::say_and_leave(format!("The answers are kept; go on with: {go_on}")));
    let mut dialogue = Dialogue {
        questioning,
        cascade: oracles.cascade,
        calls: &questions,
        person,
        talk: &mut io::stderr(),
        unknown_from: oracles.unknown_from,
        heard,
        blamed: None,
        come_back,
    };
    let ending = dialogue.run()?;
    let blamed = dialogue.blamed.take();
    match ending {
        Ending::Left => output::talk(&format!("The answers are kept; go on with: {go_on}")),
        Ending::Unanswered(_) => {
            output::talk(&format!(
                "\nTo go on, answer in a terminal: {go_on}\nor write answers into a file, one a line: {go_on} --answers FILE"
            ));
            if run.can_be_compared() {
                output::talk(&format!(
                    "or name a version that works: {go_on} --reference FILE.java"
                ));
            }
        }
        Ending::Done(_) | Ending::Grown => {}
    }
    Ok((ending, blamed))
}

/// The oracle, which is asked for its numbers afterwards.
#[derive(Clone)]
pub(crate) struct Shared(Arc<Mutex<Reference>>);

impl Shared {
    pub(crate) fn new(reference: Reference) -> Shared {
        Shared(Arc::new(Mutex::new(reference)))
    }

    /// Gives a session what it knows by itself, if it may choose what to ask about.
    pub(crate) fn sweep(
        &self,
        session: &mut Session,
        options: &SearchArguments,
    ) -> Result<(), Failure> {
        if options.strategy.is_none() {
            let first = self.lock().where_to_look();
            sweep(session, &mut self.clone(), &first)?;
        }
        Ok(())
    }

    /// Which lines of the call that was found differ, and how it was told that it is wrong. Says what the
    /// reference could not tell.
    pub(crate) fn narrowed(
        &self,
        session: &Session,
        ending: &Ending,
    ) -> (Vec<u32>, Option<Decided>) {
        let mut reference = self.lock();
        tell_shortcomings(&reference);
        match ending {
            Ending::Done(Diagnosis::Found { node }) if !rests_on_a_person(session, *node) => (
                reference.changed_lines(*node).into_iter().collect(),
                Decided::of(&reference, *node),
            ),
            _ => (Vec::new(), None),
        }
    }

    /// The methods that cannot be to blame.
    pub(crate) fn blameless(&self) -> BTreeSet<RoutineId> {
        self.lock().blameless()
    }

    fn lock(&self) -> MutexGuard<'_, Reference> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Oracle for Shared {
    fn source(&self) -> Source {
        Source::Reference
    }

    fn judge(&mut self, node: NodeId) -> Option<Answer> {
        self.lock().answer(node)
    }

    fn judge_range(&mut self, first: NodeId, last: NodeId) -> Option<Answer> {
        self.lock().answer_together(first, last)
    }

    /// Right means that the calls are; the code around them stays a suspect in any case.
    fn judge_piece(&mut self, first: NodeId, last: NodeId) -> Option<Answer> {
        self.lock().answer_together(first, last)
    }
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

/// A path as one can paste it into a shell.
pub(crate) fn shell_word(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+:@%,".contains(c);
    if text.chars().all(plain) {
        text
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}
