//! The session about a run as the browser drives it: every change has a number, so that a page which
//! has not seen the last one cannot answer a question that is no longer asked.

use std::sync::Arc;

use debug_engine::session::{Answer, SessionError, Source, Step, TrustScope};
use debug_engine::strategy::CoverageMetric;
use debug_engine::transform::NodeKind;
use debug_engine::view::AskedView;
use debug_engine::view::render::Bounds;
use debug_engine::{ExecutionTree, Session, SessionOptions, Target, strategy};

use super::failure::ApiError;
use crate::dialogue::memory::Remembered;
use crate::dialogue::reply::Scope;
use crate::dialogue::transform::Wanted;
use crate::dialogue::{Calls as _, RANGES};
use crate::source::questions::Questions;
use crate::source::recording::Recording;

/// See the module's header.
pub(super) struct Questioning {
    recording: Arc<dyn Recording>,
    calls: Questions,
    session: Session,
    wanted: Wanted,
    revision: u64,
}

impl Questioning {
    /// Goes on with the answers that the trace remembers, or starts anew.
    pub(super) fn start(
        recording: Arc<dyn Recording>,
        fresh: bool,
    ) -> Result<Questioning, SessionError> {
        let remembered = Remembered::read(recording.folder(), recording.number());
        let resumed = remembered
            .filter(|_| !fresh)
            .and_then(|remembered| resume(&recording, remembered));
        let (mut session, wanted) = match resumed {
            Some(resumed) => resumed,
            None => (begin(&recording)?, Wanted::default()),
        };
        inform(&mut session, &recording);
        Ok(Questioning {
            calls: Questions::new(Arc::clone(&recording)),
            recording,
            session,
            wanted,
            revision: 1,
        })
    }

    pub(super) fn revision(&self) -> u64 {
        self.revision
    }

    pub(super) fn session(&self) -> &Session {
        &self.session
    }

    pub(super) fn wanted(&self) -> &Wanted {
        &self.wanted
    }

    /// The open question, or the diagnosis.
    pub(super) fn step(&mut self) -> Step {
        self.session.poll()
    }

    /// Whatever can be asked about, as a question shows it.
    pub(super) fn asked(&self, target: Target, kind: NodeKind, bounds: Bounds) -> AskedView {
        self.calls.view(target, kind, bounds)
    }

    /// Answers the question that was shown at this revision.
    pub(super) fn answer(&mut self, revision: u64, answer: Answer) -> Result<(), ApiError> {
        self.check(revision)?;
        match self.session.poll() {
            Step::Ask(question) => self.judge(revision, question.target, answer),
            Step::Done(_) => Err(SessionError::NothingAsked.into()),
        }
    }

    /// Judges any call, asked about or not.
    pub(super) fn judge(
        &mut self,
        revision: u64,
        target: Target,
        answer: Answer,
    ) -> Result<(), ApiError> {
        self.check(revision)?;
        let points_at_value = matches!(answer, Answer::WrongPart(_));
        if let Answer::WrongPart(path) = &answer {
            self.calls
                .check_path(target.last(), &path.0)
                .map_err(ApiError::mistake)?;
        }
        self.session.judge_target(target, answer, Source::Person)?;
        if points_at_value {
            self.follow_value()?;
        }
        self.changed()
    }

    /// Whoever points at a wrong value is asked next about the call that produced it.
    fn follow_value(&mut self) -> Result<(), ApiError> {
        let space = self.session.space();
        let producer = space.hint().filter(|&producer| space.is_askable(producer));
        if let Some(producer) = producer {
            self.session.ask_about(producer)?;
        }
        Ok(())
    }

    /// Trust in everything beside a call.
    pub(super) fn trust_beside(&self, target: Target, scope: Scope) -> Answer {
        let routines = self.calls.routines_beside(target.first(), scope);
        Answer::Trust(TrustScope::Routines(routines))
    }

    /// Takes back the last answer.
    pub(super) fn undo(&mut self, revision: u64) -> Result<(), ApiError> {
        self.check(revision)?;
        if self.session.undo_to_person().is_empty() {
            return Err(ApiError::mistake(
                "there is no answer of yours to take back",
            ));
        }
        self.changed()
    }

