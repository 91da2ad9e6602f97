//! The session about a run as the browser drives it: every change has a number, so that a page which
//! has not seen the last one cannot answer a question that is no longer asked.
//!
//! A change is quick: those who answer before a person is asked are heard afterwards ([`advisers`]).

mod advisers;

use std::sync::Arc;

use debug_engine::oracle::Cascade;
use debug_engine::session::{
    Answer, Confidence, Diagnosis, LogEntry, SessionError, Source, Step, TrustScope,
};
use debug_engine::transform::NodeKind;
use debug_engine::view::AskedView;
use debug_engine::view::render::Bounds;
use debug_engine::{ExecutionTree, Session, SessionOptions, Target};

use serde::Serialize;
use serde_json::value::RawValue;

use super::inside::{InsideSearch, InsideView, Said};
use crate::failure::ApiError;
pub use advisers::Advisers;
use advisers::Hearing;
use inquiry::Opening;
use inquiry::oracle::memory::Memory;
use inquiry::wanted::Wanted;
use java_model::calls::Blamed;
use java_model::calls::Calls as _;
use java_model::calls::Scope;
use java_model::questions::Questions;
use java_model::recording::Recording;
use java_model::run::JavaRun;

/// Who says something about a call: a person at the page, or an agent.
#[derive(Clone, Copy, Debug)]
pub struct Speaker {
    pub source: Source,
    pub confidence: Option<Confidence>,
}

impl Speaker {
    pub const PERSON: Speaker = Speaker {
        source: Source::Person,
        confidence: None,
    };
}

/// How far a session is, for whoever waits to hear of changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// 0 before there is a session.
    pub revision: u64,
    /// Those who answer before a person are being heard.
    pub thinking: bool,
}

/// See the module's header.
pub struct Questioning {
    recording: Arc<dyn Recording>,
    calls: Questions,
    inner: inquiry::Questioning,
    opening: Opening,
    advisers: Advisers,
    /// Whether what people say is kept for other sessions.
    remembers: bool,
    revision: u64,
    hearing: Hearing,
    /// The session has gone over to a newer snapshot of the run.
    has_moved: bool,
    /// What pages are told of this revision: working out a question takes time, and every page asks.
    shown: Option<Box<RawValue>>,
    /// The search in the call that was found, if somebody wants it.
    inside: Option<InsideSearch>,
}

impl Questioning {
    /// Goes on with the answers that the trace remembers, or starts anew.
    pub fn start(
        recording: Arc<dyn Recording>,
        opening: &Opening,
        oracles: Cascade<'static>,
        memory: Option<Memory>,
    ) -> Result<Questioning, SessionError> {
        let inner = inquiry::Questioning::start(&recording, opening, &mut |_| {})?;
        Ok(Self::of(inner, recording, opening, oracles, memory))
    }

    fn of(
        inner: inquiry::Questioning,
        recording: Arc<dyn Recording>,
        opening: &Opening,
        oracles: Cascade<'static>,
        memory: Option<Memory>,
    ) -> Self {
        Self {
            calls: Questions::new(Arc::clone(&recording)),
            inner,
            recording,
            opening: opening.clone(),
            remembers: memory.is_some(),
            advisers: Advisers::new(oracles, memory),
            revision: 1,
            hearing: Hearing::default(),
            has_moved: false,
            shown: None,
            inside: None,
        }
    }

    /// Takes the session to a newer snapshot of the run; this one takes no answers any more. `translate` gives
    /// answers as they are about the newer one.
    pub fn go_over(
        &mut self,
        newer: &Arc<JavaRun>,
        translate: impl Fn(&[LogEntry]) -> Vec<LogEntry>,
        opening: &Opening,
        oracles: Cascade<'static>,
        memory: Option<Memory>,
    ) -> Result<Questioning, SessionError> {
        let recording: Arc<dyn Recording> = Arc::<JavaRun>::clone(newer);
        let answers = translate(self.session().log());
        let to_remember = translate(&self.inner.to_remember);
        let tree: Arc<dyn ExecutionTree> = Arc::<dyn Recording>::clone(&self.recording);
        let empty = inquiry::Questioning::of(Session::new(tree, SessionOptions::default())?);
        let mut inner = std::mem::replace(&mut self.inner, empty);
        self.has_moved = true;
        inner.go_over(&recording, answers, opening)?;
        inner.to_remember = to_remember;
        Ok(Questioning {
            revision: self.revision + 1,
            ..Self::of(inner, recording, opening, oracles, memory)
        })
    }

