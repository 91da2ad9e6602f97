//! Answers from a reference version: the same program, fixed or older, run with the same command.
//!
//! A call of the reference with the same method and the same state before must have given the same
//! state after. State before: receiver, arguments, everything they reach, and the statics that the
//! method or anything below it names. State after: the same again, with the result or the
//! exception. The answer is
//!
//! * right, if some such call of the reference ended in the same state, and all of it is seen;
//! * wrong, if such calls exist and all ended in one other state;
//! * right as well, if the method and everything that ran below it has the same code in both
//!   versions: whatever the input, the reference would have done the same;
//! * none, if no call matches, or the trace does not tell enough: an object whose inside is not
//!   recorded, a clock, output that a version may have written differently.
//!
//! As long as both runs did exactly the same, event by event, states need not be compared at all:
//! see [`agreement`](super::agreement).
//!
//! A call that had not ended when the program was stopped is wrong if the reference's call with
//! the same state before did end.

use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;
use std::time::{Duration, Instant};

use debug_engine::oracle::Oracle;
use debug_engine::session::{Answer, Source};
use debug_engine::{ExecutionTree as _, NodeId, Target};
use trace_format::{EventPosition, MethodId, ThreadNumber};
use trace_store::{Call, CallId};

use super::agreement::first_difference;
use super::behaviour::{States, states};
use super::canonical::Fingerprint;
use super::changed_lines::changed_lines;
use super::counterpart::counterparts;
use crate::source::heap::{Heap as _, ThingKind};
use crate::source::method_code::FieldName;
use crate::source::run::JavaRun;
use crate::source::statics::Reach;

/// No more calls of the reference than this are compared for one question.
const MOST_CANDIDATES: usize = 2_000;
/// Walking large states again and again takes time; when this much is spent, no more is answered.
const PATIENCE: Duration = Duration::from_secs(60);
/// No more calls of one method of the reference than this are looked at.
const MOST_CALLS: usize = 2_000_000;

/// Answers from another run.
pub struct Reference {
    ours: Arc<JavaRun>,
    theirs: Arc<JavaRun>,
    methods: HashMap<MethodId, MethodPair>,
    /// Whether the classes that both runs have declare the same methods, so that no call can have
    /// gone to a method that the other version does not have.
    same_methods: bool,
    /// Where our run first differs from the reference.
    difference: Option<(ThreadNumber, EventPosition)>,
    /// Calls that ended otherwise than a call of the reference with the same state before, with that.
    differing: HashMap<NodeId, CallId>,
    /// Questions for which a call with the same state before was found.
    matched: usize,
    spent: Duration,
}

/// A method in both runs.
struct MethodPair {
    /// Statics that matter in either run.
    statics: Vec<FieldName>,
    /// It and everything below it has the same code in both versions.
    same_code: bool,
    /// Equal states after do not make it right: it may have written something else.
    has_output: bool,
    /// Different states after do not make it wrong: a clock or the input was read.
    has_input: bool,
    /// The same method in the reference.
    same: Vec<MethodId>,
    /// The reference's calls by what is cheap to compare; found when first needed.
    calls: Option<HashMap<u64, Vec<CallId>>>,
    /// Their states, as far as they were needed.
    states: HashMap<CallId, Option<States>>,
}

impl Reference {
    #[must_use]
    pub fn new(ours: Arc<JavaRun>, theirs: Arc<JavaRun>) -> Reference {
        let same_methods = same_methods(&ours, &theirs);
        let difference = first_difference(&ours, &theirs);
        Reference {
            ours,
            theirs,
            methods: HashMap::new(),
            same_methods,
            difference,
            differing: HashMap::new(),
            matched: 0,
            spent: Duration::ZERO,
        }
    }

    /// How many questions had a matching call.
    #[must_use]
    pub fn matched(&self) -> usize {
        self.matched
    }

    /// Where our run first differs from the reference, event by event; `None` if that cannot be told.
    #[must_use]
    pub fn difference(&self) -> Option<(ThreadNumber, EventPosition)> {
        self.difference
    }

    /// For a call that was found wrong: the reference's call with the same state before.
    #[must_use]
    pub fn counterpart(&self, node: NodeId) -> Option<NodeId> {
        self.theirs.node(*self.differing.get(&node)?)
    }

    /// Whether it gave up because comparing took too long.
    #[must_use]
    pub fn gave_up(&self) -> bool {
        self.spent > PATIENCE
    }

    /// The calls that were open where the runs first differ, the outermost first.
    #[must_use]
    pub fn path_to_difference(&self) -> Vec<NodeId> {
        let Some((thread, position)) = self.difference else {
            return Vec::new();
        };
        let innermost = self.ours.trace().call_of(thread, position).ok().flatten();
        let innermost = innermost.and_then(|call| self.ours.node(call));
        let mut path: Vec<NodeId> =
            std::iter::successors(innermost, |&node| self.ours.parent(node)).collect();
        path.reverse();
        path
    }

