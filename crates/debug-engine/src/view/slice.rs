//! Where a value came from: a dynamic slice, backwards.
//!
//! Each step is one thing that gave the value, or something that it was made of, its value. The
//! steps that it took from are named by their numbers; a step without any is where the value came
//! into the program: a constant, an input, a result of library code.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::ValueView;
use super::render::{self, Bounds};
use crate::tree::NodeId;

/// A slice.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SliceView {
    /// The value that was asked about, by its path.
    pub path: String,
    /// The value.
    pub value: Option<ValueView>,
    /// The steps, nearest to the value first; the number of a step is its place here, from 1.
    pub steps: Vec<SliceStep>,
    /// The lines of each routine that take part.
    pub lines: Vec<RoutineLines>,
    /// Whether everything was followed to its end.
    pub complete: bool,
    /// Why not.
    pub notes: Vec<String>,
}

/// One step of a slice.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SliceStep {
    /// Its number.
    pub step: usize,
    /// The call that it belongs to.
    pub node: Option<NodeId>,
    /// The call's routine.
    pub routine: Option<String>,
    /// Source file, if known.
    pub file: Option<String>,
    /// Line, if known.
    pub line: Option<u32>,
    /// How many instructions of the call ran before it, if it is one.
    pub instruction: Option<u64>,
    /// What sort of step it is.
    pub kind: StepKind,
    /// What it did.
    pub what: String,
    /// What came of it, if it can be shown.
    pub value: Option<ValueView>,
    /// The steps that it took from.
    pub from: Vec<usize>,
}

/// Sorts of steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum StepKind {
    /// Something was assigned.
    Write,
    /// Something was computed.
    Computed,
    /// A call gave its result.
    Returned,
    /// A caller gave an argument.
    Argument,
    /// A branch decided that another step ran.
    Condition,
    /// A constant of the program.
    Constant,
    /// Library code, or whatever is outside, gave it.
    Outside,
    /// It was never assigned: what it held from the start.
    Initial,
    /// The trace does not tell.
    Unknown,
}

/// The lines of a routine that take part in a slice.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct RoutineLines {
    /// The routine.
    pub routine: String,
    /// Source file, if known.
    pub file: Option<String>,
    /// Its lines, sorted.
    pub lines: Vec<u32>,
}

impl SliceView {
    /// Gathers the lines of the steps.
    pub fn lines_of(steps: &[SliceStep]) -> Vec<RoutineLines> {
        let mut found: BTreeMap<(&str, &Option<String>), BTreeSet<u32>> = BTreeMap::new();
        for step in steps {
            if let (Some(routine), Some(line)) = (&step.routine, step.line) {
                found.entry((routine, &step.file)).or_default().insert(line);
            }
        }
        let lines = found
            .into_iter()
            .map(|((routine, file), lines)| RoutineLines {
                routine: routine.to_owned(),
                file: file.clone(),
                lines: lines.into_iter().collect(),
            });
        lines.collect()
    }
}

/// The slice as text: one step a line, then the lines of each routine.
pub fn text(slice: &SliceView, bounds: Bounds) -> String {
    let value = |view: &ValueView| render::value(view, bounds);
    let mut lines = vec![match &slice.value {
        Some(found) => format!("{} = {}", slice.path, value(found)),
        None => slice.path.clone(),
    }];
    let width = slice.steps.len().to_string().len();
    for step in &slice.steps {
        let mut line = format!("  {:>width$}. {}", step.step, step.what);
        if let Some(found) = &step.value {
            line.push_str(&format!(" = {}", value(found)));
        }
        match (&step.routine, step.node) {
            (Some(routine), Some(node)) => line.push_str(&format!("  in #{node} {routine}")),
            (Some(routine), None) => line.push_str(&format!("  in {routine}")),
            _ => {}
        }
        match (&step.file, step.line) {
            (Some(file), Some(at)) => line.push_str(&format!(" ({file}:{at})")),
            (Some(file), None) => line.push_str(&format!(" ({file})")),
            _ => {}
        }
        if !step.from.is_empty() {
            let from: Vec<String> = step.from.iter().map(ToString::to_string).collect();
            line.push_str(&format!(" ← {}", from.join(", ")));
        }
        lines.push(line);
    }
    if !slice.lines.is_empty() {
        lines.push("lines:".to_owned());
    }
    for routine in &slice.lines {
        let numbers: Vec<String> = routine.lines.iter().map(ToString::to_string).collect();
        let file = routine.file.as_ref();
        let file = file.map_or(String::new(), |file| format!(" ({file})"));
        lines.push(format!(
            "  {}{file}: {}",
            routine.routine,
            numbers.join(", ")
        ));
    }
    lines.extend(slice.notes.iter().map(|note| format!("({note})")));
    lines.join("\n")
}
