//! Where a value came from.

use debug_engine::view::slice::{RoutineLines, StepKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::node::brief;
use crate::failure::ApiError;
use crate::run_snapshot::RunSnapshot;
use java_analysis::why::{Options, why as slice};

const MOST_STEPS: usize = 500;

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Asked {
    /// The call at whose end the value is looked at.
    node: u32,
    /// The value, e.g. `return`, `this.items[2].price` or the name of a local variable.
    path: String,
    /// Follow decisions too.
    #[serde(default)]
    control: bool,
    /// How many steps back at most.
    #[serde(default = "usual_steps")]
    steps: usize,
}

fn usual_steps() -> usize {
    60
}

/// A slice, backwards.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Why {
    path: String,
    value: Option<String>,
    steps: Vec<Step>,
    lines: Vec<RoutineLines>,
    complete: bool,
    notes: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Step {
    step: usize,
    node: Option<u32>,
    routine: Option<String>,
    file: Option<String>,
    line: Option<u32>,
    instruction: Option<u64>,
    kind: StepKind,
    what: String,
    value: Option<String>,
    from: Vec<usize>,
}

pub fn why(run: &RunSnapshot, asked: &Asked) -> Result<Why, ApiError> {
    let node = run.node(asked.node)?;
    let java = run.java()?;
    let options = Options {
        control: asked.control,
        steps: asked.steps.clamp(1, MOST_STEPS),
    };
    let slice = slice(java, java.program(), node, &asked.path, options)?;
    let steps = slice.steps.into_iter().map(|step| Step {
        step: step.step,
        node: step.node.map(|node| node.0),
        routine: step.routine,
        file: step.file,
        line: step.line,
        instruction: step.instruction,
        kind: step.kind,
        what: step.what,
        value: step.value.as_ref().map(brief),
        from: step.from,
    });
    Ok(Why {
        steps: steps.collect(),
        path: slice.path,
        value: slice.value.as_ref().map(brief),
        lines: slice.lines,
        complete: slice.complete,
        notes: slice.notes,
    })
}