    /// The answer about a call, if the reference has one.
    pub fn answer(&mut self, node: NodeId) -> Option<Answer> {
        if self.gave_up() {
            return None;
        }
        let started = Instant::now();
        let answer = self.compare(node);
        self.spent += started.elapsed();
        answer
    }

    /// The answer about siblings taken together: right if all of them are, wrong if one of them is.
    pub fn answer_together(&mut self, first: NodeId, last: NodeId) -> Option<Answer> {
        const MOST: usize = 1000;
        let ours = Arc::clone(&self.ours);
        let mut members = Target::between(first, last).members(&*ours);
        let mut all_right = true;
        for node in members.by_ref().take(MOST) {
            match self.answer(node) {
                Some(Answer::Yes) => {}
                Some(Answer::No | Answer::WrongPart(_)) => return Some(Answer::No),
                _ => all_right = false,
            }
        }
        (all_right && members.next().is_none()).then_some(Answer::Yes)
    }

    /// The lines of a call's method that differ from the reference's; empty if that cannot be told.
    #[must_use]
    pub fn changed_lines(&mut self, node: NodeId) -> BTreeSet<u32> {
        let method = self.ours.method(node);
        let pair = self
            .methods
            .entry(method)
            .or_insert_with(|| MethodPair::new(&self.ours, &self.theirs, method));
        match pair.same.as_slice() {
            [other] => changed_lines(&self.ours, method, &self.theirs, *other),
            _ => BTreeSet::new(),
        }
    }

    fn compare(&mut self, node: NodeId) -> Option<Answer> {
        let call = self.ours.call(node)?;
        let method = call.method;
        let pair = self
            .methods
            .entry(method)
            .or_insert_with(|| MethodPair::new(&self.ours, &self.theirs, method));
        if pair.same_code && self.same_methods && call.exit.is_some() {
            self.matched += 1;
            return Some(Answer::Yes);
        }
        let was_over = self.difference.is_some_and(|(thread, position)| {
            call.id.thread == thread && call.exit.is_some_and(|exit| exit < position)
        });
        if was_over {
            self.matched += 1;
            return (!pair.has_output).then_some(Answer::Yes);
        }
        pair.find_calls(&self.theirs);
        let mine = states(&self.ours, &call, &pair.statics)?;
        let key = shallow_key(&self.ours, &call);
        let candidates = pair
            .calls
            .as_ref()
            .and_then(|calls| calls.get(&key))
            .cloned()
            .unwrap_or_default();
        let mut others: Vec<Option<Fingerprint>> = Vec::new();
        let mut first = None;
        for candidate in candidates.into_iter().take(MOST_CANDIDATES) {
            let Some(theirs) = pair.states_of(&self.theirs, candidate) else {
                continue;
            };
            if theirs.before != mine.before {
                continue;
            }
            if theirs.after == mine.after && mine.after.is_some() {
                self.matched += 1;
                let is_seen = !mine.unseen_changes && !theirs.unseen_changes;
                return (is_seen && !pair.has_output).then_some(Answer::Yes);
            }
            if theirs.after.is_some() && !others.contains(&theirs.after) {
                others.push(theirs.after);
                first = first.or(Some(candidate));
            }
        }
        self.matched += usize::from(!others.is_empty());
        let is_certain = others.len() == 1 && !mine.opaque && !pair.has_input;
        let is_open_in_vain = mine.after.is_none() && !others.is_empty();
        if !is_certain && !is_open_in_vain {
            return None;
        }
        self.differing.extend(first.map(|other| (node, other)));
        Some(Answer::No)
    }
}

impl Oracle for Reference {
    fn source(&self) -> Source {
        Source::Reference
    }

    fn judge(&mut self, node: NodeId) -> Option<Answer> {
        self.answer(node)
    }

    fn judge_range(&mut self, first: NodeId, last: NodeId) -> Option<Answer> {
        self.answer_together(first, last)
    }
}

impl MethodPair {
    fn new(ours: &JavaRun, theirs: &JavaRun, method: MethodId) -> MethodPair {
        let same = counterparts(ours, method, theirs);
        let our_reach = ours.statics_below().reach(ours, method);
        let mut pair = MethodPair {
            statics: Vec::new(),
            same_code: same_code(ours, &our_reach, theirs),
            has_output: our_reach.has_output,
            has_input: our_reach.has_input,
            same,
            calls: None,
            states: HashMap::new(),
        };
        let mut statics = our_reach.statics.clone();
        for &other in &pair.same {
            let reach = theirs.statics_below().reach(theirs, other);
            statics.extend(reach.statics.iter().cloned());
            pair.has_output |= reach.has_output;
        }
        pair.statics = statics.into_iter().collect();
        pair
    }

