//! The session about a run as the browser drives it: every change has a number, so that a page which
//! has not seen the last one cannot answer a question that is no longer asked.
//!
//! A change is quick: those who answer before a person is asked are heard afterwards ([`advisers`]).

mod advisers;

use std::sync::Arc;

use debug_engine::oracle::Cascade;
use debug_engine::session::{LogEntry, Question, SessionError, SessionStep};
use debug_engine::transform::NodeKind;
use debug_engine::view::AskedView;
use debug_engine::view::render::Bounds;
use debug_engine::{ExecutionTree, NodeId, Session, SessionOptions, Target};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::value::RawValue;

use super::failure::ApiError;
use super::inside::InsideView;
pub use advisers::Advisers;
use advisers::Hearing;
use inquiry::Opening;
use inquiry::chosen_transformations::ChosenTransformations;
pub use inquiry::command::Speaker;
use inquiry::command::{Command, Outcome};
use inquiry::explained::CallWeight;
use inquiry::oracle::memory::Memory;
use inquiry::reply::Topic;
use inquiry::shown::list_of;
use java_analysis::calls::Blamed;
use java_analysis::calls::Calls;
use java_analysis::questions::Questions;
use java_analysis::recording::Recording;
use java_model::follow::{moved_target, translated};
use java_model::run::JavaRun;

/// How far a session is, for whoever waits to hear of changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SessionProgress {
    /// 0 before there is a session.
    pub revision: u64,
    /// Those who answer before a person are being heard.
    pub thinking: bool,
}

/// What becomes of the open question when more of a run is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenQuestion {
    /// Somebody reads it, so it stays.
    Stays,
    /// It was answered, or there is none: whatever is best is asked next.
    ChosenAnew,
}

/// See the module's header.
pub struct SharedQuestioning {
    recording: Arc<dyn Recording>,
    calls: Questions,
    inner: inquiry::Questioning,
    opening: Opening,
    advisers: Advisers,
    revision: u64,
    /// The revision since which the same is asked, however much more of the run is known by now.
    asked_since: u64,
    hearing: Hearing,
    /// The session has gone over to a newer snapshot of the run.
    has_moved: bool,
    /// The answers that starting anew has forgotten, until something else is said.
    forgotten: Vec<LogEntry>,
    /// What pages are told of this revision: working out a question takes time, and every page asks.
    shown: Option<Box<RawValue>>,
}

impl SharedQuestioning {
    /// Goes on with the answers that the trace remembers, or starts anew.
    pub fn start(
        recording: Arc<dyn Recording>,
        opening: &Opening,
        oracles: Cascade<'static>,
        memory: Option<Memory>,
    ) -> Result<SharedQuestioning, SessionError> {
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
        let mut inner = inner;
        if memory.is_some() {
            inner.note_for_others();
        }
        Self {
            calls: Questions::new(Arc::clone(&recording)),
            inner,
            recording,
            opening: opening.clone(),
            advisers: Advisers::new(oracles, memory),
            revision: 1,
            asked_since: 1,
            hearing: Hearing::default(),
            has_moved: false,
            forgotten: Vec::new(),
            shown: None,
        }
    }

