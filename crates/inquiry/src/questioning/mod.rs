//! A session about a run, with what belongs to it whoever answers: which transformations are on,
//! what the strategies are told of the run, and where the answers are kept.
//!
//! The terminal, a script, the browser page and agents all drive this one, by [commands](command); none of them
//! touches the session by itself. How it is opened is in [`opening`].

pub mod chosen_transformations;
pub mod command;
pub mod explained;
pub mod finding;
pub mod inside;
mod interpreter;
pub mod memory;
pub mod opening;
mod repeated;
pub mod reply;
pub mod shown;

use std::io;
use std::path::PathBuf;

use debug_engine::oracle::{Cascade, not_heard, run_automatic};
use debug_engine::session::{Answer, AnswerSource, LogEntry, Reason, SessionError, SessionStep};
use debug_engine::{NodeId, Session, Target, strategy};

use crate::oracle::memory::Memory;
use crate::oracle::memory::store::MemoryError;
use chosen_transformations::ChosenTransformations;
use inside::InsideSearch;
use java_analysis::calls::Calls;
use java_analysis::output_symptom::OutputSymptom;
use java_names::glob::Glob;
use memory::Remembered;
pub use opening::{CoverageWanted, Opening};
use repeated::Repeated;

/// The strategy that asks about several calls together.
pub const RANGES: &str = "ranges";

/// The strategy for whoever reads the questions.
pub const BELIEF: &str = "belief";

/// The strategy that weighs following a value against halving.
const FOLLOWS_BY_ITSELF: &str = "value-tracking";

/// See the module's header.
pub struct Questioning {
    session: Session,
    wanted: ChosenTransformations,
    /// The search in the call that was found, if somebody wants it.
    inside: Option<InsideSearch>,
    /// Whether what people say is kept for other sessions as they say it.
    remembers: bool,
    /// Where the answers are kept, if they are.
    kept: Option<SessionFile>,
    repeated: Repeated,
    /// What a person said that is still to be taken in by the memory of answers; what was taken back is to
    /// be forgotten. It is kept with the answers, because taking in takes time and the process may end before.
    pub to_remember: Vec<LogEntry>,
    /// What is answered without asking is only counted: the calls in question see so much that telling of each
    /// would take longer than finding the next question.
    pub only_counts: bool,
    /// Whether each question tells how it was chosen.
    pub explains: bool,
    /// What is wrong with the program's output, if somebody has said so.
    output: Option<OutputSymptom>,
}

/// The file that remembers a session.
struct SessionFile {
    folder: PathBuf,
    jvm: u32,
}

impl Questioning {
    /// What is wrong with the program's output, if somebody has said so.
    #[must_use]
    pub fn output_symptom(&self) -> Option<&OutputSymptom> {
        self.output.as_ref()
    }

    /// A session that nothing is kept of.
    #[must_use]
    pub fn of(session: Session) -> Questioning {
        Questioning {
            session,
            wanted: ChosenTransformations::default(),
            inside: None,
            remembers: false,
            kept: None,
            repeated: Repeated::default(),
            to_remember: Vec::new(),
            only_counts: false,
            explains: false,
            output: None,
        }
    }

    /// What was said so far, and where the search stands.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The session, for oracles that go through it by themselves. People and agents say what they have to say by
    /// [`apply`](Self::apply).
    pub fn session_for_oracles(&mut self) -> &mut Session {
        &mut self.session
    }

    /// The session, when everything is said.
    #[must_use]
    pub fn into_session(self) -> Session {
        self.session
    }

    /// The open question, or the diagnosis.
    pub fn step(&mut self) -> SessionStep {
        self.session.poll()
    }

    /// Leaves the open question unanswered on behalf of a source, because nobody is there to answer it.
    ///
    /// # Errors
    /// If there is no question.
    pub fn pass_over(&mut self, source: AnswerSource) -> Result<(), SessionError> {
        self.session.answer_from(source, Answer::DontKnow)
    }

    /// Takes in what somebody said who answers before a person is asked.
    ///
    /// # Errors
    /// If the session does not take it.
    pub fn take_advice(&mut self, said: LogEntry) -> Result<(), SessionError> {
        self.session.judge_as(said)
    }

    /// Keeps what people say for other sessions as they say it.
    pub fn note_for_others(&mut self) {
        self.remembers = true;
    }

