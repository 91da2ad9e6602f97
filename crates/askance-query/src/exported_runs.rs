//! Runs that were exported as Parquet, found again below a place: one export, or as many as lie there.
//!
//! What belongs to a run is told by where a file lies, `EXPORT/TABLE/run-N/part-M.parquet`. Runs are numbered anew,
//! in the order of their places, so that those of several exports are told apart; the number that a file was written
//! with is not read.

use std::collections::BTreeMap;

use datafusion::execution::object_store::ObjectStoreUrl;
use futures::StreamExt as _;
use object_store::ObjectMeta;

use crate::failure::QueryFailure;
use crate::place::Place;
use crate::tables::Table;

/// An exported run.
#[derive(Debug, Clone)]
pub struct ExportedRun {
    /// Its number among the runs that are asked about, from 1.
    pub number: i64,
    /// The folder of the export.
    pub export: String,
    /// The store that it lies in.
    pub(crate) store: ObjectStoreUrl,
    /// By the names of tables.
    pub(crate) files: BTreeMap<&'static str, Vec<ObjectMeta>>,
}

/// Where a file belongs to.
#[derive(Debug, PartialEq, Eq)]
struct Belonging<'a> {
    export: Vec<&'a str>,
    table: &'static str,
    run: u64,
}

impl<'a> Belonging<'a> {
    /// `None` of a file that is no part of an export.
    fn of(path: &'a str) -> Option<Belonging<'a>> {
        let mut parts: Vec<&str> = path.split('/').collect();
        let file = parts.pop()?.strip_prefix("part-")?;
        file.strip_suffix(".parquet")?.parse::<u64>().ok()?;
        let run = parts.pop()?.strip_prefix("run-")?.parse().ok()?;
        let table = Table::named(parts.pop()?)?.name;
        Some(Belonging {
            export: parts,
            table,
            run,
        })
    }
}

/// All exported runs that lie at some places.
///
/// # Errors
/// If a place cannot be read, or none lies there.
pub async fn find(places: &[Place]) -> Result<Vec<ExportedRun>, QueryFailure> {
    let mut found: Vec<ExportedRun> = Vec::new();
    for place in places {
        let mut there: BTreeMap<(String, u64), ExportedRun> = BTreeMap::new();
        let mut files = place.store.list(Some(&place.path));
        while let Some(file) = files.next().await {
            let unread = |error| QueryFailure::new(format!("{place} cannot be read: {error}"));
            let file = file.map_err(unread)?;
            let path = file.location.to_string();
            let Some(belonging) = Belonging::of(&path) else {
                continue;
            };
            let export = belonging.export.join("/");
            let run = there.entry((export.clone(), belonging.run));
            let run = run.or_insert_with(|| ExportedRun {
                number: 0,
                export,
                store: place.url.clone(),
                files: BTreeMap::new(),
            });
            run.files.entry(belonging.table).or_default().push(file);
        }
        if there.is_empty() {
            return Err(QueryFailure::new(format!(
                "there is neither a trace nor an export at {place}"
            ))
            .hint("`askance export TRACE --parquet FOLDER` makes an export"));
        }
        found.extend(there.into_values());
    }
    for (run, number) in found.iter_mut().zip(1..) {
        run.number = number;
        for files in run.files.values_mut() {
            files.sort_by(|one, other| one.location.cmp(&other.location));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_belongs_to_a_run_by_where_it_lies() {
        let belonging = Belonging::of("ci/monday/call/run-2/part-0.parquet").unwrap();
        let expected = Belonging {
            export: vec!["ci", "monday"],
            table: "call",
            run: 2,
        };
        assert_eq!(belonging, expected);
        for other in [
            "ci/calls/run-2/part-0.parquet",
            "call/run-x/part-0.parquet",
            "call/run-1/part-0.csv",
            "call/run-1/part-.parquet",
            "part-0.parquet",
            "",
        ] {
            assert_eq!(Belonging::of(other), None, "{other}");
        }
    }
}
