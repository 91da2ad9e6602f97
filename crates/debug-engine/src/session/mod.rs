//! The dialogue as a state machine: `poll` gives a [`Question`] or a [`Diagnosis`], `answer` feeds
//! it (Algorithm 1 of *A Generalized Model*, turned inside out so that it never waits).
//!
//! Rules that hold for every strategy:
//!
//! * A question is asked only where both answers are possible.
//! * The root is asked last. If nobody has said that the run went wrong, the search goes on as if it
//!   had; only when everything but the root is ruled out does the root itself become a question.
//!   Asking it first would cost one question for every bug that is not in it.
//! * Trusted nodes and incomplete nodes are looked through: not asked, not suspected, but their
//!   children are. If the symptom is that the run never ended, open calls are asked as well, and first: see
//!   [`open_calls`].
//! * "Don't know" leaves a node for later. When nothing else is left to ask, what remains is
//!   reported as a set.

mod agent;
mod answer;
mod diagnosis;
mod knowledge;
mod list;
mod log;
mod open_calls;
mod options;
mod reading;
mod revision;
pub(crate) mod searched;
mod suspicion;
mod undo;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, OnceLock};

pub use answer::{Answer, AnswerSource, Confidence, LogEntry, TrustScope};
pub use diagnosis::{Diagnosis, Question, SessionStep};
pub use options::{SavedSession, SessionError, SessionOptions};
pub use reading::QuestionCost;

pub use crate::judgement::ValuePath;
pub use crate::strategy::Reason;

use crate::judgement::Judgement;
use crate::strategy::{self, Choice, SearchSpace, Strategy, ValueOrigin, evaluate_space};
use crate::transform::{NodeKind, Transformations, kind_of};
use crate::tree::{ExecutionTree, NodeId, RoutineId, Target};
use log::Log;
use searched::{OverlayCache, Searched};
use suspicion::Suspicion;

/// Up to this many suspects, the number of questions left is counted instead of guessed.
const FEW_SUSPECTS: u64 = 64;

/// A debugging session over one execution tree.
pub struct Session {
    tree: Arc<dyn ExecutionTree>,
    options: SessionOptions,
    strategy: Box<dyn Strategy>,
    log: Log,
    /// Over the base tree: what the answers say.
    space: SearchSpace,
    overlays: OverlayCache,
    suspicion: Suspicion,
    /// The nodes that are open, once somebody has asked.
    open: OnceLock<Vec<NodeId>>,
    origins: Option<Arc<dyn ValueOrigin>>,
    cost: Option<Arc<dyn QuestionCost>>,
    /// What is asked next whatever the strategy thinks, and why.
    requested: Option<(Target, Reason)>,
    current: Option<SessionStep>,
}

impl Session {
    /// Starts a session.
    pub fn new(
        tree: Arc<dyn ExecutionTree>,
        options: SessionOptions,
    ) -> Result<Self, SessionError> {
        Self::replay(tree, options, Vec::new())
    }

    /// Starts a session and gives it these answers, as if they had been given one by one.
    pub fn replay(
        tree: Arc<dyn ExecutionTree>,
        options: SessionOptions,
        answers: impl IntoIterator<Item = LogEntry>,
    ) -> Result<Self, SessionError> {
        let strategy = strategy::by_name_or_default(&options.strategy)?;
        if let Some(root) = options.root {
            check_exists(&*tree, root)?;
        }
        let space = SearchSpace::empty(Arc::clone(&tree));
        let mut session = Session {
            tree,
            options,
            strategy,
            log: Log::default(),
            space,
            overlays: OverlayCache::default(),
            suspicion: Suspicion::default(),
            open: OnceLock::new(),
            origins: None,
            cost: None,
            requested: None,
            current: None,
        };
        for entry in answers {
            session.check_entry(&entry)?;
            session.log.push(entry);
        }
        session.rebuild();
        Ok(session)
    }

    /// Takes up a saved session.
    pub fn resume(tree: Arc<dyn ExecutionTree>, saved: SavedSession) -> Result<Self, SessionError> {
        Self::replay(tree, saved.options, saved.answers)
    }

    /// What to write down in order to go on later.
    pub fn save(&self) -> SavedSession {
        SavedSession {
            options: self.options.clone(),
            answers: self.log.entries().to_vec(),
        }
    }

    /// The open question, or the diagnosis. Asking again without an answer gives the same.
    pub fn poll(&mut self) -> SessionStep {
        if let Some(step) = &self.current {
            return step.clone();
        }
        let step = tracing::debug_span!("question").in_scope(|| self.next_step());
        self.current = Some(step.clone());
        step
    }

