//! What the parts of the screen say, as lines with their colours. Signs say the same as colours.

use debug_engine::Judgement;
use debug_engine::session::{Diagnosis, Question, Reason};
use debug_engine::view::render::{self, Bounds};
use debug_engine::view::{AskedView, Changed, NodeView, Outcome, StateView};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

use crate::dialogue::{about, count, question_word};

/// A row of the tree is one line.
pub(super) const SHORT: Bounds = Bounds {
    width: 6,
    depth: 2,
    string: 30,
    changes: 2,
    length: 120,
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
    bounds: Bounds,
) -> Vec<Line<'static>> {
    let mut lines = vec![
        Line::styled(question_word(asked_about), STRONG),
        Line::styled(left(question), QUIET),
        Line::default(),
    ];
    lines.extend(asked(asked_about, bounds));
    lines.extend(level.map(|level| Line::styled(level, QUIET)));
    lines
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
    call: &AskedView,
    bounds: Bounds,
) -> Vec<Line<'static>> {
    let headline = |text: String| Line::styled(text, STRONG);
    match diagnosis {
        Diagnosis::Found { .. } => {
            let mut lines = vec![headline("Found: the bug is here.".to_owned())];
            lines.push(Line::styled(
                "Enter that is it · r that is not it · z look inside · u undo",
                QUIET,
            ));
            lines.push(Line::default());
            lines.extend(asked(call, bounds));
            lines
        }
        Diagnosis::Suspects { nodes } => {
            let calls = count(nodes.len() as u64, "call is", "calls are");
            let mut lines = vec![headline(format!(
                "{calls} left that the answers do not tell apart."
            ))];
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
            lines
        }
        Diagnosis::None => vec![
            headline("By these answers every call is right.".to_owned()),
            Line::styled("Enter leave · r doubt an answer · u undo", QUIET),
        ],
    }
}

/// Whatever can be asked about.
pub(super) fn asked(asked: &AskedView, bounds: Bounds) -> Vec<Line<'static>> {
    match asked {
        AskedView::Call(view) => call(view, bounds),
        AskedView::Stretch(_) => render::asked(asked, bounds)
            .lines()
            .map(|line| Line::raw(line.to_owned()))
            .collect(),
    }
}

fn call(view: &NodeView, bounds: Bounds) -> Vec<Line<'static>> {
    let mut lines = vec![Line::from(vec![
        Span::styled(format!("#{} {}", view.node, view.routine), STRONG),
        Span::styled(place(view), QUIET),
    ])];
    if let Some(this) = &view.this {
        lines.push(state("this", this, bounds));
    }
    let named = view.arguments.iter().chain(&view.statics);
    lines.extend(named.map(|named| state(&named.name, &named.state, bounds)));
    lines.push(Line::raw(match &view.outcome {
        Outcome::Void => "  → void".to_owned(),
        Outcome::Returned(value) => format!("  → {}", render::value(value, bounds)),
        Outcome::Thrown(thrown) => format!("  → throws {}", render::exception(thrown, bounds)),
        Outcome::Open => "  → not ended".to_owned(),
    }));
    let changes = render::changes(view);
    let told = changes.iter().take(bounds.changes);
    lines.extend(told.map(|change| {
        Line::styled(
            format!("● {}", render::change_text(change, bounds)),
            CHANGED,
        )
    }));
    if changes.len() > bounds.changes {
        let more = changes.len() - bounds.changes;
        lines.push(Line::styled(
            format!("  …(+{more} more; m shows them)"),
            QUIET,
        ));
    }
    if changes.is_empty() {
        lines.push(Line::styled("  nothing changed", QUIET));
    }
    lines
}

fn place(view: &NodeView) -> String {
    match (&view.file, view.line) {
        (Some(file), Some(line)) => format!(" {file}:{line}"),
        (Some(file), None) => format!(" {file}"),
        (None, _) => String::new(),
    }
}

/// A variable at entry, marked if it was different at exit.
fn state(name: &str, state: &StateView, bounds: Bounds) -> Line<'static> {
    let (mark, style) = match state.after.as_ref().map(|after| after.changed) {
        Some(Changed::Changed) => ("●", CHANGED),
        Some(Changed::Inside) => ("◌", INSIDE),
        Some(Changed::None) | None => (" ", Style::new()),
    };
    Line::styled(
        format!("{mark} {name} = {}", render::value(&state.before, bounds)),
        style,
    )
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
