//! What the keys mean: the letters of the dialogue, and moving about.

use debug_engine::session::Question;
use debug_engine::{NodeId, Target};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::TuiError;
use super::beside::BesideView;
use super::screen::{Pane, Screen, Sheet};
use crate::dialogue::reply::{self, Reply};
use inquiry::chosen_transformations;
use inquiry::command::{Command, Verdict};
use inquiry::reply::Topic;
use inquiry::words::strategies;

/// What a key led to, for whoever has the terminal.
pub(super) enum KeyOutcome {
    Nothing,
    /// The session is not what it was.
    Changed,
    Leave,
    Interrupt,
    /// A search for the piece of the call that is to blame has begun.
    Inside,
}

const MOVING: &str = "
  Tab, Shift-Tab   to the next part of the screen, and back
  f                the part has the whole screen, or no longer
  ↑ ↓ j k, PgUp PgDn   move in it; in the calls → opens, ← closes or goes to the caller
  ↑ ↓              in the question: point at a value;  w it is wrong, h its history, b where it came from
  ← →              beside the question: the call, the suspects (l), the output (o);
                   Enter: look at this suspect, this line is wrong
  Home             to the first call;  .  back to the call in question
  Enter            in the calls: ask about this one
  :                type any of the lines above, e.g. w c[2], g 12, t class, x balance, u 3
  Ctrl-C           leave at once; the answers are kept";

/// Lines begin with a letter, of which some need more to say.
const NEED_MORE: [(char, &str); 6] = [
    ('w', "w "),
    ('g', "g "),
    ('x', "x "),
    ('c', "c "),
    ('h', "h "),
    ('b', "b "),
];
const PAGE: i32 = 10;

pub(super) fn press(screen: &mut Screen<'_>, key: KeyEvent) -> Result<KeyOutcome, TuiError> {
    if key.kind == KeyEventKind::Release {
        return Ok(KeyOutcome::Nothing);
    }
    let with_control = key.modifiers.contains(KeyModifiers::CONTROL);
    if with_control && matches!(key.code, KeyCode::Char('c' | 'd')) {
        return Ok(KeyOutcome::Interrupt);
    }
    screen.forget_message();
    if let Some(sheet) = &mut screen.sheet {
        match key.code {
            KeyCode::Down | KeyCode::Char('j') => sheet.scroll = sheet.scroll.saturating_add(1),
            KeyCode::Up | KeyCode::Char('k') => sheet.scroll = sheet.scroll.saturating_sub(1),
            _ => screen.sheet = None,
        }
        return Ok(KeyOutcome::Nothing);
    }
    if screen.input.is_some() {
        return type_in(screen, key.code);
    }
    if with_control || key.modifiers.contains(KeyModifiers::ALT) {
        return Ok(KeyOutcome::Nothing);
    }
    match key.code {
        KeyCode::Char(letter) if moves(screen, letter) => Ok(KeyOutcome::Nothing),
        KeyCode::Char(':') => {
            screen.input = Some(String::new());
            Ok(KeyOutcome::Nothing)
        }
        KeyCode::Char('w') if points_at_output(screen) => {
            screen.input = screen.beside().wrong_words();
            Ok(KeyOutcome::Nothing)
        }
        KeyCode::Char(letter @ ('w' | 'h' | 'b')) if pointed_path(screen).is_some() => {
            let path = pointed_path(screen).unwrap_or_default();
            match letter {
                'w' => screen.input = Some(format!("w {path}")),
                letter => return say(screen, &format!("{letter} {path}")),
            }
            Ok(KeyOutcome::Nothing)
        }
        KeyCode::Char(letter) => match NEED_MORE.iter().find(|(first, _)| *first == letter) {
            Some((_, beginning)) => {
                screen.input = Some((*beginning).to_owned());
                Ok(KeyOutcome::Nothing)
            }
            None if letter.is_ascii_digit() && asks_about_several(screen) => {
                say(screen, &format!("n {letter}"))
            }
            None => say(screen, &letter.to_string()),
        },
        KeyCode::Enter if screen.focus == Pane::Tree => {
            screen.say(Command::AskAbout(Target::Node(screen.chosen)))?;
            Ok(KeyOutcome::Changed)
        }
        KeyCode::Enter if points_at_output(screen) => {
            if let Some(command) = screen.beside().wrong_line() {
                screen.say(command)?;
            }
            Ok(KeyOutcome::Changed)
        }
        KeyCode::Enter if points_at_suspect(screen) => {
            if let Some(suspect) = screen.beside().suspect() {
                screen.choose(suspect);
            }
            Ok(KeyOutcome::Nothing)
        }
        KeyCode::Enter => say(screen, ""),
        code => {
            go(screen, code);
            Ok(KeyOutcome::Nothing)
        }
    }
}

