//! What a failed assertion expected a call to give back.
//!
//! Only where the result went into the assertion as it was, through variables, casts, boxes and wider types (JUnit 4
//! takes an `int` as a `long`). Where something was computed of it, nobody has said what it should have been itself.

use std::collections::HashMap;

use classfile::opcode;
use debug_engine::NodeId;
use debug_engine::view::render::{self, Bounds};
use debug_engine::view::{NodeView, OutcomeView};
use frame_replay::{InvokeSite, OperandSource};
use trace_format::Kind;
use trace_store::{CallId, CallOutcome};

use super::asserted::{self, Compared};
use super::links::{Link, Taken};
use super::slice::{Graph, is_callee};
use super::symptom::Sign;
use java_model::run::JavaRun;
use java_model::testing::{TestVerdict, verdict};

/// Of more failed tests it is not looked up.
const MOST_TESTS: usize = 20;
/// What is re-executed for each of them, at most.
const MOST_INSTRUCTIONS: u64 = 1_000_000;
/// Moves on the way from a call to the assertion.
const MOST_MOVES: usize = 1_000;

/// What each call should have given back, as far as assertions say it.
#[derive(Debug, Default)]
pub(crate) struct Expectations(HashMap<NodeId, String>);

impl Expectations {
    /// Those of a run, worked out once.
    pub(crate) fn of(run: &JavaRun) -> &Expectations {
        run.facts().get_or_make(|| Expectations::find(run))
    }

    /// Writes beside a call's result what was expected.
    pub(crate) fn mark(&self, view: &mut NodeView) {
        if let OutcomeView::Returned(value) = &mut view.outcome {
            value.expected = self.0.get(&view.node).cloned();
        }
    }

    fn find(run: &JavaRun) -> Expectations {
        let failed = run.tests().iter().filter(|test| test.verdict.is_failure());
        let tests = failed.map(|test| test.node).take(MOST_TESTS);
        let roots = tests.chain(run.main_call());
        Expectations(roots.filter_map(|root| expected(run, root)).collect())
    }
}

/// The call whose result the assertion that ended a test was about, and what it should have been.
fn expected(run: &JavaRun, root: NodeId) -> Option<(NodeId, String)> {
    let Some(CallOutcome::Threw(exception)) = run.outcome(root) else {
        return None;
    };
    let innermost = asserted::where_struck(run, root, exception);
    let call = run.call_id(innermost)?;
    if !asserted::is_assertion(run, exception) {
        return None;
    }
    let mut graph = Graph::follow(run, run.program(), Taken::default(), false, 0);
    graph.frames.spend_at_most(MOST_INSTRUCTIONS);
    let frame = graph.frames.get(call).ok()?;
    let last = frame.flow.len().checked_sub(1)?;
    let at = frame.instruction(last)?;
    let is_thrown_here = frame.code.instructions().get(at)?.opcode == opcode::ATHROW;
    match frame.code.invoked_by(at) {
        Some(site) => {
            let (class, message) = verdict::thrown(run, exception);
            let said = Sign::of(&TestVerdict::Threw(class, message));
            by_framework(&mut graph, call, last, site, said.as_ref())
        }
        None if is_thrown_here => by_statement(&mut graph, call, last),
        None => None,
    }
}

/// Of an assertion of a test framework.
fn by_framework(
    graph: &mut Graph<'_>,
    call: CallId,
    step: u64,
    site: &InvokeSite,
    said: Option<&Sign>,
) -> Option<(NodeId, String)> {
    let compared = Compared::by(site)?;
    let actual = graph.frames.get(call).ok()?;
    let actual = actual.flow.sources(step).nth(asserted::actual(site))?;
    let producer = producer(graph, call, actual)?;
    let text = match compared {
        Compared::With(operand) => operand_text(graph, call, step, operand, site)?,
        Compared::Said(text) => text.to_owned(),
        Compared::InMessage => said?.expected()?.to_owned(),
    };
    Some((graph.run.node(producer)?, text))
}

