//! Who answers before a person is asked: what is remembered, a reference, a property that should hold,
//! passing tests, a command.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use debug_engine::oracle::Cascade;
use debug_engine::session::AnswerSource;

use super::{Shared, say};
use crate::cli::ask_options::{SearchArguments, Switch};
use crate::cli::failure::Failure;
use inquiry::oracle::command::{CommandEnd, CommandOracle, OracleCommand, SharedCommand};
use inquiry::oracle::memory::store::Store;
use inquiry::oracle::memory::{self, Memory};
use inquiry::oracle::passing::PassingTests;
use inquiry::oracle::property::Property;
use java_analysis::recording::Recording;
use java_model::run::JavaRun;
use launch::project::Project;
use launch::{interrupt, user_folders};

/// What is known to answer by.
#[derive(Default)]
pub(crate) struct Advisers {
    pub(crate) memory: Option<Memory>,
    pub(crate) reference: Option<Shared>,
    pub(crate) property: Option<Property>,
    pub(crate) passing: Option<PassingTests>,
    pub(crate) command: Option<SharedCommand<'static>>,
}

/// Whoever answers before a person is asked.
pub(crate) struct Oracles {
    pub(crate) cascade: Cascade<'static>,
    /// On whose behalf a question that nobody can answer counts as unknown.
    pub(super) unknown_from: Option<AnswerSource>,
}

impl Oracles {
    pub(crate) fn new(run: &Arc<dyn Recording>, advisers: Advisers) -> Self {
        let Advisers {
            memory,
            reference,
            property,
            passing,
            command,
        } = advisers;
        let mut cascade = Cascade::new();
        let mut unknown_from = None;
        if let Some(memory) = memory {
            cascade.push(memory);
        }
        if let Some(reference) = reference {
            cascade.push(reference);
            unknown_from = Some(AnswerSource::Reference);
        }
        if let Some(property) = property {
            cascade.push(property);
        }
        if let Some(passing) = passing {
            cascade.push(passing);
        }
        if let Some(command) = command {
            cascade.push(CommandOracle::new(Arc::clone(run), command));
            unknown_from = unknown_from.or(Some(AnswerSource::Command));
        }
        Oracles {
            cascade,
            unknown_from,
        }
    }
}

/// The command that `--oracle-cmd` names; it is started when it is first asked.
pub(crate) fn command_of(options: &SearchArguments) -> Option<SharedCommand<'static>> {
    let line = options.oracle_cmd.clone()?;
    let patience = Duration::from_secs_f64(options.oracle_timeout);
    let end = CommandEnd::default();
    let at_our_end = end.clone();
    let ender = interrupt::before_leaving(move || at_our_end.now());
    let command = OracleCommand::new(line, patience, say).ended_by(end, ender);
    Some(command.at_least(options.min_confidence).shared())
}

/// What passing tests of the run let presume, unless that is not wanted. A script gets it only if it asks for it.
pub(crate) fn passing_tests(
    run: &Arc<JavaRun>,
    options: &SearchArguments,
    is_scripted: bool,
) -> Option<PassingTests> {
    let is_wanted = match options.passing_tests {
        Some(switch) => switch == Switch::On,
        None => !is_scripted,
    };
    let knows = run.has_state() && run.tests().iter().any(|test| test.verdict.is_failure());
    (is_wanted && knows).then(|| PassingTests::of(run))
}

/// What is remembered of the project that was recorded. A script stands for a whole dialogue: it gets
/// no help that it does not ask for.
pub(crate) fn memory_of(
    run: &Arc<JavaRun>,
    options: &SearchArguments,
    is_scripted: bool,
) -> Result<Option<Memory>, Failure> {
    let project = run
        .run_file()
        .map(|file| Path::new(&file.working_directory.0));
    let store = store_of(options, project, is_scripted)?;
    Ok(store.map(|store| Memory::new(Arc::clone(run), store)))
}

/// The answers of the project in a folder.
pub(crate) fn store_of(
    options: &SearchArguments,
    project: Option<&Path>,
    is_scripted: bool,
) -> Result<Option<Arc<Store>>, Failure> {
    if let Some(file) = &options.memory {
        return Ok(Some(Arc::new(Store::open(file)?)));
    }
    let is_off = std::env::var_os("ASKANCE_MEMORY").is_some_and(|value| value == "off");
    if options.no_memory || is_off || is_scripted {
        return Ok(None);
    }
    let opened = project
        .zip(user_folders::state())
        .map(|(folder, state)| Store::open(&memory::file_of(&state, &Project::of(folder).root)));
    Ok(opened.and_then(|opened| {
        opened
            .map_err(|error| say(&format!("{error}; going on without them")))
            .ok()
            .map(Arc::new)
    }))
}