fn points_at_output(screen: &Screen<'_>) -> bool {
    screen.focus == Pane::Beside
        && screen.beside_view() == BesideView::Output
        && screen.beside().wrong_line().is_some()
}

fn points_at_suspect(screen: &Screen<'_>) -> bool {
    screen.focus == Pane::Beside
        && screen.beside_view() == BesideView::Suspects
        && screen.beside().suspect().is_some()
}

/// How one names the value of the question that is pointed at.
fn pointed_path(screen: &Screen<'_>) -> Option<String> {
    let is_there = screen.focus == Pane::Question;
    is_there.then(|| screen.pointed_value().map(|(_, path)| path.clone()))?
}

fn asks_about_several(screen: &Screen<'_>) -> bool {
    screen.question().is_some_and(Question::is_list)
}

/// Letters that move, whatever the dialogue would make of them.
fn moves(screen: &mut Screen<'_>, letter: char) -> bool {
    match letter {
        'j' => go(screen, KeyCode::Down),
        'k' => go(screen, KeyCode::Up),
        'f' => screen.is_full = !screen.is_full,
        '.' => {
            let node = screen.question().map(|question| question.node);
            if let Some(node) = node.or(screen.found()) {
                screen.choose(node);
            }
        }
        _ => return false,
    }
    true
}

fn go(screen: &mut Screen<'_>, code: KeyCode) {
    let in_tree = screen.focus == Pane::Tree;
    let rows = match code {
        KeyCode::Down => 1,
        KeyCode::Up => -1,
        KeyCode::PageDown => PAGE,
        KeyCode::PageUp => -PAGE,
        _ => 0,
    };
    let chosen = screen.chosen;
    match code {
        KeyCode::Tab => screen.focus_next(1),
        KeyCode::BackTab => screen.focus_next(Pane::ALL.len() - 1),
        KeyCode::Home if in_tree => screen.choose(NodeId(0)),
        KeyCode::Home => screen.scroll_by(i32::MIN),
        KeyCode::Right if in_tree && screen.tree_mut().is_open(chosen) => screen.move_by(1),
        KeyCode::Right if in_tree => screen.tree_mut().open(chosen),
        KeyCode::Left if in_tree && screen.tree_mut().is_open(chosen) => {
            screen.tree_mut().close(chosen);
        }
        KeyCode::Left if in_tree => {
            if let Some(caller) = screen.tree_mut().parent(chosen) {
                screen.choose(caller);
            }
        }
        KeyCode::Right | KeyCode::Left if screen.focus == Pane::Beside => {
            let by = match code {
                KeyCode::Right => 1,
                _ => BesideView::ALL.len() - 1,
            };
            let view = screen.beside_view();
            screen.beside_mut().turn(view, by);
        }
        KeyCode::Down | KeyCode::Up
            if screen.focus == Pane::Question && screen.point_at_value(rows) => {}
        _ if rows != 0 && screen.focus == Pane::Beside => {
            let view = screen.beside_view();
            if !screen.beside_mut().point(view, rows) {
                screen.scroll_by(rows);
            }
        }
        _ if rows != 0 && in_tree => screen.move_by(rows),
        _ if rows != 0 => screen.scroll_by(rows),
        _ => {}
    }
}