/// Of `assert call() == value` and `assert call()`, alone in its statement: of one of several conditions nobody has
/// said that it should have held.
fn by_statement(graph: &mut Graph<'_>, call: CallId, thrown: u64) -> Option<(NodeId, String)> {
    let Link::Decision(_, decision) = graph.decider(call, thrown)? else {
        return None;
    };
    if !is_switch(graph, call, decision) {
        return None;
    }
    let frame = graph.frames.get(call).ok()?;
    let at = frame.instruction(decision)?;
    let op = frame.code.instructions().get(at)?.opcode;
    let sources: Vec<OperandSource> = frame.flow.sources(decision).collect();
    let givers = sources.iter().map(|&source| producer(graph, call, source));
    let givers: Vec<Option<CallId>> = givers.collect();
    let (operand, giver) = match givers[..] {
        [Some(giver)] => (0, giver),
        [Some(giver), None] => (1, giver),
        [None, Some(giver)] => (0, giver),
        _ => return None,
    };
    let node = graph.run.node(giver)?;
    let names = graph.run.method_names(graph.run.method(node));
    let is_truth = names.descriptor.ends_with(")Z");
    let text = match op {
        opcode::IFNE if is_truth => "true".to_owned(),
        opcode::IFEQ if is_truth => "false".to_owned(),
        opcode::IFEQ => "0".to_owned(),
        opcode::IF_ICMPEQ => {
            let descriptor = names.descriptor.rsplit(')').next()?.to_owned();
            slot_text(graph, call, decision, operand, &descriptor)?
        }
        _ => return None,
    };
    Some((node, text))
}

/// Whether nothing but the switch for assertions decided that a step was come to.
fn is_switch(graph: &mut Graph<'_>, call: CallId, step: u64) -> bool {
    let Some(Link::Decision(_, above)) = graph.decider(call, step) else {
        return false;
    };
    let Ok(frame) = graph.frames.get(call) else {
        return false;
    };
    let Some(OperandSource::Step(read)) = frame.flow.sources(above).next() else {
        return false;
    };
    let at = frame.instruction(read);
    let field = at.and_then(|at| frame.code.field_of(at));
    field.is_some_and(|field| field.name == "$assertionsDisabled")
}

/// The recorded call whose result an operand is, unchanged.
fn producer(graph: &mut Graph<'_>, call: CallId, source: OperandSource) -> Option<CallId> {
    let mut source = source;
    for _ in 0..MOST_MOVES {
        let OperandSource::Step(step) = source else {
            return None;
        };
        let run = graph.run;
        let frame = graph.frames.get(call).ok()?;
        let at = frame.instruction(step)?;
        let operand = match frame.code.invoked_by(at) {
            Some(site) => {
                let children = frame.step(step).map(|(_, children)| children);
                let last = children.and_then(|children| children.last().copied());
                if let Some(child) = last.filter(|&child| is_callee(run, child, site)) {
                    return Some(child);
                }
                passed_on(site)?
            }
            None if keeps_value(frame.code.instructions().get(at)?) => 0,
            None => return None,
        };
        source = frame.flow.sources(step).nth(operand)?;
    }
    None
}

/// Whether an instruction gives what it takes, of a wider type at most.
fn keeps_value(instruction: &classfile::Instruction) -> bool {
    instruction.is_local_load()
        || instruction.is_local_store()
        || matches!(
            instruction.opcode,
            opcode::CHECKCAST
                | opcode::DUP
                | opcode::DUP2
                | opcode::I2L
                | opcode::I2D
                | opcode::F2D
        )
}

/// The operand that library code gives back as it is: boxes, and what fluent assertions hold.
fn passed_on(site: &InvokeSite) -> Option<usize> {
    let is_box = site.owner.starts_with("java/lang/") && site.parameters.len() <= 1;
    let is_fluent = site.owner.starts_with("org/assertj/");
    let passes_on = match site.name.as_str() {
        "valueOf" => is_box && !site.has_receiver && site.owner != "java/lang/String",
        "booleanValue" | "charValue" | "intValue" | "longValue" | "doubleValue" => is_box,
        "assertThat" => is_fluent || site.owner.starts_with("com/google/common/truth/"),
        "as" | "describedAs" | "withFailMessage" | "overridingErrorMessage" | "isNotNull" => {
            is_fluent
        }
        _ => false,
    };
    passes_on.then_some(0)
}

/// An operand as it is shown.
fn operand_text(
    graph: &mut Graph<'_>,
    call: CallId,
    step: u64,
    operand: usize,
    site: &InvokeSite,
) -> Option<String> {
    let parameter = operand.checked_sub(usize::from(site.has_receiver))?;
    let descriptor = match site.parameters.get(parameter)? {
        Kind::Boolean => "Z",
        Kind::Char => "C",
        Kind::Byte => "B",
        Kind::Short => "S",
        _ => "",
    };
    slot_text(graph, call, step, operand, descriptor)
}

fn slot_text(
    graph: &mut Graph<'_>,
    call: CallId,
    step: u64,
    operand: usize,
    descriptor: &str,
) -> Option<String> {
    let run = graph.run;
    let frame = graph.frames.get(call).ok()?;
    let value = frame.operand_view(run, step, operand, descriptor)?;
    Some(render::value(&value, Bounds::default()))
}
