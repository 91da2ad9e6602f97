//! What a program prints is in its trace, with the calls that printed it, whichever way it took.

#![allow(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use std::collections::BTreeMap;

use crate::common::{Recorded, assert_whole, java_source, jdks, name, record};
use test_support::{Fixture, Jdk, Run};
use trace_format::{PrintedContent, StandardStream, Stream, event};
use trace_store::{CallId, Printed, PrintedPiece, Trace};

fn program(jdk: &Jdk, arguments: &[&str]) -> Run {
    let folder = java_source("output").with_extension("");
    let classes = Fixture::new().path(folder).compile_for(jdk).unwrap();
    let run = classes
        .run(jdk)
        .jvm_arg("-Xverify:all")
        .jvm_arg("-XX:-PrintWarnings")
        .jvm_arg("-Dfile.encoding=UTF-8")
        .jvm_arg("-Dstdout.encoding=UTF-8");
    arguments
        .iter()
        .fold(run, |run, argument| run.arg(*argument))
}

fn recorded(jdk: &Jdk, arguments: &[&str], options: &str) -> Recorded {
    let run = program(jdk, arguments);
    let plain = run.run().unwrap();
    record(&run, options).like(&plain)
}

/// The innermost call that was open when a piece was printed.
fn printed_by(trace: &Trace, piece: &PrintedPiece<'_>) -> Option<String> {
    let (thread, position) = (piece.thread?, piece.position?);
    let index = trace.calls(thread).unwrap().at(position)?;
    Some(name(trace, CallId::new(thread, index)))
}

/// The lines of a stream, each with the calls that printed its parts.
fn lines(trace: &Trace, stream: StandardStream) -> Vec<(String, Vec<String>)> {
    let printed = trace.printed().unwrap();
    let line = |index| {
        let line = printed.line(stream, index).unwrap();
        let mut by = Vec::new();
        for part in printed.parts(&line) {
            let piece = printed.piece(part.piece).unwrap();
            let call = printed_by(trace, &piece).unwrap_or_else(|| "nobody".to_owned());
            if by.last() != Some(&call) {
                by.push(call);
            }
        }
        (String::from_utf8_lossy(line.text).into_owned(), by)
    };
    (0..printed.line_count(stream)).map(line).collect()
}

fn text(printed: &Printed, stream: StandardStream) -> Vec<u8> {
    let mut text = Vec::new();
    for piece in (0..printed.len()).filter_map(|index| printed.piece(index)) {
        if let PrintedContent::Text(bytes) = piece.content
            && piece.stream == stream
        {
            text.extend_from_slice(bytes);
        }
    }
    text
}

/// The event that a piece names tells of that piece.
fn assert_events_tell(trace: &Trace) {
    let printed = trace.printed().unwrap();
    for piece in (0..printed.len()).filter_map(|index| printed.piece(index)) {
        let Some((thread, position)) = piece.thread.zip(piece.position) else {
            continue;
        };
        let bytes = trace.stream(thread, Stream::Events).at(position.0).unwrap();
        let decoded = event::decode(bytes, trace.symbols(), None).unwrap();
        let Some((event::Event::Output { piece: number }, _)) = decoded else {
            panic!("{decoded:?} at {position:?}");
        };
        assert_eq!(printed.piece_at(thread, position, number), Some(piece));
    }
}

#[test]
fn whatever_way_is_taken_each_line_knows_its_call() {
    for jdk in jdks() {
        for options in ["detail=full", "detail=calls"] {
            let recorded = recorded(jdk, &["ways"], options);
            let trace = recorded.trace();
            assert_whole(&trace, |_| false);
            assert_eq!(trace.log(), Vec::<String>::new());
            assert_events_tell(&trace);
            let by = |method: &str| vec![format!("Main.{method}")];
            let expected = [
                ("plain", by("ways")),
                ("by one", by("characters")),
                ("formatted=17", by("ways")),
                ("asked", vec!["Main$Named.toString".to_owned()]),
                ("<named>", by("ways")),
                ("grüß", by("split")),
                ("raw", by("ways")),
                ("open", by("ways")),
            ];
            let expected = expected.map(|(line, by)| (line.to_owned(), by));
            let found = lines(&trace, StandardStream::Output);
            assert_eq!(found, expected, "{} {options}", jdk.full_version());
            let errors = lines(&trace, StandardStream::Error);
            assert_eq!(errors, [("an error".to_owned(), by("ways"))]);
            let printed = trace.printed().unwrap();
            assert_eq!(
                text(printed, StandardStream::Output),
                recorded.finished.stdout
            );
        }
    }
}

#[test]
fn lines_of_several_threads_are_in_the_order_in_which_they_were_printed() {
    for jdk in jdks() {
        // Which thread prints when is another matter in each run.
        let recorded = record(&program(jdk, &["threads"]), "detail=full");
        assert_eq!(recorded.finished.exit_code(), Some(1));
        let trace = recorded.trace();
        assert_events_tell(&trace);
        let printed = trace.printed().unwrap();
        assert_eq!(
            text(printed, StandardStream::Output),
            recorded.finished.stdout
        );
        assert_eq!(
            text(printed, StandardStream::Error),
            recorded.finished.stderr
        );
        let mut by_thread = BTreeMap::new();
        for (line, by) in lines(&trace, StandardStream::Output) {
            assert_eq!(by, ["Main.count"], "{line}");
            *by_thread
                .entry(line.split(':').next().unwrap().to_owned())
                .or_insert(0) += 1;
        }
        assert_eq!(by_thread.into_values().collect::<Vec<_>>(), [250; 4]);
        // The JVM tells of the exception when no call is open any more.
        let errors = lines(&trace, StandardStream::Error);
        assert!(
            errors[0].0.contains("IllegalStateException: at the end"),
            "{errors:?}"
        );
        assert_eq!(errors[0].1, ["nobody"]);
    }
}