    /// What pages are told, if that was worked out since the last change.
    pub fn shown(&self) -> Option<Box<RawValue>> {
        self.shown.clone()
    }

    pub fn keep_shown(&mut self, shown: Box<RawValue>) {
        self.shown = Some(shown);
    }

    /// Whether this is still where the session is.
    pub fn check_current(&self) -> Result<(), ApiError> {
        if self.has_moved {
            Err(ApiError::outdated())
        } else {
            Ok(())
        }
    }

    pub fn revision(&self) -> u64 {
        self.revision
    }

    pub fn standing(&self) -> Standing {
        Standing {
            revision: self.revision,
            thinking: self.is_thinking(),
        }
    }

    pub fn session(&self) -> &Session {
        &self.inner.session
    }

    pub fn wanted(&self) -> &Wanted {
        self.inner.wanted()
    }

    /// The open question, or the diagnosis.
    pub fn step(&mut self) -> Step {
        self.inner.session.poll()
    }

    /// Whatever can be asked about, as a question shows it.
    pub fn asked(&self, target: Target, kind: NodeKind, bounds: Bounds) -> AskedView {
        self.calls.view(target, kind, bounds)
    }

    /// Answers the question that was shown at this revision.
    pub fn answer(&mut self, revision: u64, answer: Answer, by: Speaker) -> Result<(), ApiError> {
        self.check(revision)?;
        match self.inner.session.poll() {
            Step::Ask(question) => self.judge(revision, question.target, answer, by),
            Step::Done(_) => Err(SessionError::NothingAsked.into()),
        }
    }

    /// Judges any call, asked about or not.
    pub fn judge(
        &mut self,
        revision: u64,
        target: Target,
        answer: Answer,
        by: Speaker,
    ) -> Result<(), ApiError> {
        self.check(revision)?;
        let points_at_value = matches!(answer, Answer::WrongPart(_));
        if let Answer::WrongPart(path) = &answer {
            self.calls
                .check_path(target, &path.0)
                .map_err(ApiError::mistake)?;
        }
        let entry = LogEntry::about(target, answer, by.source);
        self.inner
            .session
            .judge_as(entry.with_confidence(by.confidence))?;
        self.remember(target);
        if points_at_value {
            self.inner.follow_value()?;
        }
        self.changed()
    }

    /// Trust in everything beside a call.
    pub fn trust_beside(&self, target: Target, scope: Scope) -> Answer {
        let routines = self.calls.routines_beside(target.first(), scope);
        Answer::Trust(TrustScope::Routines(routines))
    }

    /// Takes back the last answer of whoever says so.
    pub fn undo(&mut self, revision: u64, by: Speaker) -> Result<(), ApiError> {
        self.check(revision)?;
        let session = &mut self.inner.session;
        let undone = match by.source {
            Source::Agent => session.undo_to_agent()?,
            _ => session.undo_to_person(),
        };
        if undone.is_empty() {
            return Err(ApiError::mistake(
                "there is no answer of yours to take back",
            ));
        }
        let by_person = undone.iter().filter(|entry| entry.source == Source::Person);
        for target in by_person.filter_map(LogEntry::target) {
            self.remember(target);
        }
        self.changed()
    }

    /// Takes back the answer at this place of the log.
    pub fn take_back(&mut self, revision: u64, place: usize, by: Speaker) -> Result<(), ApiError> {
        self.check(revision)?;
        let session = &mut self.inner.session;
        match session.log().get(place).map(LogEntry::target) {
            Some(Some(target)) => {
                session.judge_target(target, Answer::TakenBack, by.source)?;
                self.remember(target);
            }
            // Trust by name.
            Some(None) => drop(session.withdraw(place)),
            None => return Err(ApiError::missing(format!("there is no answer {place}"))),
        }
        self.changed()
    }

