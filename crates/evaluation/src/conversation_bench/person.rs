//! A person who knows what every call should have done, and says so when asked.
//!
//! What is right is what the working version does. The person knows which methods have the mistake, and has a run of
//! the working version. From that follows, and in this order:
//!
//! * a call in which no wrong code ran is right: the working version would have done the same with what it was given
//!   (one that had not ended when the program was stopped should not have been made like that);
//! * a call is what the [comparison](Reference::difference) of the two runs says of it, where it began in both runs in
//!   the same state;
//! * a call that was given what looks the same to a reader as what the working version was given is [what that was
//!   then](super::alike);
//! * a call in which all the wrong code ran that the symptom can come from is wrong: had it been right, there would be
//!   no symptom;
//! * a call that began as none of the working version did, after another one that was compared and is wrong, should not
//!   have been made like that: what is wrong is not in it alone, and lasts from before.
//!
//! What follows from none of these, the person does not know. No answer is a guess; the one assumption is that what
//! else differs between two releases of a library is no mistake. Answers are kept beside the recording, because
//! comparing runs takes much longer than asking.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use debug_engine::session::{Answer, Question};
use debug_engine::{ExecutionTree as _, NodeId, RoutineId, Target};
use frame_replay::CodeCoverage;
use inquiry::command::{Command, Verdict};
use inquiry::oracle::reference::Reference;
use java_model::run::JavaRun;
use serde::{Deserialize, Serialize};
use trace_format::MethodId;

use super::alike::Alike;
use super::case::{Case, MethodName};
use super::recordings::open;
use crate::record_bench::BenchError;

/// Stretches of more calls are looked at so far.
const MOST_MEMBERS: usize = 1000;
/// With more calls of wrong code than this it is not looked which of them came to the same as those of the other run.
const MOST_CULPRITS: usize = 300;
/// The person's answers, beside the recording.
const FILE: &str = "what-is-true.json";

/// See the module's header.
pub(super) struct Person {
    run: Arc<JavaRun>,
    /// The calls that ran wrong code of their own, in preorder.
    culprits: Vec<NodeId>,
    reference_trace: PathBuf,
    reference: Option<Reference>,
    alike: Option<Alike>,
    known: BTreeMap<u32, Truth>,
    file: PathBuf,
    has_learnt: bool,
}

/// What is known of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Truth {
    Right,
    Wrong,
    Inadmissible,
    Unknown,
}

impl Truth {
    fn verdict(self) -> Verdict {
        match self {
            Truth::Right => Verdict::Right,
            Truth::Wrong => Verdict::Wrong,
            Truth::Inadmissible => Verdict::Inadmissible,
            Truth::Unknown => Verdict::Unknown,
        }
    }
}

impl Person {
    /// Whoever knows the run of a case, which lies in this folder.
    pub(super) fn new(run: Arc<JavaRun>, case: &Case, folder: &Path) -> Person {
        let file = folder.join(FILE);
        let known = fs::read(&file).ok();
        let known = known.and_then(|known| serde_json::from_slice(&known).ok());
        Person {
            culprits: culprits(&run, case),
            run,
            reference_trace: case.reference.clone(),
            reference: None,
            alike: None,
            known: known.unwrap_or_default(),
            file,
            has_learnt: false,
        }
    }

    /// What is said to a question.
    pub(super) fn answer(&mut self, question: &Question) -> Result<Command, BenchError> {
        if question.is_list() {
            return self.answer_list(question);
        }
        Ok(Command::Answer(match question.target {
            Target::Node(node) => self.truth(node)?.verdict(),
            several => self.answer_together(several)?,
        }))
    }

    /// Of calls side by side, the one that is wrong is pointed at, or else the first that is not right.
    fn answer_list(&mut self, question: &Question) -> Result<Command, BenchError> {
        let mut odd = None;
        for (number, target) in (1..).zip(question.targets()) {
            match self.truth(target.first())? {
                Truth::Right => {}
                Truth::Wrong => return Ok(Command::AnswerOne(number, Verdict::Wrong)),
                other => odd = odd.or(Some((number, other))),
            }
        }
        Ok(match odd {
            Some((number, truth)) => Command::AnswerOne(number, truth.verdict()),
            None => Command::Answer(Verdict::Right),
        })
    }

    /// Calls taken together are right if all of them are, and wrong if one of them is.
    fn answer_together(&mut self, several: Target) -> Result<Verdict, BenchError> {
        let run = Arc::clone(&self.run);
        let mut members = several.members(&*run);
        let mut all_right = true;
        for node in members.by_ref().take(MOST_MEMBERS) {
            match self.truth(node)? {
                Truth::Right => {}
                Truth::Wrong => return Ok(Verdict::Wrong),
                Truth::Inadmissible | Truth::Unknown => all_right = false,
            }
        }
        let is_right = all_right && members.next().is_none();
        Ok(if is_right {
            Verdict::Right
        } else {
            Verdict::Unknown
        })
    }

    fn truth(&mut self, node: NodeId) -> Result<Truth, BenchError> {
        if let Some(&known) = self.known.get(&node.0) {
            return Ok(known);
        }
        let truth = self.find_out(node)?;
        self.known.insert(node.0, truth);
        self.has_learnt = true;
        Ok(truth)
    }

