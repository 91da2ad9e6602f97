//! The example programs, whose working twins say what they should have printed.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use test_support::{Example, ExampleVersion};

use super::Options;
use trace_format::json::VERSION;

use super::case::{Case, CorpusPart, MethodName};
use super::recordings::{Recorded, content, folder_of, record as record_run};
use crate::record_bench::BenchError;

/// They are small.
const TIME_LIMIT: Duration = Duration::from_secs(60);

pub(super) fn record(
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<Vec<PathBuf>, BenchError> {
    let mut cases = Vec::new();
    for example in Example::all()? {
        let wanted = options.wants(CorpusPart::Examples, &example.name);
        if !wanted || options.limit.is_some_and(|limit| cases.len() >= limit) {
            continue;
        }
        let sources = [ExampleVersion::Buggy, ExampleVersion::Fixed]
            .map(|version| example.source_dir(version));
        let inputs = (VERSION.minor, content(&sources[0])?, content(&sources[1])?);
        let folder = folder_of(&options.keep.join("examples"), &example.name, inputs);
        if !Case::is_in(&folder) {
            progress(&format!("recording example {}", example.name));
            record_example(options, &example, folder.clone())?;
        }
        cases.push(folder);
    }
    Ok(cases)
}

fn record_example(options: &Options, example: &Example, folder: PathBuf) -> Result<(), BenchError> {
    fs::create_dir_all(&folder)?;
    let reference = folder.join("reference");
    for (version, trace) in [
        (ExampleVersion::Buggy, folder.join("trace")),
        (ExampleVersion::Fixed, reference.clone()),
    ] {
        let run = example.compile(version)?.run(&options.recorder.jdk);
        let run = run.time_limit(TIME_LIMIT);
        let stop = example
            .time_limit()
            .filter(|_| version == ExampleVersion::Buggy);
        let recorder = &options.recorder.executable;
        record_run(recorder, &run, &trace, Recorded::OwnCode, stop)?;
    }
    let culprit = MethodName::new(&example.class, &example.method, &example.descriptor);
    let case = Case {
        part: CorpusPart::Examples,
        program: example.name.clone(),
        name: example.name.clone(),
        what: example.kind.clone(),
        culprits: vec![culprit.full],
        line: None,
        expected_output: Some(example.fixed_output.clone()),
        reference,
        sources: vec![example.source_dir(ExampleVersion::Buggy)],
    };
    Ok(case.write(&folder)?)
}