    /// Takes the session from one snapshot of the run to a newer one; this one takes no answers any more.
    pub fn go_over(
        &mut self,
        before: Option<&JavaRun>,
        newer: &Arc<JavaRun>,
        question: OpenQuestion,
        opening: &Opening,
        oracles: Cascade<'static>,
        memory: Option<Memory>,
    ) -> Result<SharedQuestioning, SessionError> {
        let recording: Arc<dyn Recording> = Arc::<JavaRun>::clone(newer);
        let translate = |answers: &[LogEntry]| match before {
            Some(before) => translated(answers, before, newer),
            None => Vec::new(),
        };
        let moved = |target| moved_target(target, before?, newer);
        let asked = match (question, &self.inner.step()) {
            (OpenQuestion::Stays, SessionStep::Ask(asked)) => {
                asked.targets().map(moved).collect::<Option<Vec<Target>>>()
            }
            _ => None,
        };
        let answers = translate(self.session().log());
        let to_remember = translate(&self.inner.to_remember);
        let tree: Arc<dyn ExecutionTree> = Arc::<dyn Recording>::clone(&self.recording);
        let empty = inquiry::Questioning::of(Session::new(tree, SessionOptions::default())?);
        let mut inner = std::mem::replace(&mut self.inner, empty);
        self.has_moved = true;
        inner.go_over(&recording, answers, opening)?;
        inner.to_remember = to_remember;
        let is_kept = asked.is_some_and(|asked| {
            let mut asked = asked.into_iter();
            let first = asked.next();
            first.is_some_and(|first| inner.keep_asking(first, asked.map(Target::first).collect()))
        });
        let revision = self.revision + 1;
        Ok(SharedQuestioning {
            revision,
            asked_since: if is_kept { self.asked_since } else { revision },
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

    /// The revision since which the same is asked.
    pub fn asked_since(&self) -> u64 {
        self.asked_since
    }

    pub fn standing(&self) -> SessionProgress {
        SessionProgress {
            revision: self.revision,
            thinking: self.is_thinking(),
        }
    }

    pub fn session(&self) -> &Session {
        self.inner.session()
    }

    pub fn chosen_transformations(&self) -> &ChosenTransformations {
        self.inner.chosen_transformations()
    }

    /// The open question, or the diagnosis.
    pub fn step(&mut self) -> SessionStep {
        self.inner.step()
    }

    /// Whatever can be asked about, as a question shows it.
    pub fn asked(&self, target: Target, kind: NodeKind, bounds: Bounds) -> AskedView {
        self.calls.view(target, kind, bounds)
    }

    /// The calls that a question about several lists, each in one line.
    pub fn listed(&self, question: &Question, bounds: Bounds) -> Vec<(NodeId, String)> {
        let lines = list_of(question, &self.calls, bounds);
        let nodes = question.targets().map(Target::first);
        nodes.zip(lines).collect()
    }

    /// The same as a text, each with its number.
    pub fn list_of(&self, question: &Question, bounds: Bounds) -> String {
        let calls = self.listed(question, bounds).into_iter();
        let numbered = calls.map(|(node, line)| format!("#{node} {line}"));
        numbered.collect::<Vec<_>>().join("\n")
    }

    /// What is asked now, in lines as a terminal shows it: about a piece of the call that was found, if that is being
    /// searched. `None` if nothing is left to ask there.
    pub fn question_text(&mut self, bounds: Bounds) -> Option<String> {
        if let Some(search) = self.inner.inside() {
            let (pieces, inside) = search.parts();
            return match pieces.step() {
                SessionStep::Ask(question) => Some(pieces.text_of(&question, inside, bounds)),
                SessionStep::Done(_) => None,
            };
        }
        match self.inner.step() {
            SessionStep::Ask(question) => Some(self.inner.text_of(&question, &self.calls, bounds)),
            SessionStep::Done(_) => None,
        }
    }

    /// The answers so far in one line each, numbered as they are taken back.
    #[must_use]
    pub fn answer_lines(&self, bounds: Bounds) -> Vec<String> {
        inquiry::shown::answer_lines(&self.inner, &self.calls, bounds)
    }

    /// What is known beside the question, in lines; values are those of a call.
    #[must_use]
    pub fn told(&self, topic: &Topic, node: NodeId, bounds: Bounds) -> String {
        inquiry::shown::told(topic, self.session(), &self.calls, node, bounds)
    }

    /// Whether the inside of the call that was found is being searched.
    pub fn is_inside(&mut self) -> bool {
        self.inner.inside().is_some()
    }

    /// Why a question is asked, if more than the number of suspects decided.
    pub fn why_asked(&self, question: &Question) -> Option<String> {
        self.inner.why_asked(question)
    }

    /// What is known of calls.
    pub fn calls(&self) -> &dyn Calls {
        &self.calls
    }

    /// What calls weigh to the strategy, if it halves weights, and what all of them weigh.
    pub fn weights(&self) -> Option<(f64, Vec<CallWeight>)> {
        self.inner.weights()
    }

    /// Does what was said about what was shown at this revision, or whatever is shown if none is named.
    pub fn apply(
        &mut self,
        revision: Option<u64>,
        command: Command,
        by: Speaker,
    ) -> Result<Outcome, ApiError> {
        // What is said to the question itself names no call, so it means the same in a newer snapshot.
        let is_to_question = matches!(command, Command::Answer(_) | Command::AnswerOne(..));
        let since = match is_to_question {
            true => self.asked_since,
            false => self.revision,
        };
        if revision.is_some_and(|revision| !(since..=self.revision).contains(&revision)) {
            return Err(ApiError::outdated());
        }
        let was_inside = self.inner.inside().is_some();
        let outcome = self.inner.apply(&self.calls, command, by)?;
        self.forgotten.clear();
        self.count_change();
        // Nobody has anything to say about the pieces of a call before a person does.
        if !was_inside && self.inner.inside().is_none() {
            self.hearing.is_due = true;
            self.hearing.trouble = None;
        }
        Ok(outcome)
    }

    /// Forgets every answer, until [`Self::bring_back`] or until something else is said.
    pub fn restart(&mut self) -> Result<(), ApiError> {
        self.forgotten = self.session().log().to_vec();
        let opening = &self.opening;
        let fresh = inquiry::Questioning::fresh(&self.recording, opening, &mut |_| {})?;
        let before = std::mem::replace(&mut self.inner, fresh);
        self.inner.take_over_memory(before);
        if opening.follows_assertion {
            self.inner.follow_assertion(&mut |_| {})?;
        }
        self.count_change();
        self.hearing.is_due = true;
        self.hearing.trouble = None;
        self.keep().map_err(ApiError::ours)
    }

    /// How many answers can be brought back.
    pub fn forgotten(&self) -> usize {
        self.forgotten.len()
    }

    /// Takes back that every answer was forgotten.
    pub fn bring_back(&mut self) -> Result<(), ApiError> {
        if self.forgotten.is_empty() {
            return Err(ApiError::mistake(
                "no answers can be brought back: they were not forgotten just now",
            ));
        }
        let answers = std::mem::take(&mut self.forgotten);
        self.inner
            .go_over(&self.recording, answers, &self.opening)?;
        self.count_change();
        self.hearing.is_due = true;
        self.keep().map_err(ApiError::ours)
    }

    /// Where the search in the call that was found stands.
    pub fn inside_view(&mut self) -> Option<InsideView> {
        self.inner.inside().map(InsideView::of)
    }

    /// The piece of the call that is to blame, if the search has come to one.
    pub fn blamed_piece(&mut self) -> Option<Blamed> {
        self.inner.inside()?.blamed()
    }

    fn count_change(&mut self) {
        self.revision += 1;
        self.asked_since = self.revision;
        self.shown = None;
    }

    fn keep(&self) -> Result<(), String> {
        let kept = self.inner.keep();
        kept.map_err(|error| format!("the answers cannot be saved: {error}"))
    }
}