    /// Answers the open question as a person.
    pub fn answer(&mut self, answer: Answer) -> Result<(), SessionError> {
        self.answer_from(AnswerSource::Person, answer)
    }

    /// Answers the open question on behalf of `source`.
    pub fn answer_from(
        &mut self,
        source: AnswerSource,
        answer: Answer,
    ) -> Result<(), SessionError> {
        match self.poll() {
            SessionStep::Ask(question) => self.judge_question(&question, answer, source, None),
            SessionStep::Done(_) => Err(SessionError::NothingAsked),
        }
    }

    /// Judges any node, asked about or not. A later answer about a node overrules an earlier one.
    pub fn judge(
        &mut self,
        node: NodeId,
        answer: Answer,
        source: AnswerSource,
    ) -> Result<(), SessionError> {
        self.judge_target(Target::Node(node), answer, source)
    }

    /// The same for a node, for siblings of one chain, or for a piece of a call.
    pub fn judge_target(
        &mut self,
        target: Target,
        answer: Answer,
        source: AnswerSource,
    ) -> Result<(), SessionError> {
        self.judge_as(LogEntry::about(target, answer, source))
    }

    /// The same with all that is known of the answer.
    pub fn judge_as(&mut self, entry: LogEntry) -> Result<(), SessionError> {
        self.check_entry(&entry)?;
        if entry.source == AnswerSource::Agent {
            self.check_no_person_contradicted(&entry)?;
        }
        self.record(entry);
        Ok(())
    }

    /// Trusts a set of routines without a question about any of them.
    pub fn trust(&mut self, routines: BTreeSet<RoutineId>, source: AnswerSource) {
        let answer = Answer::Trust(TrustScope::Routines(routines));
        self.record(LogEntry::unaddressed(answer, source));
    }

    /// Makes this node, or this stretch of siblings, the next question, whatever the strategy thinks.
    /// The choice lasts until the next answer, undo or change of strategy.
    pub fn ask_about(&mut self, target: impl Into<Target>) -> Result<(), SessionError> {
        self.ask_because(target.into(), Reason::Requested)
    }

    fn ask_because(&mut self, target: Target, reason: Reason) -> Result<(), SessionError> {
        self.check_judgeable(target)?;
        self.requested = Some((target, reason));
        self.current = None;
        Ok(())
    }

    /// Goes on with a question that was open before more of the tree was known, unless it has lost its meaning:
    /// whether it is asked.
    pub fn keep_asking(&mut self, target: Target, beside: Vec<NodeId>) -> bool {
        let asked = std::iter::once(target).chain(beside.iter().copied().map(Target::Node));
        let is_open = |target: Target| {
            self.check_judgeable(target).is_ok() && self.space.weight_of(target) > 0
        };
        let is_kept = asked.into_iter().all(is_open);
        if is_kept {
            let choice = Choice { target, beside };
            self.current = Some(self.ask_in_base(choice, Reason::Strategy));
        }
        is_kept
    }

    /// Goes on with another strategy.
    pub fn set_strategy(&mut self, name: &str) -> Result<(), SessionError> {
        self.strategy = strategy::by_name_or_default(name)?;
        self.options.strategy = self.strategy.name().to_owned();
        self.requested = None;
        self.current = None;
        Ok(())
    }

    /// Goes on in another tree of the same execution. No answer is lost, and nothing keeps the session
    /// from going back.
    pub fn set_transformations(&mut self, transformations: Transformations) {
        self.options.transformations = transformations;
        self.rebuild();
    }

