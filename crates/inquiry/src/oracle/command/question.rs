//! A question as a program reads it: values as Java developers write them, under their names.

use std::collections::BTreeMap;

use debug_engine::Target;
use debug_engine::transform::kind_of;
use debug_engine::view::render::{self, Bounds, ChangeText};
use debug_engine::view::{AskedView, NamedState, NodeView, OutcomeView, StateView};
use serde::Serialize;

use java_analysis::recording::Recording;

#[derive(Debug, Serialize)]
struct Question {
    version: u32,
    node: u32,
    /// The last of the calls, if several are asked about together.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_node: Option<u32>,
    class: String,
    method: String,
    descriptor: String,
    file: Option<String>,
    /// In one line, as a person would be asked.
    question: String,
    /// `this`, the arguments and statics at the beginning.
    before: BTreeMap<String, String>,
    /// The same at the end, and `return` or `throws`.
    after: BTreeMap<String, String>,
    changes: Vec<ChangeText>,
    source: Option<String>,
}

/// The question about a target, as one line with its end.
pub(super) fn question_json(run: &dyn Recording, target: Target) -> String {
    let bounds = Bounds::default();
    let node = target.first();
    // The code in question is that of the call, or of the call that a loop is a piece of.
    let executed = run.parent(node).filter(|_| target.is_piece());
    let executed = executed.unwrap_or(node);
    let code = run.code_of(executed);
    let asked = match target {
        Target::Node(node) => AskedView::Call(Box::new(run.view(node, bounds))),
        several => AskedView::Stretch(run.call_range(several, kind_of(several), bounds)),
    };
    let (states, result) = match &asked {
        AskedView::Call(view) => (states(view), result(view, bounds)),
        AskedView::Stretch(view) => (view.state.iter().map(named).collect(), None),
    };
    let value = |value| render::value(value, bounds);
    let before = states
        .iter()
        .map(|(name, state)| ((*name).to_owned(), value(&state.before)));
    let after = states.iter().map(|(name, state)| {
        let last = state.after.as_ref().unwrap_or(&state.before);
        ((*name).to_owned(), value(last))
    });
    let question = Question {
        version: 1,
        node: node.0,
        last_node: target.node().is_none().then(|| target.last().0),
        class: code.class,
        method: code.method,
        descriptor: code.descriptor,
        file: code.file,
        question: render::asked_in_one_line(&asked, bounds),
        before: before.collect(),
        after: after.chain(result).collect(),
        changes: render::changes_asked(&asked, bounds, usize::MAX),
        source: run.source(executed, &[]),
    };
    let mut line = serde_json::to_string(&question).unwrap_or_default();
    line.push('\n');
    line
}

fn states(view: &NodeView) -> Vec<(&str, &StateView)> {
    let this = view.this.iter().map(|state| ("this", state));
    let others = view.arguments.iter().chain(&view.statics);
    this.chain(others.map(named)).collect()
}

fn named(named: &NamedState) -> (&str, &StateView) {
    (&named.name, &named.state)
}

fn result(view: &NodeView, bounds: Bounds) -> Option<(String, String)> {
    match &view.outcome {
        OutcomeView::Returned(value) => Some(("return".to_owned(), render::value(value, bounds))),
        OutcomeView::Thrown(thrown) => {
            Some(("throws".to_owned(), render::exception(thrown, bounds)))
        }
        OutcomeView::Void | OutcomeView::Open | OutcomeView::ProgramEnded => None,
    }
}
