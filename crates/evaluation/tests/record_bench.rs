//! The benchmark against stand-ins for the recorder and the probes: scripts that take the same command lines.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use evaluation::record_bench::{BenchError, Options, Probes, Report, run};
use evaluation::strategy_bench::Recorder;
use tempfile::TempDir;
use test_support::Jdk;

/// Writes as many bytes as `--detail` has letters, then runs the command; asks without a word.
const FAITHFUL: &str = r#"#!/bin/sh
[ "$1 $2" = "ask --non-interactive" ] && exit 1
[ "$1 $2" = "record -o" ] || exit 2
trace=$3
mkdir -p "$trace"
shift 3
while [ "$1" != -- ]; do
  if [ "$1" = --detail ]; then printf %s "$2" > "$trace/events"; fi
  shift
done
shift
exec "$@"
"#;

/// Finds that one call of ten does not replay.
const REPLAY_PROBE: &str = r#"#!/bin/sh
echo '{"calls":10,"in_full":10,"agreed":9,"bytecodes":50,"time":{"secs":1,"nanos":0},"events":0,"bytes":0,"troubles":[]}'
"#;

const SIZE_PROBE: &str = r#"#!/bin/sh
echo '{"calls":10,"clock":{"secs":1,"nanos":0},"cpu":{"secs":1,"nanos":0}}'
"#;

const TALKATIVE: &str = r#"#!/bin/sh
while [ "$1" != -- ]; do shift; done
shift
echo recording
exec "$@"
"#;

fn program(folder: &Path, name: &str, script: &str) -> std::io::Result<PathBuf> {
    let path = folder.join(name);
    fs::write(&path, script)?;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
    Ok(path)
}

fn bench(script: &str) -> Result<Report, BenchError> {
    let folder = TempDir::new()?;
    let options = Options {
        recorder: Recorder {
            executable: program(folder.path(), "askance", script)?,
            jdk: Jdk::default(),
        },
        probes: Probes {
            replay: program(folder.path(), "replay-probe", REPLAY_PROBE)?,
            size: program(folder.path(), "size-probe", SIZE_PROBE)?,
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
        assert_eq!(row.replayed.disagreeing(), 1);
        assert!(row.first_question.is_some());
        assert!(row.plain.as_millis() > 0);
    }
    assert_eq!(report.bytes_per_event(), None);
    assert_eq!(report.misbehaving(), ["fib", "wordcount"]);
}

#[test]
fn a_changed_output_is_told_of_each_workload() {
    let report = bench(TALKATIVE).unwrap();
    assert_eq!(report.rows.len(), 0);
    assert_eq!(report.misbehaving(), ["fib", "wordcount"]);
    let reason = &report.failures[0].reason;
    assert_eq!(reason, "fib prints something else when it is recorded");
}

#[test]
fn a_failed_recording_is_told() {
    let script = r#"#!/bin/sh
case "$*" in *--detail*) echo no room >&2; exit 3 ;; esac
while [ "$1" != -- ]; do shift; done
shift
exec "$@"
"#;
    let report = bench(script).unwrap();
    let reason = &report.failures[0].reason;
    assert!(reason.contains("no room"), "{reason}");
}

#[test]
fn a_missing_recorder_is_named() {
    let options = Options {
        recorder: Recorder {
            executable: "/nowhere/askance".into(),
            jdk: Jdk::default(),
        },
        probes: Probes {
            replay: PathBuf::new(),
            size: PathBuf::new(),
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
