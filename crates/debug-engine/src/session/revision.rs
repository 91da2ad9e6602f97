//! "The debugger got it wrong": one of the answers that led to the diagnosis is not true, and the session
//! goes back to the one that is least certain.
//!
//! What passing tests let presume is doubted first: nobody has looked at it. Trust is an assumption about code
//! and not an observation, so it comes next. Then comes what a machine said that may not understand the
//! program, then what a person said before, then what the
//! person says now, and in the end the reference version. What the run itself shows is not doubted.
//! Among answers of the same kind the one that its source was least sure of comes first, then the one closest to the
//! diagnosis in the tree comes first, and among those the latest. An answer is taken back by another entry in the
//! log, so that nothing is forgotten and undo takes the revision back like any answer. No answer is doubted twice.

use std::cmp::Reverse;
use std::collections::HashSet;

use super::{
    Answer, AnswerSource, Confidence, Diagnosis, LogEntry, Reason, Session, SessionError,
    SessionStep,
};
use crate::judgement::Judgement;
use crate::tree::{ExecutionTree, NodeId, Target};

impl Session {
    /// The answers in force that may be doubted, the least certain first.
    pub fn doubtful(&mut self) -> Vec<LogEntry> {
        let blamed = match self.poll() {
            SessionStep::Done(diagnosis) => diagnosis.nodes().first().copied(),
            SessionStep::Ask(_) => None,
        };
        let doubted: HashSet<Target> = self
            .log
            .entries()
            .iter()
            .filter(|entry| entry.answer == Answer::TakenBack)
            .filter_map(LogEntry::target)
            .collect();
        let mut doubtful: Vec<(_, LogEntry)> = (0usize..)
            .zip(self.log.in_force())
            .filter_map(|(position, entry)| {
                let target = entry.target()?;
                let certainty = certainty(entry)?;
                let distance = blamed.map(|node| distance(&*self.tree, node, target.first()));
                let confidence = entry.confidence.unwrap_or(Confidence::UNSAID);
                let key = (certainty, confidence, distance, Reverse(position));
                (!doubted.contains(&target)).then(|| (key, entry.clone()))
            })
            .collect();
        doubtful.sort_by_key(|&(key, _)| key);
        doubtful.into_iter().map(|(_, entry)| entry).collect()
    }

    /// What was said about a target before it was taken back, if nothing is said about it now.
    pub fn said_before(&self, target: Target) -> Option<&LogEntry> {
        if self.answer_for_target(target).is_some() {
            return None;
        }
        let mut entries = self.log.entries().iter().rev();
        entries.find(|entry| entry.target() == Some(target) && entry.answer != Answer::TakenBack)
    }

    /// The answers that a later one about the same target contradicts, each with that one.
    pub fn contradicted(&self) -> Vec<(&LogEntry, &LogEntry)> {
        let decides = |judgement| {
            matches!(
                judgement,
                Judgement::Correct | Judgement::Wrong | Judgement::Inadmissible
            )
        };
        let pairs = self.log.entries().iter().filter_map(|entry| {
            let later = self.answer_for_target(entry.target()?)?;
            Some((entry, later))
        });
        pairs
            .filter(|(entry, later)| {
                let (first, last) = (entry.judgement(), later.judgement());
                first != last && decides(first) && decides(last)
            })
            .collect()
    }

    /// A presumption rules out what is elsewhere, but does not have the last word. A diagnosis rests on all that is
    /// presumed right inside what is known to be wrong: without it, those calls would be suspects as well. So
    /// they become suspects before the diagnosis is told, and the strategy asks about them as about any others, several
    /// at a time if it can. If nothing but what the run itself called wrong (a failed test) would be to blame, or
    /// nothing at all, every presumption is doubtful. Whether there was one; all are taken back in one breath.
    pub fn reopen_presumptions(&mut self) -> bool {
        let SessionStep::Done(diagnosis) = self.poll() else {
            return false;
        };
        if !self.log.has_any_from(AnswerSource::Tests) {
            return false;
        }
        let wrong = self.space.wrong_target();
        let doubtful_part = match (diagnosis, wrong) {
            (Diagnosis::Found { node }, Some(wrong)) if !self.is_symptom(node) => {
                wrong.positions(&*self.tree)
            }
            (Diagnosis::Suspects { .. }, Some(wrong)) => wrong.positions(&*self.tree),
            (Diagnosis::Suspects { .. }, None) => return false,
            _ => 0..self.tree.len(),
        };
        let presumed = self.doubtful().into_iter().filter_map(|entry| {
            let target = entry.target()?;
            let is_doubtful = doubtful_part.contains(&target.first().0);
            (entry.source == AnswerSource::Tests && is_doubtful).then_some(target)
        });
        let presumed: Vec<Target> = presumed.collect();
        for (place, &target) in presumed.iter().enumerate() {
            let entry = LogEntry::about(target, Answer::TakenBack, AnswerSource::Tests);
            self.log.push(LogEntry {
                in_one_breath: place > 0,
                ..entry
            });
        }
        if !presumed.is_empty() {
            self.rebuild();
        }
        !presumed.is_empty()
    }

