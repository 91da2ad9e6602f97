//! What the parts of the screen say, as lines with their colours. Signs say the same as colours.

use debug_engine::Judgement;
use debug_engine::session::{Diagnosis, Question, Reason};
use debug_engine::view::render::{Bounds, Given, Purpose, Sheet};
use debug_engine::view::{AskedView, Changed};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

use inquiry::finding::{Finding, NO_CALL_LEFT, all_calls_of};
use inquiry::words::sentence;
use inquiry::words::{WHICH_IS_WRONG, about, count, question_word};

/// A row of the tree is one line.
pub(super) const SHORT: Bounds = Bounds {
    width: 6,
    depth: 2,
    string: 30,
    changes: 2,
    length: 120,
    calls: 3,
    rows: usize::MAX,
    purpose: Purpose::Line,
};

pub(super) const QUIET: Style = Style::new().fg(Color::DarkGray);
pub(super) const STRONG: Style = Style::new().add_modifier(Modifier::BOLD);
const CHANGED: Style = Style::new().fg(Color::Red);
const INSIDE: Style = Style::new().fg(Color::Yellow);

/// The sign of a judgement, with its colour.
pub(super) fn sign(judgement: Judgement) -> Span<'static> {
    match judgement {
        Judgement::Undefined => Span::raw(" "),
        Judgement::Correct => Span::styled("✓", Style::new().fg(Color::Green)),
        Judgement::Wrong => Span::styled("✗", Style::new().fg(Color::Red)),
        Judgement::Trusted => Span::styled("◇", Style::new().fg(Color::Yellow)),
        Judgement::Inadmissible => Span::styled("⊘", QUIET),
        Judgement::Unknown => Span::styled("?", QUIET),
    }
}

pub(super) fn question(
    question: &Question,
    asked_about: &AskedView,
    level: Option<String>,
    why: Option<String>,
    bounds: Bounds,
) -> Vec<PaneLine> {
    let mut lines = plain(vec![
        Line::styled(question_word(asked_about), STRONG),
        Line::styled(left(question), QUIET),
        Line::default(),
    ]);
    lines.extend(asked(asked_about, bounds));
    let notes = level.into_iter().chain(why);
    lines.extend(plain(notes.map(|note| Line::styled(note, QUIET))));
    lines
}