fn type_in(screen: &mut Screen<'_>, code: KeyCode) -> Result<KeyOutcome, TuiError> {
    let Some(line) = &mut screen.input else {
        return Ok(KeyOutcome::Nothing);
    };
    match code {
        KeyCode::Char(letter) => line.push(letter),
        // With nothing left to take away, it is given up.
        KeyCode::Backspace if !line.is_empty() => drop(line.pop()),
        KeyCode::Backspace | KeyCode::Esc => screen.input = None,
        KeyCode::Enter => {
            let line = screen.input.take().unwrap_or_default();
            return say(screen, &line);
        }
        _ => {}
    }
    Ok(KeyOutcome::Nothing)
}

/// Does what a line of the dialogue says.
fn say(screen: &mut Screen<'_>, line: &str) -> Result<KeyOutcome, TuiError> {
    let Some(reply) = reply::parse(line) else {
        screen.tell("That is no answer; ? lists what can be said.");
        return Ok(KeyOutcome::Nothing);
    };
    let is_over = screen.question().is_none();
    let wrong = Command::Answer(Verdict::Wrong);
    let command = match reply {
        Reply::Leave => return Ok(KeyOutcome::Leave),
        Reply::Nothing if is_over => return Ok(KeyOutcome::Leave),
        Reply::Say(Command::Answer(Verdict::Right)) if is_over => return Ok(KeyOutcome::Leave),
        Reply::Say(command) if is_over && command == wrong => Command::Revise,
        Reply::Say(Command::Answer(_)) if is_over => {
            screen.tell("That is no answer here; ? lists what can be said.");
            return Ok(KeyOutcome::Nothing);
        }
        Reply::Say(command) => command,
        other => {
            look(screen, &other);
            return Ok(KeyOutcome::Nothing);
        }
    };
    let looks_inside = matches!(command, Command::LookInside { .. });
    if !screen.say(command)? {
        return Ok(KeyOutcome::Nothing);
    }
    if looks_inside {
        return Ok(KeyOutcome::Inside);
    }
    match screen.goes_inside()? {
        Some(statements) if screen.say(Command::LookInside { statements })? => {
            Ok(KeyOutcome::Inside)
        }
        _ => Ok(KeyOutcome::Changed),
    }
}

/// Shows what was asked for.
fn look(screen: &mut Screen<'_>, reply: &Reply) {
    match reply {
        Reply::Transformations => {
            let on = screen.transformations();
            let on = if on.is_empty() { "none" } else { &on };
            let text = format!(
                "On: {on}\n\n{}\nx NAME switches one on, x -NAME off, x none all off.",
                chosen_transformations::explained()
            );
            show(screen, "Transformations", text);
        }
        Reply::Strategies => {
            let now = screen.session().strategy_name();
            let text = format!("Now: {now}\n\n{}\nc NAME chooses another.", strategies());
            show(screen, "How the next question is chosen", text);
        }
        Reply::Show(Topic::Suspects) => beside(screen, BesideView::Suspects),
        Reply::Show(Topic::Output) => beside(screen, BesideView::Output),
        Reply::Show(topic) => {
            let title = match topic {
                Topic::History(_) => "History",
                _ => "Where it came from",
            };
            let text = screen.told(topic);
            show(screen, title, text);
        }
        Reply::More => screen.widen(),
        Reply::Source => screen.focus = Pane::Source,
        Reply::Answers => {
            let answers = screen.answers();
            show(screen, "Answers", answers);
        }
        Reply::Help => show(screen, "Help", format!("{}\n{MOVING}", reply::HELP)),
        Reply::Nothing | Reply::Say(_) | Reply::Leave => {}
    }
}

fn beside(screen: &mut Screen<'_>, view: BesideView) {
    screen.beside_mut().wanted = Some(view);
    screen.focus = Pane::Beside;
}

fn show(screen: &mut Screen<'_>, title: &'static str, text: String) {
    screen.sheet = Some(Sheet {
        title,
        text,
        scroll: 0,
    });
}
