//! A trace as front ends show it: with a session, and with everything that answers before a person is asked.

use std::path::Path;
use std::sync::Arc;

use super::ask::{self, Advisers, Compared, Oracles, Shared, Who};
use super::ask_options::SearchArguments;
use super::failed_tests;
use super::failure::Failure;
use super::inspect::{Opened, open_either};
use super::never;
use super::suspicion;
use super::wrong_output;
use askance_api::RunSnapshot;
use inquiry::Opening;
use inquiry::imported::ImportedTree;
use java_analysis::recording::Recording;
use java_model::follow::make_indexes;
use java_model::run::JavaRun;
use launch::folder::TraceFolder;

/// Whatever is in a trace, with everything that answers before a person does, and the folder of the reference.
pub(crate) fn open(
    trace: &Path,
    jvm: Option<u32>,
    search: &SearchArguments,
) -> Result<(RunSnapshot, Option<TraceFolder>), Failure> {
    match open_either(trace, jvm)? {
        Opened::Java(run) => recorded(*run, search),
        Opened::Imported(tree) => {
            if search.reference.is_some() {
                return Err(ask::no_reference_for_imported());
            }
            never::check_imported(search)?;
            let tree: Arc<ImportedTree> = Arc::from(tree);
            let recording: Arc<dyn Recording> = Arc::<ImportedTree>::clone(&tree);
            let oracles = Oracles::new(
                &recording,
                Advisers {
                    command: ask::command_of(search),
                    ..Advisers::default()
                },
            );
            let opening = search.opening(search.root(&*tree)?, &Who::Terminal);
            Ok((
                RunSnapshot::imported(tree, &opening, oracles.cascade)?,
                None,
            ))
        }
    }
}

/// A recorded run with everything that answers before a person does, and the folder of the reference.
pub(crate) fn recorded(
    run: JavaRun,
    search: &SearchArguments,
) -> Result<(RunSnapshot, Option<TraceFolder>), Failure> {
    let mut run = run;
    search.prepare(&mut run);
    let root = search.root(&run)?;
    let test = match root {
        Some(_) => None,
        None => failed_tests::choose(&run, search)?
            .into_iter()
            .flatten()
            .next(),
    };
    let output = wrong_output::symptom(&run, &search.output)?;
    let suspicion = suspicion::scores(&run, search)?;
    let Compared {
        run,
        oracle,
        folder,
        ..
    } = Compared::new(run, search)?;
    let violated = never::violated(&run, search, root)?;
    let opening = Opening {
        test,
        output,
        violation: violated.as_ref().map(|violated| violated.first),
        suspicion,
        blameless: oracle.as_ref().map(Shared::blameless).unwrap_or_default(),
        ..search.opening(root, &Who::Terminal)
    };
    // The page should not wait for what can be made before it opens.
    make_indexes(&run);
    let recording: Arc<dyn Recording> = Arc::<JavaRun>::clone(&run);
    let memory = ask::memory_of(&run, search, false)?;
    let advisers = Advisers {
        memory: memory.clone(),
        reference: oracle,
        property: violated.map(|violated| violated.property),
        passing: ask::passing_tests(&run, search, false),
        command: ask::command_of(search),
    };
    let oracles = Oracles::new(&recording, advisers);
    let served = RunSnapshot::recorded(run, &opening, oracles.cascade, memory)?;
    Ok((served, folder))
}
