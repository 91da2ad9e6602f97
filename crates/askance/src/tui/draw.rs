//! The screen, drawn: four parts beside and below each other, or one where there is no room.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};

use super::open_tree::Row;
use super::screen::{Pane, Screen};
use super::text::{QUIET, STRONG, sign};

/// With less room than this, only the focused part is drawn.
const NARROWEST: u16 = 60;
const LOWEST: u16 = 16;
/// Deeper calls stand below each other.
const DEEPEST_INDENT: usize = 12;

/// Keys with what they mean.
type Keys = [(&'static str, &'static str)];
const ANSWERS: &Keys = &[
    ("y", "yes"),
    ("n", "no"),
    ("d", "don't know"),
    ("t", "trust"),
    ("i", "inadmissible"),
    ("w", "wrong"),
    ("u", "undo"),
    ("?", "help"),
    ("q", "leave"),
];
const AFTER: &Keys = &[
    ("Enter", "that is it"),
    ("r", "that is not it"),
    ("z", "look inside"),
    ("u", "undo"),
    ("?", "help"),
    ("q", "leave"),
];
const FEW: &Keys = &[
    ("y n d t i w u r z", ""),
    ("Tab", ""),
    ("?", "help"),
    ("q", "leave"),
];

pub(super) fn draw(screen: &mut Screen<'_>, frame: &mut Frame<'_>) {
    let [head, body, foot] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(3),
        Constraint::Length(1),
    ])
    .areas(frame.area());
    draw_head(screen, frame, head);
    if screen.is_full || body.width < NARROWEST || body.height < LOWEST {
        draw_pane(screen, frame, screen.focus, body);
    } else {
        let halves = [Constraint::Percentage(50), Constraint::Percentage(50)];
        let [left, right] = Layout::horizontal(halves).areas(body);
        for (column, panes) in [
            (left, [Pane::Question, Pane::Call]),
            (right, [Pane::Tree, Pane::Source]),
        ] {
            let rows: [Rect; 2] = Layout::vertical(halves).areas(column);
            for (pane, area) in panes.into_iter().zip(rows) {
                draw_pane(screen, frame, pane, area);
            }
        }
    }
    draw_foot(screen, frame, foot);
    if let Some(sheet) = &screen.sheet {
        let text = Paragraph::new(sheet.text.as_str())
            .wrap(Wrap { trim: false })
            .scroll((sheet.scroll, 0))
            .block(
                Block::bordered()
                    .title(format!(" {} ", sheet.title))
                    .title_bottom(Line::styled(" ↑ ↓, any other key closes ", QUIET)),
            );
        frame.render_widget(Clear, body);
        frame.render_widget(text, body);
    }
}

fn draw_head(screen: &Screen<'_>, frame: &mut Frame<'_>, area: Rect) {
    let mut words = vec![Span::styled(" askance ", STRONG)];
    if area.width >= NARROWEST {
        words.push(Span::raw(format!("{}  ", screen.title)));
    }
    if area.width < NARROWEST || screen.is_full {
        for pane in Pane::ALL {
            let style = if pane == screen.focus {
                Style::new().add_modifier(Modifier::REVERSED)
            } else {
                QUIET
            };
            words.push(Span::styled(format!(" {} ", pane.title()), style));
        }
    } else {
        words.push(Span::styled(
            format!("questions by {}", screen.session().strategy_name()),
            QUIET,
        ));
    }
    frame.render_widget(Line::from(words), area);
}

fn draw_foot(screen: &Screen<'_>, frame: &mut Frame<'_>, area: Rect) {
    let line = match (&screen.input, screen.message()) {
        (Some(input), _) => Line::from(vec![Span::styled(":", STRONG), Span::raw(input.clone())]),
        (None, Some(message)) => Line::styled(message.to_owned(), STRONG),
        (None, None) => {
            let keys = match screen.question() {
                Some(_) => ANSWERS,
                None => AFTER,
            };
            let line = keys_line(keys);
            if line.width() <= usize::from(area.width) {
                line
            } else {
                keys_line(FEW)
            }
        }
    };
    frame.render_widget(line, area);
    if let Some(input) = &screen.input {
        let column = u16::try_from(input.chars().count() + 1).unwrap_or(u16::MAX);
        frame.set_cursor_position((area.x + column.min(area.width.saturating_sub(1)), area.y));
    }
}

fn keys_line(keys: &Keys) -> Line<'static> {
    let words = keys.iter().flat_map(|(key, meaning)| {
        [
            Span::styled(format!(" {key}"), STRONG),
            Span::styled(format!(" {meaning}"), QUIET),
        ]
    });
    Line::from_iter(words)
}

fn draw_pane(screen: &mut Screen<'_>, frame: &mut Frame<'_>, pane: Pane, area: Rect) {
    let is_focused = screen.focus == pane;
    let title = match pane {
        Pane::Call => format!(" Call #{} ", screen.chosen),
        pane => format!(" {} ", pane.title()),
    };
    let block = if is_focused {
        Block::bordered().title(Line::styled(title, STRONG.add_modifier(Modifier::REVERSED)))
    } else {
        Block::bordered().border_style(QUIET).title(title)
    };
    let inside = block.inner(area);
    if pane == Pane::Tree {
        let rows = screen.rows(usize::from(inside.height));
        let lines: Vec<Line<'_>> = rows.iter().map(|row| tree_line(screen, *row)).collect();
        frame.render_widget(Paragraph::new(lines).block(block), area);
        return;
    }
    let shown = screen.shown();
    let lines = match pane {
        Pane::Question => &shown.question,
        Pane::Call => &shown.call,
        Pane::Source | Pane::Tree => &shown.source,
    };
    let mut text = Paragraph::new(Text::from(lines.clone())).block(block);
    if pane != Pane::Source {
        text = text.wrap(Wrap { trim: false });
    }
    // Never past the end: as much as can be seen stays in sight.
    let lines = height(lines, pane, inside.width);
    let room = u16::try_from(lines.saturating_sub(usize::from(inside.height))).unwrap_or(u16::MAX);
    let scroll = screen.scroll[pane as usize].min(room);
    frame.render_widget(text.scroll((scroll, 0)), area);
    screen.scroll[pane as usize] = scroll;
}

/// How many lines of the screen a text takes, about: words that are not broken may take one more.
fn height(lines: &[Line<'_>], pane: Pane, width: u16) -> usize {
    if pane == Pane::Source {
        return lines.len();
    }
    let width = usize::from(width).max(1);
    lines
        .iter()
        .map(|line| line.width().div_ceil(width).max(1))
        .sum()
}

fn tree_line(screen: &Screen<'_>, row: Row) -> Line<'static> {
    let judgement = screen.judgement(row.node);
    let is_out = screen.session().space().weight(row.node) == 0;
    let mut style = if is_out { QUIET } else { Style::new() };
    if row.node == screen.chosen {
        style = style.add_modifier(Modifier::REVERSED);
    }
    let fold = match (row.has_children, row.is_open) {
        (true, true) => "▾",
        (true, false) => "▸",
        (false, _) => " ",
    };
    let mut words = vec![Span::raw(if screen.is_asked(row.node) {
        "»"
    } else {
        " "
    })];
    if row.depth > DEEPEST_INDENT {
        words.push(Span::styled(format!("⋯{} ", row.depth), QUIET));
    } else {
        words.push(Span::raw(" ".repeat(row.depth)));
    }
    words.push(Span::raw(fold));
    words.push(sign(judgement));
    words.push(Span::styled(screen.line(row.node), style));
    Line::from(words)
}
