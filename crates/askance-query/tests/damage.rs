//! Traces that were damaged at random: every table has the rows of what is whole, or there is a sentence.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use askance_query::QueryFailure;
use askance_query::database::{Database, USUAL_MEMORY};
use askance_query::tables::TABLES;
use datafusion::arrow::array::RecordBatch;
use futures::TryStreamExt as _;
use futures::future::ready;
use java_model::run::JavaRun;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::common::command;

/// The files that a JVM wrote.
fn recorded_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true if path.ends_with("index") => {}
            true => found.extend(recorded_files(&path)),
            false => found.push(path),
        }
    }
    found.sort_unstable();
    found
}

/// Reads every table; what cannot be read is left out or refused.
fn read_everything(folder: &Path) -> Result<(), QueryFailure> {
    let run = JavaRun::open(folder, None, &mut |_, _| {})?;
    let database = Database::of(vec![Arc::new(run)], USUAL_MEMORY)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    for table in TABLES {
        let sql = format!("SELECT * FROM \"{}\"", table.name);
        let all = async {
            let rows = database.answer(&sql).await?;
            let counted = rows.try_fold(0, |count, batch: RecordBatch| {
                ready(Ok(count + batch.num_rows()))
            });
            Ok::<_, QueryFailure>(counted.await)
        };
        let _rows_or_a_sentence = runtime.block_on(all)?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_damage_breaks_a_query_off(
        file in any::<Index>(),
        places in proptest::collection::vec((any::<Index>(), any::<u8>()), 1..6),
        cut in proptest::option::of(any::<Index>()),
    ) {
        let till = java_model::sketches::till();
        let folder = till.folder.path();
        let files = recorded_files(folder);
        let file = &files[file.index(files.len())];
        let mut bytes = fs::read(file).unwrap();
        if !bytes.is_empty() {
            for (at, to) in places {
                let at = at.index(bytes.len());
                bytes[at] = to;
            }
            if let Some(cut) = cut {
                bytes.truncate(cut.index(bytes.len()));
            }
        }
        // What is mapped elsewhere must not change.
        fs::remove_file(file).unwrap();
        fs::write(file, bytes).unwrap();
        let is_unbroken = catch_unwind(AssertUnwindSafe(|| drop(read_everything(folder)))).is_ok();
        prop_assert!(is_unbroken, "{}", file.display());
    }
}

#[test]
fn damage_is_told_of_and_what_is_whole_is_asked() {
    let till = java_model::sketches::till();
    let folder = till.folder.path();
    let mut files = recorded_files(folder).into_iter();
    let chunks = files.find(|file| file.ends_with("chunks")).unwrap();
    let whole = fs::read(&chunks).unwrap();
    let is_damaged = |at: &usize| {
        let mut bytes = whole.clone();
        bytes[*at] = !bytes[*at];
        fs::remove_file(&chunks).unwrap();
        fs::write(&chunks, bytes).unwrap();
        let run = JavaRun::open(folder, None, &mut |_, _| {});
        let info = run.ok().and_then(|run| run.trace().info().ok());
        info.is_some_and(|info| info.completeness.damaged > 0)
    };
    // Some bytes say nothing that could not be so.
    assert!((0..whole.len()).any(|at| is_damaged(&at)));
    let answer = command(&["query", folder.to_str().unwrap(), "SELECT damaged FROM run"]);
    assert!(answer.status.success(), "{answer:?}");
    let said = String::from_utf8(answer.stderr).unwrap();
    assert!(
        said.contains("is damaged: ") && said.contains("cannot be read"),
        "{said}"
    );
}