    fn find_out(&mut self, node: NodeId) -> Result<Truth, BenchError> {
        let has_culprit = !self.culprits_in(self.positions(node)).is_empty();
        let has_ended = self.run.call(node).is_some_and(|call| call.exit.is_some());
        if !has_culprit && has_ended && !self.culprits.is_empty() {
            return Ok(Truth::Right);
        }
        let compared = self.compared(node)?;
        if compared != Truth::Unknown || self.culprits.is_empty() {
            return Ok(compared);
        }
        if !has_culprit {
            return Ok(Truth::Inadmissible);
        }
        if let Some(is_right) = self.alike(node)? {
            return Ok(match is_right {
                true => Truth::Right,
                false => Truth::Wrong,
            });
        }
        if self.has_all_that_is_wrong(node)? {
            return Ok(Truth::Wrong);
        }
        let is_led_astray = self.follows_what_is_wrong(node)?;
        Ok(match is_led_astray {
            true => Truth::Inadmissible,
            false => Truth::Unknown,
        })
    }

    /// What the run of the working version says of a call.
    fn compared(&mut self, node: NodeId) -> Result<Truth, BenchError> {
        let reference = match &mut self.reference {
            Some(reference) => reference,
            None => {
                let theirs = Arc::new(open(&self.reference_trace)?);
                let reference = Reference::new(Arc::clone(&self.run), theirs);
                self.reference.insert(reference)
            }
        };
        Ok(match reference.difference(node) {
            Some(Answer::Yes) => Truth::Right,
            Some(Answer::No | Answer::WrongPart(_)) => Truth::Wrong,
            Some(Answer::Inadmissible) => Truth::Inadmissible,
            _ => Truth::Unknown,
        })
    }

    /// Whether a call came to what the working version did with what looks the same.
    fn alike(&mut self, node: NodeId) -> Result<Option<bool>, BenchError> {
        let alike = match &mut self.alike {
            Some(alike) => alike,
            None => {
                let theirs = Arc::new(open(&self.reference_trace)?);
                self.alike.insert(Alike::new(Arc::clone(&self.run), theirs))
            }
        };
        Ok(alike.is_right(node))
    }

    /// Whether a call, or one of its callers, stands behind a sibling that is wrong, and no call of the working version
    /// began as it did.
    fn follows_what_is_wrong(&mut self, node: NodeId) -> Result<bool, BenchError> {
        let run = Arc::clone(&self.run);
        let earlier = self.culprits_in(0..node.0);
        let earlier: Vec<NodeId> = earlier.iter().copied().take(MOST_CULPRITS).collect();
        let mut compared = BTreeSet::new();
        for culprit in earlier {
            // The outermost call around it that is over when the one in question begins.
            let around = std::iter::successors(Some(culprit), |&node| run.parent(node));
            let is_over = |&node_around: &NodeId| self.positions(node_around).end <= node.0;
            let Some(outermost) = around.take_while(is_over).last() else {
                continue;
            };
            if compared.insert(outermost) && self.compared(outermost)? == Truth::Wrong {
                let reference = self.reference.as_mut();
                return Ok(reference.is_some_and(|reference| reference.never_began_so(node)));
            }
        }
        Ok(false)
    }

    /// Whether the symptom is that of a caller, and comes from nothing but what ran in this call.
    fn has_all_that_is_wrong(&mut self, node: NodeId) -> Result<bool, BenchError> {
        let here = self.positions(node);
        let symptoms = self.run.failed_tests(None).map(|test| test.node);
        let mut symptoms: Vec<NodeId> = symptoms.collect();
        if symptoms.is_empty() {
            symptoms.extend(self.run.main_call());
        }
        for symptom in symptoms {
            let around = self.positions(symptom);
            if !around.contains(&node.0) {
                continue;
            }
            let earlier = 0..here.start;
            let later = here.end..around.end;
            if self.all_came_to_the_same(earlier)? && self.all_came_to_the_same(later)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the wrong code that ran at these positions did no harm there.
    fn all_came_to_the_same(&mut self, positions: Range<u32>) -> Result<bool, BenchError> {
        let culprits = self.culprits_in(positions).to_vec();
        if culprits.len() > MOST_CULPRITS {
            return Ok(false);
        }
        for culprit in culprits {
            let is_right = match self.compared(culprit)? {
                Truth::Unknown => self.alike(culprit)? == Some(true),
                compared => compared == Truth::Right,
            };
            if !is_right {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn positions(&self, node: NodeId) -> Range<u32> {
        node.0..node.0 + self.run.subtree_size(node)
    }

    fn culprits_in(&self, positions: Range<u32>) -> &[NodeId] {
        let place = |position| self.culprits.partition_point(|node| node.0 < position);
        &self.culprits[place(positions.start)..place(positions.end)]
    }

    /// Keeps what was found out.
    pub(super) fn keep(&self) -> io::Result<()> {
        if !self.has_learnt {
            return Ok(());
        }
        let draft = self.file.with_extension("draft");
        fs::write(&draft, serde_json::to_vec(&self.known)?)?;
        fs::rename(draft, &self.file)
    }
}

/// The calls that ran wrong code of their own.
fn culprits(run: &JavaRun, case: &Case) -> Vec<NodeId> {
    let is_wanted = |routine: RoutineId| {
        let names = run.method_names(MethodId(routine.0));
        case.blames(&MethodName::new(names.class, names.name, names.descriptor))
    };
    let mut culprits = Vec::new();
    run.visit_nodes_of(&is_wanted, &mut |node| culprits.push(node));
    if let Some(line) = case.line {
        culprits.retain(|&node| may_have_run(run, node, line));
    }
    culprits
}

/// Whether a call came to a line of its method, so far as can be told.
fn may_have_run(run: &JavaRun, node: NodeId, line: u32) -> bool {
    let covered = run
        .call_id(node)
        .and_then(|id| CodeCoverage::of(run.trace(), run.program(), id).ok());
    covered.is_none_or(|covered| covered.lines.iter().any(|&one| u32::from(one) == line))
}