    /// Takes back the answer at this place of the log.
    pub(super) fn take_back(&mut self, revision: u64, place: usize) -> Result<(), ApiError> {
        self.check(revision)?;
        let entry = self.session.log().get(place);
        let target = entry
            .and_then(|entry| entry.target())
            .ok_or_else(|| ApiError::missing(format!("there is no answer {place}")))?;
        self.session
            .judge_target(target, Answer::TakenBack, Source::Person)?;
        self.changed()
    }

    /// Makes this call the next question.
    pub(super) fn ask_about(&mut self, target: Target) -> Result<(), ApiError> {
        self.session.ask_about(target)?;
        self.changed()
    }

    /// Doubts the least certain answer, after a diagnosis that is not right.
    pub(super) fn revise(&mut self, revision: u64) -> Result<(), ApiError> {
        self.check(revision)?;
        if self.session.revise()?.is_none() {
            return Err(ApiError::mistake("there is no answer left to doubt"));
        }
        self.changed()
    }

    pub(super) fn set_strategy(&mut self, name: &str) -> Result<(), ApiError> {
        self.session.set_strategy(name)?;
        self.changed()
    }

    /// Switches transformations on and off.
    pub(super) fn transform(&mut self, list: &str) -> Result<(), ApiError> {
        let mut wanted = self.wanted.clone();
        wanted.switch(list)?;
        if wanted.ranges && !self.wanted.ranges {
            self.session.set_strategy(RANGES)?;
        } else if self.wanted.ranges && !wanted.ranges && self.session.strategy_name() == RANGES {
            self.session.set_strategy(strategy::SINGLE_CALLS)?;
        }
        let named = |glob: &_| self.calls.routines_named(glob);
        self.session
            .set_transformations(wanted.transformations(&named));
        self.wanted = wanted;
        self.changed()
    }

    /// Forgets every answer.
    pub(super) fn restart(&mut self) -> Result<(), ApiError> {
        self.session = begin(&self.recording)?;
        inform(&mut self.session, &self.recording);
        self.wanted = Wanted::default();
        self.changed()
    }

    fn check(&self, revision: u64) -> Result<(), ApiError> {
        if revision == self.revision {
            Ok(())
        } else {
            Err(ApiError::outdated())
        }
    }

    /// Counts the change and keeps the answers in the trace, for `askance ask` as well.
    fn changed(&mut self) -> Result<(), ApiError> {
        self.revision += 1;
        Remembered {
            version: 1,
            jvm: self.recording.number(),
            session: self.session.save(),
            transform: self.wanted.to_string(),
        }
        .write(self.recording.folder())
        .map_err(|error| ApiError::ours(format!("the answers cannot be saved: {error}")))
    }
}

/// Says where values come from and what calls covered, for the strategies that can use it.
fn inform(session: &mut Session, recording: &Arc<dyn Recording>) {
    if let Some(origins) = Arc::clone(recording).value_origins() {
        session.set_value_origins(origins);
    }
    for metric in [CoverageMetric::Edges, CoverageMetric::DefUse] {
        if let Some(coverage) = Arc::clone(recording).coverage(metric, false) {
            session.set_coverage(metric, coverage, None);
        }
    }
}

fn begin(recording: &Arc<dyn Recording>) -> Result<Session, SessionError> {
    let tree: Arc<dyn ExecutionTree> = Arc::<dyn Recording>::clone(recording);
    let options = SessionOptions {
        non_termination: recording.was_stopped(),
        trusted: recording.never_asked(),
        ..SessionOptions::default()
    };
    let mut session = Session::new(tree, options)?;
    if let Some(main) = recording.wrong_by_itself() {
        session.judge(main, Answer::No, Source::Run)?;
    }
    Ok(session)
}

/// `None` if what the trace remembers does not fit it.
fn resume(recording: &Arc<dyn Recording>, remembered: Remembered) -> Option<(Session, Wanted)> {
    let tree: Arc<dyn ExecutionTree> = Arc::<dyn Recording>::clone(recording);
    let wanted = Wanted::parse(&remembered.transform).unwrap_or_default();
    let session = Session::resume(tree, remembered.session).ok()?;
    Some((session, wanted))
}