    /// Lets those answer who answer before a person is asked, and what the person has said of calls that
    /// are the same. Gives the question that is left, or the diagnosis.
    ///
    /// # Errors
    /// If the session does not take an answer.
    pub fn hear(
        &mut self,
        oracles: &mut Cascade<'_>,
        calls: &dyn Calls,
    ) -> Result<SessionStep, SessionError> {
        loop {
            let step = run_automatic(&mut self.session, oracles)?;
            if !self.repeat_answer(&step, calls)? {
                return Ok(step);
            }
        }
    }

    /// What those who answer before a person is asked are to be asked now, and who of them is not; empty if
    /// nothing is left for them.
    ///
    /// # Errors
    /// If the session cannot go on.
    pub fn for_oracles(&mut self) -> Result<Vec<(Target, Option<AnswerSource>)>, SessionError> {
        let step = run_automatic(&mut self.session, &mut Cascade::new())?;
        let SessionStep::Ask(question) = step else {
            return Ok(Vec::new());
        };
        let is_asked = question.reason != Reason::Requested;
        let targets = question.targets().filter(|_| is_asked);
        let heard = targets.map(|target| (target, not_heard(&self.session, target)));
        Ok(heard.collect())
    }

    /// Answers a question with what the person said of calls that are the same; whether there was something.
    ///
    /// # Errors
    /// If the session does not take the answer.
    pub fn repeat_answer(
        &mut self,
        step: &SessionStep,
        calls: &dyn Calls,
    ) -> Result<bool, SessionError> {
        let SessionStep::Ask(question) = step else {
            return Ok(false);
        };
        if question.reason == Reason::Requested {
            return Ok(false);
        }
        let mut is_told = false;
        for target in question.targets() {
            if let Some(answer) = self.repeated.answer(&self.session, calls, target) {
                self.session
                    .judge_target(target, answer, AnswerSource::Memory)?;
                is_told = true;
            }
        }
        Ok(is_told)
    }

    /// Goes on with what another session about the same run had for the memory of answers.
    pub fn take_over_memory(&mut self, before: Questioning) {
        self.to_remember = before.to_remember;
        self.remembers = before.remembers;
    }

    /// Has the memory take in what it had no time for.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn remember(&mut self, memory: &mut Memory) -> Result<(), MemoryError> {
        for said in std::mem::take(&mut self.to_remember) {
            memory.take_in(&said)?;
        }
        Ok(())
    }

    /// Which transformations are on.
    #[must_use]
    pub fn chosen_transformations(&self) -> &ChosenTransformations {
        &self.wanted
    }

    /// Switches transformations, and the strategy if that is what one of them is.
    fn transform(
        &mut self,
        calls: &dyn Calls,
        wanted: ChosenTransformations,
    ) -> Result<(), SessionError> {
        if wanted.ranges && !self.wanted.ranges {
            self.session.set_strategy(RANGES)?;
        } else if self.wanted.ranges && !wanted.ranges && self.session.strategy_name() == RANGES {
            self.session.set_strategy(strategy::SINGLE_CALLS)?;
        }
        let named = |glob: &Glob| calls.routines_named(glob);
        self.session
            .set_transformations(wanted.transformations(&named));
        self.wanted = wanted;
        Ok(())
    }

    /// Whoever points at a wrong value is asked next about the call that produced it, unless that is
    /// told already or the strategy sees to it. Gives that call.
    ///
    /// # Errors
    /// If the session cannot ask about it.
    pub fn follow_value(&mut self) -> Result<Option<NodeId>, SessionError> {
        let space = self.session.space();
        let follows = ![FOLLOWS_BY_ITSELF, BELIEF].contains(&self.session.strategy_name());
        let producer = space
            .hint()
            .filter(|&producer| follows && space.is_askable(producer));
        if let Some(producer) = producer {
            self.session.ask_about(producer)?;
        }
        Ok(producer)
    }

    /// Writes the answers down, if they are kept at all.
    ///
    /// # Errors
    /// If the trace's folder cannot be written.
    pub fn keep(&self) -> io::Result<()> {
        let Some(place) = &self.kept else {
            return Ok(());
        };
        let transform = self.wanted.to_string();
        Remembered::new(self.session.save(), transform, self.to_remember.clone())
            .write(&place.folder, place.jvm)
    }
}