    /// Name of the strategy in use.
    pub fn strategy_name(&self) -> &'static str {
        self.strategy.name()
    }

    /// Looks at the tree again, which has grown since.
    pub fn refresh(&mut self) {
        self.open = OnceLock::new();
        let knowledge = std::mem::take(self.space.knowledge_mut());
        self.space = SearchSpace::empty(Arc::clone(&self.tree));
        *self.space.knowledge_mut() = knowledge;
        self.rebuild();
    }

    /// The tree that is searched.
    pub fn tree(&self) -> &Arc<dyn ExecutionTree> {
        &self.tree
    }

    /// Where the search stands, in terms of the tree as it was recorded.
    pub fn space(&self) -> &SearchSpace {
        &self.space
    }

    /// How the session was started (with the strategy that is in use now).
    pub fn options(&self) -> &SessionOptions {
        &self.options
    }

    /// What is said about a node itself. That it was ruled out together with an ancestor is not a
    /// judgement; ask [`SearchSpace::is_suspect`] for that.
    pub fn judgement(&self, node: NodeId) -> Judgement {
        if let Some(entry) = self.answer_for(node) {
            return entry.judgement();
        }
        let is_inlined = || {
            let inlined = &self.options.transformations.inlined;
            inlined.contains(&self.tree.routine(node))
        };
        if self.space.is_trusted(node) && !is_inlined() {
            return Judgement::Trusted;
        }
        if self.known_wrong_root() == Some(node) {
            return Judgement::Wrong;
        }
        Judgement::Undefined
    }

    /// The answer that is in force for a node, with its source.
    pub fn answer_for(&self, node: NodeId) -> Option<&LogEntry> {
        self.answer_for_target(Target::Node(node))
    }

    /// The same for a node or for siblings taken together.
    pub fn answer_for_target(&self, target: Target) -> Option<&LogEntry> {
        self.log
            .latest(target)
            .filter(|entry| entry.answer != Answer::TakenBack)
    }

    /// Whether the answer at this place of the log counts: no later one about the same overrules it, and it takes
    /// nothing back itself.
    pub fn is_in_force(&self, place: usize) -> bool {
        self.log.is_in_force(place)
    }

    /// Every answer, overruled ones included, in order.
    pub fn log(&self) -> &[LogEntry] {
        self.log.entries()
    }

    /// The routine that is to blame although its calls cannot be told apart: something is known to be wrong, and all
    /// suspects that are left are calls of this one.
    pub fn only_routine(&self, diagnosis: &Diagnosis) -> Option<RoutineId> {
        let Diagnosis::Suspects { nodes } = diagnosis else {
            return None;
        };
        let mut routines = nodes.iter().map(|&node| self.tree.routine(node));
        let first = routines.next().filter(|_| self.space.is_known_wrong())?;
        routines.all(|routine| routine == first).then_some(first)
    }

    /// How many answers each source has given, with those that were taken back later: they were asked
    /// for. Taking one back is no answer.
    pub fn counts(&self) -> BTreeMap<AnswerSource, usize> {
        self.log.counts()
    }

    /// The strategy chooses in the transformed tree. When that has nothing left to tell apart,
    /// collapsed and compressed nodes are opened again: the search goes on in the base tree.
    fn next_step(&mut self) -> SessionStep {
        if let Some((target, reason)) = self.requested {
            return self.ask_in_base(Choice::one(target), reason);
        }
        let first = self.open_question().or_else(|| self.suspicious_question());
        if let Some(target) = first {
            return self.ask_in_base(Choice::one(target), Reason::Strategy);
        }
        let transformations = &self.options.transformations;
        let searched = self.overlays.search(transformations, &self.space);
        let open_again = searched.is_none() || transformations.open_again;
        if let Some(Searched { overlay, space }) = searched
            && let Some((choice, reason)) = strategy::next_question(&space, &mut *self.strategy)
        {
            let target = choice.target;
            let in_base = overlay.to_base(target);
            let kind = match target {
                Target::Node(node) => overlay.kind(node),
                _ => kind_of(in_base),
            };
            return SessionStep::Ask(self.question(&space, target, in_base, kind, reason));
        }
        if open_again
            && let Some((choice, reason)) =
                strategy::next_question(&self.space, &mut *self.strategy)
        {
            let is_weighed = reason != Reason::Strategy || self.strategy.weighs_effort();
            let choice = match is_weighed {
                true => choice,
                false => Choice::one(self.most_told(choice.target)),
            };
            return self.ask_in_base(choice, reason);
        }
        SessionStep::Done(self.diagnosis())
    }

    fn ask_in_base(&self, choice: Choice, reason: Reason) -> SessionStep {
        let Choice { target, beside } = choice;
        let is_doubted = reason == Reason::Strategy && self.is_presumption_doubted(target);
        let reason = if is_doubted { Reason::Presumed } else { reason };
        let question = self.question(&self.space, target, target, kind_of(target), reason);
        let weight = |&node: &NodeId| self.space.weight(node);
        let inside = question.suspects_after_no + beside.iter().map(weight).sum::<u64>();
        SessionStep::Ask(Question {
            suspects_after_yes: question.suspects_left - inside,
            suspects_after_no: inside,
            beside,
            ..question
        })
    }

    fn question(
        &self,
        space: &SearchSpace,
        target: Target,
        in_base: Target,
        kind: NodeKind,
        reason: Reason,
    ) -> Question {
        let suspects_left = space.suspects();
        let inside = space.weight_of(target);
        Question {
            node: in_base.first(),
            target: in_base,
            beside: Vec::new(),
            kind,
            suspects_left,
            suspects_after_yes: suspects_left - inside,
            suspects_after_no: inside,
            questions_left_estimate: self.questions_left(space),
            reason,
        }
    }

    /// With few suspects left, the strategy, or one that is like it, is played to the end for each of
    /// them; before that, its own estimate has to do.
    fn questions_left(&self, space: &SearchSpace) -> u32 {
        let few = space.suspects() <= FEW_SUSPECTS;
        let stand_in = few
            .then(|| strategy::stand_in(self.strategy.name()))
            .flatten();
        match stand_in {
            Some(mut stand_in) => {
                let average = evaluate_space(space.fork(), &mut *stand_in).average();
                (average.round() as u32).max(1)
            }
            None => self.strategy.questions_left(space),
        }
    }

    fn diagnosis(&self) -> Diagnosis {
        let mut nodes = self.space.suspects_in_order();
        match (nodes.next(), nodes.next()) {
            (None, _) => Diagnosis::None,
            (Some(node), None) if self.space.is_known_wrong() => Diagnosis::Found { node },
            _ => Diagnosis::Suspects {
                nodes: self.space.suspects_in_order().collect(),
            },
        }
    }

    fn record(&mut self, entry: LogEntry) {
        tracing::debug!(?entry, "answer");
        let plain = !matches!(entry.answer, Answer::Trust(_));
        let tells_what_is_wrong = entry.source == AnswerSource::Run
            || matches!(entry.answer, Answer::WrongPart(_) | Answer::Inadmissible);
        let judged = entry.target().map(|target| (target, entry.judgement()));
        // What the run said about its root counts as an earlier answer.
        let run_says = self.known_wrong_root().map(Target::Node);
        let overrules_run = judged.is_some_and(|(target, _)| run_says == Some(target));
        let overrules = self.log.push(entry) || overrules_run;
        self.requested = None;
        self.current = None;
        match judged {
            Some((target, judgement))
                if plain && !overrules && !self.lets_go_on(target, judgement) =>
            {
                self.space.judge(target, judgement);
            }
            _ => self.rebuild(),
        }
        if tells_what_is_wrong {
            self.follow_wrong_part();
        }
    }

    /// Works out the search space from the answers in force.
    fn rebuild(&mut self) {
        self.requested = None;
        self.current = None;
        let mut trusted = self.log.trusted_routines(&*self.tree);
        trusted.extend(&self.options.trusted);
        trusted.extend(&self.options.transformations.inlined);
        self.overlays.clear();
        let options = &self.options;
        let rightly_open = self.rightly_open();
        self.space.reset(
            options.root,
            options.non_termination,
            &trusted,
            rightly_open,
        );
        if let Some(root) = self.known_wrong_root()
            && self.answer_for(root).is_none()
        {
            self.space.assume_wrong(root.into());
        }
        for entry in self.log.in_force() {
            if let Some(target) = entry.target()
                && !self.lets_go_on(target, entry.judgement())
            {
                self.space.judge(target, entry.judgement());
            }
        }
        self.follow_wrong_part();
    }

    fn known_wrong_root(&self) -> Option<NodeId> {
        self.options.known_wrong_root(&*self.tree)
    }

    /// Whether there can be such an answer. What the run itself shows to be wrong is so even if some of it has not
    /// ended: a test that threw, and left threads behind that wait for ever.
    fn check_entry(&self, entry: &LogEntry) -> Result<(), SessionError> {
        match entry.target() {
            Some(target) if entry.source == AnswerSource::Run => self.check_exists(target),
            Some(target) => self.check_judgeable(target),
            None => Ok(()),
        }
    }

    fn check_judgeable(&self, target: Target) -> Result<(), SessionError> {
        self.check_exists(target)?;
        let last = target.last();
        if !self.options.non_termination && !self.tree.is_complete(last) {
            return Err(SessionError::Incomplete(last));
        }
        Ok(())
    }

    fn check_exists(&self, target: Target) -> Result<(), SessionError> {
        let (first, last) = (target.first(), target.last());
        check_exists(&*self.tree, first)?;
        check_exists(&*self.tree, last)?;
        let parent = self.tree.parent(first);
        let has_caller = parent.is_some() || !target.is_piece();
        if first > last || parent != self.tree.parent(last) || !has_caller {
            return Err(SessionError::NotSiblings(first, last));
        }
        Ok(())
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("options", &self.options)
            .field("strategy", &self.strategy.name())
            .field("log", &self.log.entries())
            .field("space", &self.space)
            .finish_non_exhaustive()
    }
}

fn check_exists(tree: &dyn ExecutionTree, node: NodeId) -> Result<(), SessionError> {
    if node.0 < tree.len() {
        Ok(())
    } else {
        Err(SessionError::NoSuchNode(node, tree.len()))
    }
}
