//! A session about a run, with what belongs to it whoever answers: which transformations are on,
//! what the strategies are told of the run, and where the answers are kept.
//!
//! The terminal, a script and the browser page all drive this one; none of them touches the
//! session's settings by itself. How it is opened is in [`crate::opening`].

use std::io;
use std::path::PathBuf;

use debug_engine::oracle::{Cascade, run_automatic};
use debug_engine::session::{LogEntry, Reason, SessionError, Source, Step};
use debug_engine::{NodeId, Session, Target, strategy};

use crate::memory::Remembered;
use crate::oracle::memory::Memory;
use crate::oracle::memory::store::StoreError;
use crate::repeated::Repeated;
use crate::wanted::Wanted;
use java_model::calls::Calls;
use java_names::glob::Glob;

/// The strategy that asks about several calls together.
pub const RANGES: &str = "ranges";

/// The strategy that weighs following a value against halving.
const FOLLOWS_BY_ITSELF: &str = "value-tracking";

/// See the module's header.
pub struct Questioning {
    pub session: Session,
    pub(crate) wanted: Wanted,
    /// Where the answers are kept, if they are.
    pub(crate) kept: Option<Place>,
    pub(crate) repeated: Repeated,
    /// What a person said that is still to be taken in by the memory of answers; what was taken back is to
    /// be forgotten. It is kept with the answers, because taking in takes time and the process may end before.
    pub to_remember: Vec<LogEntry>,
    /// What is answered without asking is only counted: the calls in question see so much that telling of each
    /// would take longer than finding the next question.
    pub only_counts: bool,
}

/// The file that remembers a session.
pub(crate) struct Place {
    pub(crate) folder: PathBuf,
    pub(crate) jvm: u32,
}

impl Questioning {
    /// A session that nothing is kept of.
    #[must_use]
    pub fn of(session: Session) -> Questioning {
        Questioning {
            session,
            wanted: Wanted::default(),
            kept: None,
            repeated: Repeated::default(),
            to_remember: Vec::new(),
            only_counts: false,
        }
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
    ) -> Result<Step, SessionError> {
        loop {
            let step = run_automatic(&mut self.session, oracles)?;
            if !self.repeat_answer(&step, calls)? {
                return Ok(step);
            }
        }
    }

    /// What those who answer before a person is asked are to be asked now; `None` if nothing is left for them.
    ///
    /// # Errors
    /// If the session cannot go on.
    pub fn for_oracles(&mut self) -> Result<Option<Target>, SessionError> {
        let step = run_automatic(&mut self.session, &mut Cascade::new())?;
        Ok(match step {
            Step::Ask(question) if question.reason != Reason::Requested => Some(question.target),
            _ => None,
        })
    }

    /// Answers a question with what the person said of calls that are the same; whether there was something.
    ///
    /// # Errors
    /// If the session does not take the answer.
    pub fn repeat_answer(&mut self, step: &Step, calls: &dyn Calls) -> Result<bool, SessionError> {
        let said = match step {
            Step::Ask(question) if question.reason != Reason::Requested => {
                self.repeated.answer(&self.session, calls, question)
            }
            _ => None,
        };
        match said {
            Some(answer) => self
                .session
                .answer_from(Source::Memory, answer)
                .map(|()| true),
            None => Ok(false),
        }
    }

    /// Has the memory take in what it had no time for.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn remember(&mut self, memory: &mut Memory) -> Result<(), StoreError> {
        for said in std::mem::take(&mut self.to_remember) {
            memory.take_in(&said)?;
        }
        Ok(())
    }

    /// Which transformations are on.
    #[must_use]
    pub fn wanted(&self) -> &Wanted {
        &self.wanted
    }

    /// Switches transformations, and the strategy if that is what one of them is.
    ///
    /// # Errors
    /// If the session does not take the strategy.
    pub fn transform(&mut self, calls: &dyn Calls, wanted: Wanted) -> Result<(), SessionError> {
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
        let follows = self.session.strategy_name() != FOLLOWS_BY_ITSELF;
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
        Remembered {
            version: 1,
            jvm: place.jvm,
            session: self.session.save(),
            transform: self.wanted.to_string(),
            to_remember: self.to_remember.clone(),
        }
        .write(&place.folder)
    }
}
