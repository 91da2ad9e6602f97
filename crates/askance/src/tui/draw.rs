//! The screen, drawn: four parts beside and below each other, or one where there is no room.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};

use super::beside::BesideView;
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
/// What goes with both.
const LOOKING: &Keys = &[
    ("h", "history"),
    ("b", "where from"),
    ("l", "suspects"),
    ("o", "output"),
    ("a", "answers"),
    ("m", "more"),
    ("s", "source"),
    ("g", "ask about"),
    ("x", "transform"),
    ("c", "strategy"),
    ("Tab", "next part"),
    ("f", "full"),
    (".", "back to it"),
    (":", "type"),
];
const FEW: &Keys = &[
    ("y n d t i w u r z", ""),
    ("Tab", ""),
    ("?", "help"),
    ("q", "leave"),
];
/// So many lines of keys leave room for the rest.
const MOST_KEY_LINES: usize = 3;

pub(super) fn draw(screen: &mut Screen<'_>, frame: &mut Frame<'_>) {
    let keys = key_lines(screen, frame.area());
    let [head, body, foot] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(3),
        Constraint::Length(u16::try_from(keys.len()).unwrap_or(1)),
    ])
    .areas(frame.area());
    draw_head(screen, frame, head);
    if screen.is_full || body.width < NARROWEST || body.height < LOWEST {
        draw_pane(screen, frame, screen.focus, body);
    } else {
        let halves = [Constraint::Percentage(50), Constraint::Percentage(50)];
        let [left, right] = Layout::horizontal(halves).areas(body);
        for (column, panes) in [
            (left, [Pane::Question, Pane::Beside]),
            (right, [Pane::Tree, Pane::Source]),
        ] {
            let rows: [Rect; 2] = Layout::vertical(halves).areas(column);
            for (pane, area) in panes.into_iter().zip(rows) {
                draw_pane(screen, frame, pane, area);
            }
        }
    }
    draw_foot(screen, frame, foot, keys);
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

fn draw_foot(screen: &Screen<'_>, frame: &mut Frame<'_>, area: Rect, keys: Vec<Line<'static>>) {
    let lines = match (&screen.input, screen.message()) {
        (Some(input), _) => {
            vec![Line::from(vec![
                Span::styled(":", STRONG),
                Span::raw(input.clone()),
            ])]
        }
        (None, Some(message)) => vec![Line::styled(message.to_owned(), STRONG)],
        (None, None) => keys,
    };
    frame.render_widget(Text::from(lines), area);
    if let Some(input) = &screen.input {
        let column = u16::try_from(input.chars().count() + 1).unwrap_or(u16::MAX);
        frame.set_cursor_position((area.x + column.min(area.width.saturating_sub(1)), area.y));
    }
}

/// Every key that means something now, in as many lines as it takes; the most important ones where there is no room.
fn key_lines(screen: &Screen<'_>, area: Rect) -> Vec<Line<'static>> {
    let answers = match screen.question() {
        Some(_) => ANSWERS,
        None => AFTER,
    };
    let width = usize::from(area.width);
    let all = wrapped(answers.iter().chain(LOOKING), width);
    let is_low = area.height < LOWEST + 2;
    if all.len() <= MOST_KEY_LINES && !is_low {
        return all;
    }
    let answers = wrapped(answers, width);
    match answers.len() {
        1 => answers,
        _ => wrapped(FEW, width),
    }
}

fn wrapped<'keys>(
    keys: impl IntoIterator<Item = &'keys (&'static str, &'static str)>,
    width: usize,
) -> Vec<Line<'static>> {
    let mut lines = vec![Line::default()];
    for (key, meaning) in keys {
        let words = [
            Span::styled(format!(" {key}"), STRONG),
            Span::styled(format!(" {meaning}"), QUIET),
        ];
        let room: usize = words.iter().map(Span::width).sum();
        if lines.last().is_some_and(|line| line.width() + room > width) {
            lines.push(Line::default());
        }
        if let Some(line) = lines.last_mut() {
            line.spans.extend(words);
        }
    }
    lines
}

/// The views that share a part of the screen, the one that is shown in brackets.
fn beside_title(screen: &Screen<'_>) -> String {
    let shown = screen.beside_view();
    let titles = BesideView::ALL.map(|view| {
        let title = view.title(screen.chosen);
        match view == shown {
            true => format!("[{title}]"),
            false => title,
        }
    });
    format!(" {} ", titles.join(" "))
}

fn draw_pane(screen: &mut Screen<'_>, frame: &mut Frame<'_>, pane: Pane, area: Rect) {
    let is_focused = screen.focus == pane;
    let title = match pane {
        Pane::Beside => beside_title(screen),
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
        let (above, below) = screen.goes_on(&rows);
        let lines: Vec<Line<'_>> = rows.iter().map(|row| tree_line(screen, *row)).collect();
        let block = marked(
            block,
            above.then_some(String::new()),
            below.then_some(String::new()),
        );
        frame.render_widget(Paragraph::new(lines).block(block), area);
        return;
    }
    let (mut lines, pointed) = pane_lines(screen, pane);
    if let Some(line) = pointed.and_then(|at| lines.get_mut(at))
        && is_focused
    {
        *line = line.clone().patch_style(Modifier::REVERSED);
    }
    // Never past the end: as much as can be seen stays in sight.
    let all = height(&lines, pane, inside.width);
    let seen = usize::from(inside.height);
    let mut scroll = usize::from(screen.scroll[pane as usize]).min(all.saturating_sub(seen));
    if let Some(at) = pointed {
        let above = height(&lines[..at.min(lines.len())], pane, inside.width);
        scroll = scroll.max((above + 1).saturating_sub(seen)).min(above);
    }
    let below = all.saturating_sub(scroll + seen);
    let count = |lines: usize| (lines > 0).then(|| format!(" {lines}"));
    let mut text =
        Paragraph::new(Text::from(lines)).block(marked(block, count(scroll), count(below)));
    if pane != Pane::Source {
        text = text.wrap(Wrap { trim: false });
    }
    let scroll = u16::try_from(scroll).unwrap_or(u16::MAX);
    frame.render_widget(text.scroll((scroll, 0)), area);
    screen.scroll[pane as usize] = scroll;
}

/// What a part shows, and the line that is pointed at.
fn pane_lines(screen: &Screen<'_>, pane: Pane) -> (Vec<Line<'static>>, Option<usize>) {
    let shown = screen.shown();
    match (pane, screen.beside_view()) {
        (Pane::Question, _) => {
            let value = screen.pointed_value().map(|(line, _)| *line);
            (shown.question.clone(), value)
        }
        (Pane::Beside, BesideView::Call) => (shown.call.clone(), None),
        (Pane::Beside, view) => {
            let (lines, pointed) = screen.beside().lines(view);
            (lines, Some(pointed))
        }
        (Pane::Source | Pane::Tree, _) => (shown.source.clone(), None),
    }
}

/// Tells at the edge of a part how much of it is out of sight.
fn marked(block: Block<'_>, above: Option<String>, below: Option<String>) -> Block<'_> {
    let words = [("↑", above), ("↓", below)].into_iter();
    let words: Vec<String> = words
        .filter_map(|(sign, count)| Some(format!("{sign}{}", count?)))
        .collect();
    match words.is_empty() {
        true => block,
        false => block
            .title_bottom(Line::styled(format!(" {} ", words.join(" ")), QUIET).right_aligned()),
    }
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
