//! The benchmark against a stand-in for the recorder: a script that takes the same command line.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use evaluation::record_bench::{BenchError, Options, Report, run};
use evaluation::strategy_bench::Recorder;
use tempfile::TempDir;
use test_support::Jdk;

/// Writes as many bytes as `--detail` has letters, then runs the command.
const FAITHFUL: &str = r#"#!/bin/sh
[ "$1 $2" = "record -o" ] || exit 2
trace=$3
mkdir -p "$trace"
shift 3
if [ "$1" = --detail ]; then printf %s "$2" > "$trace/events"; shift 2; fi
shift
exec "$@"
"#;

const TALKATIVE: &str = r#"#!/bin/sh
while [ "$1" != -- ]; do shift; done
shift
echo recording
exec "$@"
"#;

fn bench(script: &str) -> Result<Report, BenchError> {
    let folder = TempDir::new()?;
    let recorder: PathBuf = folder.path().join("askance");
    fs::write(&recorder, script)?;
    fs::set_permissions(&recorder, fs::Permissions::from_mode(0o755))?;
    let options = Options {
        recorder: Recorder {
            executable: recorder,
            jdk: Jdk::default(),
        },
        rounds: 1,
        only: vec!["fib".to_owned(), "wordcount".to_owned()],
        scale: 0.01,
    };
    run(&options, |_| {})
}

#[test]
fn measures_what_the_recorder_leaves() {
    let report = bench(FAITHFUL).unwrap();
    let names: Vec<&str> = report
        .rows
        .iter()
        .map(|row| row.workload.as_str())
        .collect();
    assert_eq!(names, ["fib", "wordcount"]);
    for row in &report.rows {
        assert_eq!((row.full.bytes, row.calls.bytes), (4, 5));
        assert_eq!(row.density, None, "what the stand-in makes is no trace");
        assert!(row.plain.as_millis() > 0);
    }
    assert_eq!(report.bytes_per_event(), None);
}

#[test]
fn a_changed_output_is_an_error() {
    assert!(matches!(bench(TALKATIVE), Err(BenchError::OutputDiffers(name)) if name == "fib"));
}

#[test]
fn a_failed_recording_is_an_error() {
    let error = bench("#!/bin/sh\necho no room >&2\nexit 3\n").unwrap_err();
    assert!(error.to_string().contains("no room"), "{error}");
}

#[test]
fn a_missing_recorder_is_named() {
    let options = Options {
        recorder: Recorder {
            executable: "/nowhere/askance".into(),
            jdk: Jdk::default(),
        },
        rounds: 1,
        only: Vec::new(),
        scale: 1.0,
    };
    assert!(matches!(
        run(&options, |_| {}),
        Err(BenchError::NoRecorder(_))
    ));
}