#[test]
fn what_the_system_gets_counts_wherever_system_out_leads() {
    let recorded = recorded(&Jdk::default(), &["replaced"], "detail=full");
    let trace = recorded.trace();
    let found = lines(&trace, StandardStream::Output);
    let found: Vec<&str> = found.iter().map(|(line, _)| line.as_str()).collect();
    assert_eq!(found, ["to another stream", "kept 10"]);
}

#[test]
fn binary_output_is_counted() {
    let recorded = recorded(&Jdk::default(), &["binary"], "detail=full");
    let trace = recorded.trace();
    let printed = trace.printed().unwrap();
    let totals = printed.totals();
    assert_eq!(totals.bytes[0], recorded.finished.stdout.len() as u64);
    let found = lines(&trace, StandardStream::Output);
    let found: Vec<&str> = found.iter().map(|(line, _)| line.as_str()).collect();
    assert_eq!(found, ["before", "", "\u{1b}[1mafter\u{1b}[0m\tall"]);
}

#[test]
fn of_a_huge_output_the_first_part_and_the_last_are_kept() {
    let lines = 30_000;
    let recorded = recorded(
        &Jdk::default(),
        &["huge", &lines.to_string()],
        "max-trace=8000000",
    );
    let trace = recorded.trace();
    let printed = trace.printed().unwrap();
    assert_eq!(printed.totals().lines, [lines, 0]);
    assert_eq!(
        printed.totals().bytes[0],
        recorded.finished.stdout.len() as u64
    );
    assert!(trace.folder().join("printed").metadata().unwrap().len() <= 2 * 8_000_000 / 16);
    let kept = u64::from(printed.line_count(StandardStream::Output));
    assert!(kept > 1000 && kept < lines - 1000, "{kept}");
    for number in [1, 2, kept / 3, lines - kept / 3, lines - 1, lines] {
        let line = printed.line_number(StandardStream::Output, number).unwrap();
        let begin = format!("line number {number} of many");
        assert!(line.text.starts_with(begin.as_bytes()), "{line:?}");
    }
    assert_eq!(printed.line_number(StandardStream::Output, lines / 2), None);
}

#[test]
fn secrets_are_not_kept_where_they_are_printed() {
    let recorded = recorded(
        &Jdk::default(),
        &["secrets", "correct-horse-9"],
        "detail=full,mask=*password*;*apikey*",
    );
    let trace = recorded.trace();
    let found = lines(&trace, StandardStream::Output);
    let found: Vec<&str> = found.iter().map(|(line, _)| line.as_str()).collect();
    let stars = "*".repeat(15);
    let key = "*".repeat("open15sesame".len());
    assert_eq!(
        found,
        [
            &format!("the word is {stars}"),
            &stars,
            &key,
            &format!("key {key}")
        ]
    );
    let kept = std::fs::read(trace.folder().join("printed")).unwrap();
    for secret in ["correct-horse-9", "open15sesame"] {
        assert!(!kept.windows(secret.len()).any(|it| it == secret.as_bytes()));
    }
}

#[test]
fn what_was_printed_before_the_jvm_was_killed_is_there() {
    let recorded = recorded(&Jdk::default(), &["killed"], "detail=full");
    let trace = recorded.trace();
    assert!(trace.end().is_none());
    let printed = trace.printed().unwrap();
    assert_eq!(
        text(printed, StandardStream::Output),
        recorded.finished.stdout
    );
    let last = lines(&trace, StandardStream::Output).pop().unwrap();
    assert_eq!(
        last,
        (
            "before the end 999".to_owned(),
            vec!["Main.killed".to_owned()]
        )
    );
}

#[test]
fn of_a_ring_the_text_is_there_even_where_its_calls_are_gone() {
    let run = program(&Jdk::default(), &["huge", "20000"]);
    let recorded = record(&run, "max-trace=2000000,when-full=ring").like(&run.run().unwrap());
    let trace = recorded.trace();
    let found = lines(&trace, StandardStream::Output);
    assert!(found[0].0.starts_with("line number 1 of many"));
    let last = found.last().unwrap();
    assert!(last.0.starts_with("line number 20000 of many"));
    assert_eq!(last.1, ["Main.huge"]);
}

#[test]
fn what_is_printed_after_the_recording_stopped_is_there_without_a_call() {
    let recorded = recorded(
        &Jdk::default(),
        &["huge", "3000"],
        "max-trace=20000,detail=full",
    );
    let trace = recorded.trace();
    let found = lines(&trace, StandardStream::Output);
    assert_eq!(found[0].1, ["Main.huge"]);
    let last = found.last().unwrap();
    assert!(last.0.starts_with("line number 3000 of many"));
    assert_eq!(last.1, ["nobody"]);
}