    fn find_calls(&mut self, theirs: &JavaRun) {
        if self.calls.is_some() {
            return;
        }
        let mut calls: HashMap<u64, Vec<CallId>> = HashMap::new();
        for &other in &self.same {
            let ids = theirs.trace().calls_of_method(other).into_iter().flatten();
            for id in ids.take(MOST_CALLS) {
                if let Ok(call) = theirs.trace().call(id) {
                    calls
                        .entry(shallow_key(theirs, &call))
                        .or_default()
                        .push(id);
                }
            }
        }
        self.calls = Some(calls);
    }

    fn states_of(&mut self, run: &JavaRun, id: CallId) -> Option<States> {
        let statics = &self.statics;
        let states_now = || states(run, &run.trace().call(id).ok()?, statics);
        *self.states.entry(id).or_insert_with(states_now)
    }
}

/// Whether a method and all that ran below it have the same code in both versions.
fn same_code(ours: &JavaRun, reach: &Reach, theirs: &JavaRun) -> bool {
    let others: HashMap<_, _> = theirs
        .methods()
        .map(|method| (theirs.method_names(method), method))
        .collect();
    reach.methods.iter().all(|&method| {
        let other = others.get(&ours.method_names(method));
        other.is_some_and(|&other| ours.code(method).fingerprint == theirs.code(other).fingerprint)
    })
}

/// Whether the classes that both runs loaded declare the same methods, as far as is recorded: code
/// that was left out of the recording may differ without a trace.
fn same_methods(ours: &JavaRun, theirs: &JavaRun) -> bool {
    let declared = |run: &JavaRun| {
        let mut classes: HashMap<String, BTreeSet<(String, String)>> = HashMap::new();
        for method in run.methods() {
            let names = run.method_names(method);
            let methods = classes.entry(names.class.to_owned()).or_default();
            methods.insert((names.name.to_owned(), names.descriptor.to_owned()));
        }
        classes
    };
    let is_filtered = |run: &JavaRun| {
        let options = run.run_file().map(|file| &file.options);
        options.is_some_and(|options| !options.include.is_empty() || !options.exclude.is_empty())
    };
    let (mine, other) = (declared(ours), declared(theirs));
    !is_filtered(ours)
        && mine
            .iter()
            .all(|(class, methods)| other.get(class).is_none_or(|others| others == methods))
}

/// What of a call's input is cheap to compare: plain values, texts, lengths of arrays.
fn shallow_key(run: &JavaRun, call: &Call) -> u64 {
    let mut hash = DefaultHasher::new();
    for argument in &call.arguments {
        match argument.object() {
            None => (argument.kind().code(), argument.bits()).hash(&mut hash),
            Some(object) => match run.thing(object).map(|thing| thing.kind) {
                Some(ThingKind::Text { text, .. }) => text.hash(&mut hash),
                Some(ThingKind::Boxed(value)) => value.bits().hash(&mut hash),
                Some(ThingKind::Constant { name }) => name.hash(&mut hash),
                Some(ThingKind::Array) => run
                    .elements(object, call.entry_time, 0, 0)
                    .length
                    .hash(&mut hash),
                _ => 1u8.hash(&mut hash),
            },
        }
    }
    hash.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::sketches::{SOURCE, Sketched, till, till_that_sums};

    /// The answers about all six calls of our run.
    fn answers(theirs: Sketched) -> Vec<Option<Answer>> {
        let ours = till();
        let mut reference = Reference::new(Arc::new(ours.run), Arc::new(theirs.run));
        (0..6).map(|node| reference.answer(NodeId(node))).collect()
    }

    const YES: Option<Answer> = Some(Answer::Yes);
    const NO: Option<Answer> = Some(Answer::No);

    #[test]
    fn the_same_code_is_right_whatever_it_did() {
        assert_eq!(answers(till_that_sums(SOURCE, 9)), [YES; 6]);
    }

    #[test]
    fn other_code_that_did_the_same_is_right() {
        let source = SOURCE.replace("sum += value", "sum = value + sum");
        assert_eq!(answers(till_that_sums(&source, 7)), [YES; 6]);
    }

    #[test]
    fn the_same_state_before_and_another_after_is_wrong() {
        let source = SOURCE.replace("int sum = 0", "int sum = 2");
        // `add` and `pay` end in the same state although `sum` does not.
        assert_eq!(
            answers(till_that_sums(&source, 9)),
            [YES, YES, YES, NO, YES, NO]
        );
    }

    #[test]
    fn output_that_may_differ_leaves_a_call_open() {
        let source = SOURCE.replace("sales++;", "sales++; System.out.println(sales);");
        let answers = answers(till_that_sums(&source, 7));
        assert_eq!(answers, [None, YES, None, YES, YES, YES]);
    }
}
