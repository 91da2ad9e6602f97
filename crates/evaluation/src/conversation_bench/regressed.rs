//! Regressions between releases of libraries: the program is recorded with the broken release, and a person knows from
//! the mended one what is right.

use std::fs;
use std::path::{Path, PathBuf};

use super::Options;
use trace_format::json::VERSION;

use super::case::{Case, CorpusPart};
use super::recordings::{Recorded, content, folder_of, record as record_run};
use crate::record_bench::BenchError;
use crate::regressions::{Regression, Release, fetch};

pub(super) fn record(
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<Vec<PathBuf>, BenchError> {
    let all = Regression::all()?;
    let is_wanted = |regression: &Regression| {
        // Of a mistake that is no method's, no method can be named.
        let is_named = !(regression.introduced_by.is_empty() && regression.fixed_in.is_empty());
        is_named && options.wants(CorpusPart::Regressions, &regression.id)
    };
    let limit = options.limit.unwrap_or(usize::MAX);
    let wanted: Vec<Regression> = all.into_iter().filter(is_wanted).take(limit).collect();
    fetch(&wanted)?;
    let mut cases = Vec::new();
    for regression in &wanted {
        let releases = Release::ALL.map(|release| regression.artifacts(release).to_vec());
        let inputs = (VERSION.minor, releases, content(&regression.source_dir())?);
        let folder = folder_of(&options.keep.join("regressions"), &regression.id, inputs);
        if !Case::is_in(&folder) {
            progress(&format!("recording regression {}", regression.id));
            record_regression(options, regression, &folder)?;
        }
        cases.push(folder);
    }
    Ok(cases)
}

fn record_regression(
    options: &Options,
    regression: &Regression,
    folder: &Path,
) -> Result<(), BenchError> {
    fs::create_dir_all(folder)?;
    let reference = folder.join("reference");
    for (release, trace) in [
        (Release::Broken, folder.join("trace")),
        (Release::Mended, reference.clone()),
    ] {
        let run = regression.run(&options.recorder.jdk, release)?;
        let stop = regression
            .time_limit()
            .filter(|_| release == Release::Broken);
        let recorder = &options.recorder.executable;
        record_run(recorder, &run, &trace, Recorded::Everything, stop)?;
    }
    let to_blame = regression.introduced_by.iter().chain(&regression.fixed_in);
    let mut culprits: Vec<String> = to_blame.cloned().collect();
    culprits.sort();
    culprits.dedup();
    let case = Case {
        part: CorpusPart::Regressions,
        program: regression.library.clone(),
        name: regression.id.clone(),
        what: regression.what.clone(),
        culprits,
        line: None,
        expected_output: Some(regression.good_output.clone()),
        reference,
        sources: vec![regression.source_dir()],
    };
    Ok(case.write(folder)?)
}
