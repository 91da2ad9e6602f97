//! What is served, and what can be chosen.

use debug_engine::strategy;
use schemars::JsonSchema;
use serde::Serialize;

use crate::failure::ApiError;
use crate::live_run::LiveRun;
use inquiry::chosen_transformations;

/// What the dialogue in a terminal does by itself, and what is a strategy by another name.
const NOT_OFFERED: [&str; 3] = ["statements", "simplify", "ranges"];

/// A run in a list.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RunName {
    run: usize,
    name: String,
}

/// A run.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RunInfo {
    /// The trace's folder, by its name.
    name: String,
    calls: u32,
    /// The recorded command, if there was one.
    command: Option<String>,
    exit_code: Option<i32>,
    /// Whether the inside of calls can be looked at: events, histories, lines.
    recorded: bool,
    /// Whether it is known what objects held.
    knows_state: bool,
    strategies: Vec<NamedChoice>,
    transformations: Vec<NamedChoice>,
}

/// Something that can be chosen by name.
#[derive(Debug, Serialize, JsonSchema)]
pub struct NamedChoice {
    name: &'static str,
    explanation: &'static str,
}

/// The runs that there are.
pub fn names<'r>(runs: impl Iterator<Item = &'r LiveRun>) -> Vec<RunName> {
    let names = runs.enumerate().map(|(run, slot)| RunName {
        run,
        name: slot.name().to_owned(),
    });
    names.collect()
}

pub fn info(slot: &LiveRun) -> Result<RunInfo, ApiError> {
    let run = slot.known()?;
    let file = run.java().ok().and_then(|java| java.run_file());
    Ok(RunInfo {
        name: slot.name().to_owned(),
        calls: run.recording().len(),
        command: file.map(|file| file.command.join(" ")),
        exit_code: file.and_then(|file| file.exit_code),
        recorded: run.is_recorded(),
        knows_state: run.recording().knows_state(),
        strategies: strategy::ALL
            .iter()
            .map(|info| NamedChoice {
                name: info.name,
                explanation: info.explanation,
            })
            .collect(),
        transformations: chosen_transformations::ALL
            .iter()
            .filter(|(name, _)| !NOT_OFFERED.contains(name))
            .map(|&(name, explanation)| NamedChoice { name, explanation })
            .collect(),
    })
}
