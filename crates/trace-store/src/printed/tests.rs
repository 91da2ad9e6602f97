use proptest::prelude::*;
use trace_format::PrintedContent;
use trace_format::json::VERSION;

use super::*;

fn piece(stream: StandardStream, text: &str) -> PieceRecord<'_> {
    PieceRecord {
        stream,
        thread: Some(ThreadNumber(0)),
        position: Some(EventPosition(7)),
        content: PrintedContent::of(text.as_bytes()),
        is_masked: false,
    }
}

fn stream() -> impl Strategy<Value = StandardStream> {
    prop_oneof![Just(StandardStream::Output), Just(StandardStream::Error)]
}

fn texts() -> impl Strategy<Value = Vec<(StandardStream, String)>> {
    prop::collection::vec((stream(), "[ab\n]{0,4}|\u{1}"), 0..40)
}

/// The text of a stream and how often it was interrupted, as a scan of all pieces tells.
fn lines_of(pieces: &[(StandardStream, String)], wanted: StandardStream) -> Vec<String> {
    let is_text = |text: &&String| !text.contains('\u{1}');
    let all: String = pieces
        .iter()
        .filter(|(stream, _)| *stream == wanted)
        .map(|(_, text)| text)
        .filter(is_text)
        .cloned()
        .collect();
    all.lines().map(str::to_owned).collect()
}

#[test]
fn every_format_that_can_be_written_now_has_the_output() {
    let folder = std::env::temp_dir();
    let is_recorded = |major, minor| {
        let format = FormatVersion { major, minor };
        Printed::read(&folder.join("no such trace"), format, None)
            .unwrap()
            .is_recorded()
    };
    assert!(!is_recorded(5, 0));
    assert!(is_recorded(5, 1));
    assert!(is_recorded(6, 0));
    let FormatVersion { major, minor } = VERSION;
    assert!(is_recorded(major, minor));
}

proptest! {
    #[test]
    fn lines_are_those_of_the_whole_text(pieces in texts()) {
        let mut printed = Printed::default();
        printed.begin_stretch(PrintedCounts::default());
        for (stream, text) in &pieces {
            printed.add(&piece(*stream, text));
        }
        for stream in StandardStream::ALL {
            let expected = lines_of(&pieces, stream);
            let lines: Vec<_> = (0..printed.line_count(stream))
                .filter_map(|index| printed.line(stream, index))
                .collect();
            let found: Vec<&[u8]> = lines.iter().map(|line| line.text).collect();
            prop_assert_eq!(&found, &expected.iter().map(String::as_bytes).collect::<Vec<_>>());
            for (number, line) in (1..).zip(&lines) {
                prop_assert_eq!(line.number, number);
                let by_number = printed.line_number(stream, number);
                prop_assert_eq!(by_number.as_ref(), Some(line));
                // The parts make up the line, and each is what its piece says.
                let mut at = 0;
                for part in printed.parts(line) {
                    prop_assert!(part.range.start == at);
                    at = part.range.end;
                    let piece = printed.piece(part.piece).unwrap();
                    let PrintedContent::Text(text) = piece.content else { panic!("binary") };
                    let shown = &line.text[part.range.clone()];
                    prop_assert!(shown.is_empty() || text.windows(shown.len()).any(|it| it == shown));
                }
                prop_assert_eq!(at, line.text.len());
            }
        }
        for index in 0..printed.len() {
            prop_assert_eq!(printed.piece(index).unwrap().number, u64::from(index));
        }
    }

    #[test]
    fn what_is_left_out_is_counted(first in texts(), lost in texts(), last in texts()) {
        let mut printed = Printed::default();
        printed.begin_stretch(PrintedCounts::default());
        let add = |printed: &mut Printed, pieces: &[(StandardStream, String)]| {
            for (stream, text) in pieces {
                printed.add(&piece(*stream, text));
            }
        };
        add(&mut printed, &first);
        let mut counts = printed.totals();
        for (stream, text) in &lost {
            counts.add(*stream, PrintedContent::of(text.as_bytes()));
        }
        printed.begin_stretch(counts);
        add(&mut printed, &last);
        let all = [first.clone(), lost.clone(), last.clone()].concat();
        prop_assert_eq!(printed.totals().pieces, all.len() as u64);
        let mut left_out = 0;
        let mut lines = [0; 2];
        for entry in printed.entries() {
            match entry {
                PrintedEntry::Line(line) => {
                    let index = &mut lines[line.stream.index()];
                    let expected = printed.line(line.stream, *index);
                    prop_assert_eq!(expected, Some(line));
                    *index += 1;
                }
                PrintedEntry::Binary { bytes, .. } => prop_assert!(bytes > 0),
                PrintedEntry::LeftOut { pieces, .. } => left_out += pieces,
            }
        }
        prop_assert_eq!(left_out, lost.len() as u64);
        let counts = StandardStream::ALL.map(|stream| printed.line_count(stream));
        prop_assert_eq!(lines, counts);
        let before = first.len() + lost.len();
        for (index, _) in (first.len() as u32..).zip(&last) {
            let number = printed.piece(index).unwrap().number;
            prop_assert_eq!(number, (before + index as usize - first.len()) as u64);
        }
        for stream in StandardStream::ALL {
            let numbers: Vec<u64> = (0..printed.line_count(stream))
                .filter_map(|index| Some(printed.line(stream, index)?.number))
                .collect();
            prop_assert!(numbers.is_sorted());
            // A line that goes on behind the gap has its number.
            let whole = lines_of(&all, stream);
            for index in 0..printed.line_count(stream) {
                let line = printed.line(stream, index).unwrap();
                let text = whole.get(line.number as usize - 1).map(String::as_bytes);
                let shown = text.unwrap_or_default();
                prop_assert!(shown.starts_with(line.text) || shown.ends_with(line.text));
            }
        }
    }
}
