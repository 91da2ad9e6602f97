//! What the working version did when it was given what looks the same to a reader.
//!
//! Two releases of a library differ in much that has nothing to do with a mistake, so that hardly any of their calls
//! begin in the very same state. A person does not compare states. Who sees what a call was given, and all of it, knows
//! what should have come of it; so does this, if the working version was given the same and always did the same then.

use std::collections::HashMap;
use std::sync::Arc;

use debug_engine::view::render::{Bounds, ChangeLine, Sheet};
use debug_engine::{ExecutionTree as _, NodeId};
use java_analysis::recording::Recording as _;
use java_model::run::JavaRun;
use trace_format::MethodId;

use super::case::MethodName;

/// Of a method that is called more often, so many calls are looked at.
const MOST_CALLS: usize = 400;
/// Enough for whatever a person reads: what is longer is not told from what only begins alike.
const BOUNDS: Bounds = Bounds {
    width: 60,
    depth: 5,
    string: 2_000,
    length: 4_000,
    changes: 60,
    calls: 3,
    rows: usize::MAX,
    purpose: debug_engine::view::render::Purpose::Question,
};

/// What came of what, in words; `None` if not always the same did.
type Outcomes = HashMap<String, Option<String>>;

/// See the module's header.
pub(super) struct Alike {
    ours: Arc<JavaRun>,
    theirs: Arc<JavaRun>,
    known: HashMap<MethodId, Outcomes>,
}

impl Alike {
    pub(super) fn new(ours: Arc<JavaRun>, theirs: Arc<JavaRun>) -> Alike {
        Alike {
            ours,
            theirs,
            known: HashMap::new(),
        }
    }

    /// Whether a call came to what the working version came to; `None` if that is not known.
    pub(super) fn is_right(&mut self, node: NodeId) -> Option<bool> {
        let (given, outcome) = told(&self.ours, node)?;
        let method = self.ours.method(node);
        let theirs = &self.theirs;
        let name = name_of(&self.ours, method);
        let known = self
            .known
            .entry(method)
            .or_insert_with(|| outcomes(theirs, &name));
        let right = known.get(&given)?.as_ref()?;
        Some(*right == outcome)
    }
}

fn outcomes(run: &JavaRun, name: &str) -> Outcomes {
    let mut nodes = Vec::new();
    run.visit_nodes_of(
        &|routine| name_of(run, MethodId(routine.0)) == name,
        &mut |node| nodes.push(node),
    );
    let mut known = Outcomes::new();
    for node in nodes.into_iter().take(MOST_CALLS) {
        let Some((given, outcome)) = told(run, node) else {
            continue;
        };
        let before = known.entry(given).or_insert_with(|| Some(outcome.clone()));
        if before.as_ref() != Some(&outcome) {
            *before = None;
        }
    }
    known
}

/// What a call was given, all of it, and what came of it.
fn told(run: &JavaRun, node: NodeId) -> Option<(String, String)> {
    let sheet = Sheet::of_call(&run.view(node, BOUNDS), BOUNDS);
    let given = sheet.given.iter();
    let given: String = given
        .map(|given| format!("{}={}\n", given.name, given.text))
        .collect();
    let changes = sheet.changes.iter().map(ChangeLine::to_string);
    let outcome = sheet.outcome.into_iter().chain(changes);
    let outcome = outcome.collect::<Vec<_>>().join("\n");
    let is_whole = sheet.given_left_out == 0 && !given.contains('…');
    let mut numbers = Renumbering::default();
    is_whole.then(|| (numbers.of(&given), numbers.of(&outcome)))
}

/// Objects have other numbers in another run: they are counted as they appear, so that what is one object there is one
/// here.
#[derive(Default)]
struct Renumbering(HashMap<String, usize>);

impl Renumbering {
    fn of(&mut self, text: &str) -> String {
        let mut parts = text.split('#');
        let mut plain = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let rest = part.trim_start_matches(|sign: char| sign.is_ascii_digit());
            let number = &part[..part.len() - rest.len()];
            let next = self.0.len();
            let counted = *self.0.entry(number.to_owned()).or_insert(next);
            plain.push_str(&format!("#{counted}{rest}"));
        }
        plain
    }
}

fn name_of(run: &JavaRun, method: MethodId) -> String {
    let names = run.method_names(method);
    MethodName::new(names.class, names.name, names.descriptor).full
}

#[cfg(test)]
mod tests {
    use super::Renumbering;

    #[test]
    fn objects_are_counted_as_they_appear() {
        let mut numbers = Renumbering::default();
        let first = numbers.of("Order#12{next=Order#7{next=Order#12}}, 4");
        assert_eq!(first, "Order#0{next=Order#1{next=Order#0}}, 4");
        assert_eq!(numbers.of("Order#7"), "Order#1");
    }
}