/// A line, and how one names the value that stands in it, if one does.
pub(super) type PaneLine = (Line<'static>, Option<String>);

fn plain(lines: impl IntoIterator<Item = Line<'static>>) -> Vec<PaneLine> {
    lines.into_iter().map(|line| (line, None)).collect()
}

/// A question about several calls, each in one line under its number.
pub(super) fn list(question: &Question, calls: Vec<String>, why: Option<String>) -> Vec<PaneLine> {
    let mut lines = vec![
        Line::styled(WHICH_IS_WRONG, STRONG),
        Line::styled(left(question), QUIET),
        Line::styled("1, 2, … that one is wrong · y all are right", QUIET),
        Line::default(),
    ];
    let numbered = (1..).zip(calls);
    lines.extend(numbered.map(|(number, call)| Line::raw(format!("{number:2}  {call}"))));
    lines.extend(why.map(|why| Line::styled(why, QUIET)));
    plain(lines)
}

fn left(question: &Question) -> String {
    let mut text = format!(
        "{}, {} left",
        count(question.suspects_left, "suspect", "suspects"),
        about(question.questions_left_estimate)
    );
    if question.reason == Reason::Confirmation {
        text.push_str("; everything below is ruled out");
    }
    text
}

pub(super) fn diagnosis(
    diagnosis: &Diagnosis,
    finding: Finding,
    call: &AskedView,
    bounds: Bounds,
) -> Vec<PaneLine> {
    let headline = |text: String| Line::styled(text, STRONG);
    match diagnosis {
        Diagnosis::Found { .. } => {
            let mut lines = plain([
                headline("Found: the bug is here.".to_owned()),
                Line::styled(
                    "Enter that is it · r that is not it · z look inside · u undo",
                    QUIET,
                ),
                Line::default(),
            ]);
            lines.extend(asked(call, bounds));
            lines
        }
        Diagnosis::Suspects { nodes } => {
            let calls = count(nodes.len() as u64, "call is", "calls are");
            let mut lines = vec![headline(match finding {
                Finding::Method { calls, .. } => sentence(&all_calls_of(calls, call.routine())),
                _ => format!("{calls} left that the answers do not tell apart."),
            })];
            lines.push(Line::styled(
                "Enter leave · r doubt an answer · u undo",
                QUIET,
            ));
            lines.extend(
                nodes
                    .iter()
                    .take(20)
                    .map(|node| Line::raw(format!("  #{node}"))),
            );
            plain(lines)
        }
        Diagnosis::None => plain([
            headline(sentence(NO_CALL_LEFT)),
            Line::styled("Enter leave · r doubt an answer · u undo", QUIET),
        ]),
    }
}

/// Whatever can be asked about.
pub(super) fn asked(asked: &AskedView, bounds: Bounds) -> Vec<PaneLine> {
    let sheet = Sheet::of(asked, bounds);
    let quiet = |text: String| Line::styled(format!("  {text}"), QUIET);
    let mut lines = vec![Line::from(vec![
        Span::styled(format!("{} ", sheet.numbers), QUIET),
        Span::styled(sheet.title, STRONG),
    ])];
    lines.extend(sheet.notes.into_iter().map(quiet));
    let before_the_gap = sheet.calls.len().div_ceil(2);
    for (place, call) in sheet.calls.iter().enumerate() {
        if place == before_the_gap && sheet.calls_left_out > 0 {
            lines.push(quiet(format!("… {} more", sheet.calls_left_out)));
        }
        lines.push(Line::raw(format!("  #{} {}", call.node, call.text)));
    }
    let before = match sheet.outcome {
        Some(_) => "",
        None => "before: ",
    };
    let mut lines = plain(lines);
    let given = sheet.given.iter();
    lines.extend(given.map(|given| (state(given, before), Some(given.name.clone()))));
    lines.extend(plain(left_out(sheet.given_left_out)));
    if let Some(outcome) = sheet.outcome {
        let line = Line::raw(format!("  → {outcome}"));
        lines.push((line, Some("return".to_owned())));
    }
    if sheet.changes.is_empty() {
        lines.extend(plain([quiet("nothing changed".to_owned())]));
    }
    lines.extend(sheet.changes.iter().map(|change| {
        let line = Line::styled(format!("● {change}"), CHANGED);
        (line, Some(change.path.clone()))
    }));
    lines.extend(plain(left_out(sheet.changes_left_out)));
    lines.extend(plain(sheet.guidance.map(quiet)));
    lines
}

/// What there was no room for.
fn left_out(count: u64) -> Option<Line<'static>> {
    let text = format!("  …(+{count} more; m shows them)");
    (count > 0).then(|| Line::styled(text, QUIET))
}

/// A variable as it was before, marked if it was different after.
fn state(given: &Given, before: &str) -> Line<'static> {
    let (mark, style) = match given.changed {
        Changed::Changed => ("●", CHANGED),
        Changed::Inside => ("◌", INSIDE),
        Changed::None => (" ", Style::new()),
    };
    let Given { name, text, .. } = given;
    Line::styled(format!("{mark} {before}{name} = {text}"), style)
}

/// Numbered lines without what all of them are indented by: a screen is narrow.
fn unindented(text: &str) -> impl Iterator<Item = String> {
    let split = |line: &'_ str| match line.split_once(" | ") {
        Some((number, code)) => (format!("{} ", number.trim_start()), code.to_owned()),
        None => (String::new(), line.to_owned()),
    };
    let lines: Vec<(String, String)> = text.lines().map(split).collect();
    let indents = lines.iter().filter(|(_, code)| !code.trim().is_empty());
    let indents = indents.map(|(_, code)| code.len() - code.trim_start().len());
    let indent = indents.min().unwrap_or_default();
    let width = lines
        .iter()
        .map(|(number, _)| number.len())
        .max()
        .unwrap_or_default();
    lines.into_iter().map(move |(number, code)| {
        let code = code.get(indent..).unwrap_or_default();
        format!("{number:>width$}{code}")
    })
}

/// The source of a method, or why there is none.
pub(super) fn source(text: Option<&str>) -> Vec<Line<'static>> {
    match text {
        Some(text) => unindented(text).map(Line::raw).collect(),
        None => vec![Line::styled(
            "The source was not found; name its folder with --source-path.",
            QUIET,
        )],
    }
}