    /// Makes this call the next question.
    pub fn ask_about(&mut self, target: Target) -> Result<(), ApiError> {
        self.inner.session.ask_about(target)?;
        self.changed()
    }

    /// Doubts the least certain answer, after a diagnosis that is not right.
    pub fn revise(&mut self, revision: u64, by: Speaker) -> Result<(), ApiError> {
        self.check(revision)?;
        let Some(doubted) = self.inner.session.revise_for(by.source)? else {
            return Err(ApiError::mistake("there is no answer left to doubt"));
        };
        if let Some(target) = doubted.target() {
            self.remember(target);
        }
        self.changed()
    }

    pub fn set_strategy(&mut self, name: &str) -> Result<(), ApiError> {
        self.inner.session.set_strategy(name)?;
        self.changed()
    }

    /// Switches transformations on and off.
    pub fn transform(&mut self, list: &str) -> Result<(), ApiError> {
        let mut wanted = self.inner.wanted().clone();
        wanted.switch(list)?;
        self.inner.transform(&self.calls, wanted)?;
        self.changed()
    }

    /// Forgets every answer.
    pub fn restart(&mut self) -> Result<(), ApiError> {
        let opening = &self.opening;
        let fresh = inquiry::Questioning::fresh(&self.recording, opening, &mut |_| {})?;
        let before = std::mem::replace(&mut self.inner, fresh);
        self.inner.to_remember = before.to_remember;
        self.changed()
    }

    /// Notes for other sessions what a person says of a call now, or that it no longer counts.
    fn remember(&mut self, target: Target) {
        if !self.remembers || target.node().is_none() {
            return;
        }
        let said = match self.inner.session.answer_for_target(target) {
            Some(entry) if entry.source == Source::Person => entry.clone(),
            Some(_) => return,
            None => LogEntry::about(target, Answer::TakenBack, Source::Person),
        };
        self.inner.to_remember.push(said);
    }

    /// Goes on inside the call that was found.
    pub fn search_inside(&mut self, revision: u64, said: Said) -> Result<(), ApiError> {
        self.check(revision)?;
        match (&mut self.inside, said) {
            (_, Said::Begin) => {
                let Step::Done(Diagnosis::Found { node }) = self.inner.session.poll() else {
                    return Err(ApiError::mistake("no single call was found yet"));
                };
                let begun = InsideSearch::begin(&self.inner.session, &self.calls, node)?;
                self.inside = Some(begun);
            }
            (_, Said::Leave) => self.inside = None,
            (Some(inside), said) => inside.answer(said)?,
            (None, _) => return Err(ApiError::mistake("no call is being looked into")),
        }
        self.count_change();
        Ok(())
    }

    /// Where the search in the call that was found stands.
    pub fn inside_view(&mut self) -> Option<InsideView> {
        self.inside.as_mut().map(InsideSearch::view)
    }

    /// The piece of the call that is to blame, if the search has come to one.
    pub fn blamed_piece(&mut self) -> Option<Blamed> {
        self.inside.as_mut()?.blamed()
    }

    fn check(&self, revision: u64) -> Result<(), ApiError> {
        if revision == self.revision {
            Ok(())
        } else {
            Err(ApiError::outdated())
        }
    }

    fn count_change(&mut self) {
        self.revision += 1;
        self.shown = None;
    }

    /// Counts the change and keeps the answers in the trace, for `askance ask` as well. The advisers are to be
    /// heard about what is asked now.
    fn changed(&mut self) -> Result<(), ApiError> {
        self.count_change();
        self.inside = None;
        self.hearing.is_due = true;
        self.hearing.trouble = None;
        self.keep().map_err(ApiError::ours)
    }

    fn keep(&self) -> Result<(), String> {
        let kept = self.inner.keep();
        kept.map_err(|error| format!("the answers cannot be saved: {error}"))
    }
}