    /// That a test failed shows that something is wrong, but not that it began in a state that was right: what an
    /// earlier one initialised may be to blame. So before nothing but what the run itself called wrong is blamed, the
    /// calls that set up what it found are asked about, one after the other. Whether there is one left.
    pub fn ask_about_set_up(&mut self) -> Result<bool, SessionError> {
        let SessionStep::Done(Diagnosis::Found { node }) = self.poll() else {
            return Ok(false);
        };
        let Some(origins) = self.origins.clone().filter(|_| self.is_symptom(node)) else {
            return Ok(false);
        };
        let is_open = |call: &NodeId| {
            let is_trusted = self.space.is_trusted(*call);
            !is_trusted && self.judgement(*call) == Judgement::Undefined
        };
        let calls = origins.set_up_before(node);
        let open = calls.into_iter().find(is_open);
        if let Some(call) = open {
            self.ask_because(Target::Node(call), Reason::SetUp)?;
        }
        Ok(open.is_some())
    }

    /// Whether this was presumed right, and taken back because a diagnosis would have rested on it: then it is not
    /// presumed again.
    pub fn is_presumption_doubted(&self, target: Target) -> bool {
        self.said_before(target)
            .is_some_and(|entry| entry.source == AnswerSource::Tests)
    }

    /// Whether the run itself says that this node is wrong.
    fn is_symptom(&self, node: NodeId) -> bool {
        let mut said = self.log.in_force();
        said.any(|entry| {
            let target = entry.target().filter(|_| entry.source == AnswerSource::Run);
            target.is_some_and(|target| target.members(&*self.tree).any(|member| member == node))
        })
    }

    /// Takes back the least certain answer and makes it the next question, for a person. Gives what was
    /// taken back, or `None` if there is nothing left to doubt.
    pub fn revise(&mut self) -> Result<Option<LogEntry>, SessionError> {
        self.revise_for(AnswerSource::Person)
    }

    /// The same on behalf of `source`: an agent does not doubt what a person said.
    pub fn revise_for(&mut self, source: AnswerSource) -> Result<Option<LogEntry>, SessionError> {
        let may_doubt = |entry: &LogEntry| {
            source == AnswerSource::Person || entry.source != AnswerSource::Person
        };
        let Some(entry) = self.doubtful().into_iter().find(may_doubt) else {
            return Ok(None);
        };
        if let Some(target) = entry.target() {
            self.judge_target(target, Answer::TakenBack, source)?;
            self.ask_about(target)?;
        }
        Ok(Some(entry))
    }
}

/// How certain an answer is; `None` if there is nothing to doubt about it.
fn certainty(entry: &LogEntry) -> Option<u8> {
    match (&entry.answer, entry.source) {
        (_, AnswerSource::Run) => None,
        (_, AnswerSource::Tests) => Some(0),
        (Answer::Trust(_), _) => Some(1),
        _ if matches!(entry.judgement(), Judgement::Unknown | Judgement::Undefined) => None,
        (_, AnswerSource::Trusted) => Some(1),
        (_, AnswerSource::Command | AnswerSource::Agent) => Some(2),
        (_, AnswerSource::Memory) => Some(3),
        (_, AnswerSource::Person) => Some(4),
        (_, AnswerSource::Reference) => Some(5),
    }
}

/// The number of steps between two nodes of the tree; nodes without a common ancestor are as far apart
/// as their roots are from them.
fn distance(tree: &dyn ExecutionTree, one: NodeId, other: NodeId) -> u32 {
    let (mut one, mut other) = (Some(one), Some(other));
    let mut steps = 0;
    // In preorder the later one is never an ancestor of the earlier one.
    while one != other {
        let later = if one > other { &mut one } else { &mut other };
        *later = later.and_then(|node| tree.parent(node));
        steps += 1;
    }
    steps
}
