//! `askance step`: a prompt for walking a call forwards and backwards.
//!
//! Where it stands is data and goes to stdout, one line a command; the prompt and what could not
//! be done go to stderr. Commands come from whoever sits there, or from a script on standard
//! input.

use std::io::IsTerminal as _;

use clap::Args;
use debug_engine::ExecutionTree as _;
use debug_engine::view::events::What;
use debug_engine::view::render::Bounds;

use super::ask_options::node_named;
use super::failure::{Exit, Failure};
use super::inspect::TraceArguments;
use super::output;
use crate::dialogue::Person as _;
use crate::dialogue::terminal::Terminal;
use java_analysis::events::Reader;
use java_analysis::moment_view;
use java_analysis::stepping::{StepDirection, Stepper, Stuck};
use java_model::node_view;
use java_model::run::JavaRun;
use java_model::shown::{self, BRIEF};

const COMMANDS: &str = "\
next (n)             to the next line, over calls
back (b)             to the line before
into (i)             into the next call of this line
out (o)              to the caller, after this call
to line N (l N)      to the next time at that line; `back to line N` (bl N): the last time
to write of X (w X)  to the next assignment of a variable; `back to write of X` (bw X): the last
to event N (e N)     to right after an event, as `askance events` numbers them
show (s)             everything here: arguments, locals, changes, source
where (c)            the calls around this one
quit (q)";

/// Walk a call forwards and backwards
#[derive(Debug, Args)]
#[command(
    after_help = format!("Example: askance step run.askance 17\n         printf 'to write of c[2]\\nshow\\n' | askance step run.askance 17\n\nCommands:\n{COMMANDS}")
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    trace: TraceArguments,

    /// The call to start in: a node number, or a method (its first call)
    #[arg(value_name = "NODE")]
    node: String,

    /// Where the sources are (repeatable)
    #[arg(long, value_name = "FOLDER")]
    source_path: Vec<std::path::PathBuf>,

    /// Print where it stands as JSON, one line a command
    #[arg(long)]
    json: bool,
}

#[derive(Debug, PartialEq, Eq)]
enum Command<'text> {
    Next,
    Back,
    Into,
    Out,
    Line(u32, StepDirection),
    Write(&'text str, StepDirection),
    Event(u64),
    Show,
    Where,
    Help,
    Quit,
}

/// What a line means; `None` if nothing.
fn parse(line: &str) -> Option<Command<'_>> {
    let line = line.trim();
    if let Some(rest) = line.strip_prefix("back to ") {
        return match parse(rest)? {
            Command::Line(number, _) => Some(Command::Line(number, StepDirection::Back)),
            Command::Write(path, _) => Some(Command::Write(path, StepDirection::Back)),
            _ => None,
        };
    }
    let line = line.strip_prefix("to ").unwrap_or(line);
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let rest = rest.trim();
    if rest.is_empty() {
        return Some(match word {
            "next" | "n" => Command::Next,
            "back" | "b" => Command::Back,
            "into" | "i" => Command::Into,
            "out" | "o" => Command::Out,
            "show" | "s" => Command::Show,
            "where" | "c" => Command::Where,
            "help" | "h" | "?" => Command::Help,
            "quit" | "q" => Command::Quit,
            _ => return None,
        });
    }
    let variable = || rest.strip_prefix("of ").map_or(rest, str::trim);
    Some(match word {
        "line" | "l" => Command::Line(rest.parse().ok()?, StepDirection::On),
        "bl" => Command::Line(rest.parse().ok()?, StepDirection::Back),
        "write" | "w" => Command::Write(variable(), StepDirection::On),
        "bw" => Command::Write(variable(), StepDirection::Back),
        "event" | "e" => Command::Event(rest.parse().ok()?),
        _ => return None,
    })
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let mut run = arguments.trace.open()?;
    run.add_source_path(&arguments.source_path);
    run.set_hurried(true);
    let node = node_named(&run, &arguments.node)?;
    let mut stepper = Stepper::new(&run, run.program(), node)
        .map_err(|stuck| Failure::mistake(format!("call {node} cannot be read: {stuck}")))?;
    if let Some(trouble) = stepper.moments().trouble() {
        output::talk(&format!("askance: {trouble}"));
    }
    let prompt = if std::io::stdin().is_terminal() {
        "step> "
    } else {
        ""
    };
    tell(&run, &mut stepper, arguments.json)?;
    while let Some(line) = Terminal.line(prompt)? {
        if line.trim().is_empty() {
            continue;
        }
        let done = match parse(&line) {
            Some(Command::Quit) => break,
            Some(Command::Help) => {
                output::talk(COMMANDS);
                continue;
            }
            Some(Command::Where) => {
                output::data(&around(&run, &stepper))?;
                continue;
            }
            Some(Command::Show) => {
                show(&run, &mut stepper, arguments.json)?;
                continue;
            }
            Some(command) => go(&mut stepper, &command),
            None => {
                output::talk(&format!("askance: {line:?} is no command; help lists them"));
                continue;
            }
        };
        match done {
            Ok(()) => tell(&run, &mut stepper, arguments.json)?,
            Err(stuck) => output::talk(&format!("askance: {stuck}")),
        }
    }
    output::say_caveat(run.caveat());
    Ok(Exit::Done)
}

fn go(stepper: &mut Stepper<'_>, command: &Command<'_>) -> Result<(), Stuck> {
    match *command {
        Command::Next => stepper.next_line(),
        Command::Back => stepper.previous_line(),
        Command::Into => stepper.into_call(),
        Command::Out => stepper.out(),
        Command::Line(line, way) => stepper.to_line(line, way),
        Command::Write(path, way) => stepper.to_write(path, way),
        Command::Event(event) => stepper.to_event(event),
        Command::Show | Command::Where | Command::Help | Command::Quit => Ok(()),
    }
}

/// Where it stands, in one line.
fn tell(run: &JavaRun, stepper: &mut Stepper<'_>, json: bool) -> Result<(), Failure> {
    if json {
        return show(run, stepper, json);
    }
    let (node, here) = (stepper.node(), stepper.here().clone());
    let event = Reader::new(run, node, None).view(stepper.moments(), &here);
    let place = match (shown::file(run, node), event.line) {
        (Some(file), Some(line)) => format!(" ({file}:{line})"),
        (Some(file), None) => format!(" ({file})"),
        _ => String::new(),
    };
    let what = event.what.text(BRIEF);
    let what = match event.what {
        What::Line { source: None } => "a line whose source was not found".to_owned(),
        _ => what,
    };
    let routine = run.routine_of(node);
    output::data(&format!(
        "#{node} {routine}{place} event {}: {what}\n",
        event.event
    ))?;
    Ok(())
}

fn show(run: &JavaRun, stepper: &mut Stepper<'_>, json: bool) -> Result<(), Failure> {
    let here = stepper.here().clone();
    let bounds = Bounds::default();
    let view = moment_view::moment_view(stepper.moments(), &here, bounds);
    if json {
        output::first_version(&view)?;
    } else {
        output::data(&moment_view::text(run, &view, bounds))?;
    }
    Ok(())
}

/// The calls around this one, innermost first.
fn around(run: &JavaRun, stepper: &Stepper<'_>) -> String {
    let calls = std::iter::successors(Some(stepper.node()), |&node| run.parent(node));
    let lines = calls.map(|node| format!("#{node} {}\n", node_view::call_line(run, node)));
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_in_words_and_letters() {
        for (line, command) in [
            ("next", Command::Next),
            (" b ", Command::Back),
            ("to line 46", Command::Line(46, StepDirection::On)),
            ("l 46", Command::Line(46, StepDirection::On)),
            ("back to line 46", Command::Line(46, StepDirection::Back)),
            (
                "to write of c[2]",
                Command::Write("c[2]", StepDirection::On),
            ),
            ("w k", Command::Write("k", StepDirection::On)),
            (
                "back to write of k",
                Command::Write("k", StepDirection::Back),
            ),
            ("to event 24", Command::Event(24)),
            ("q", Command::Quit),
        ] {
            assert_eq!(parse(line), Some(command), "{line}");
        }
        for line in ["", "nxt", "to", "l x", "back to 5", "e -1"] {
            assert_eq!(parse(line), None, "{line}");
        }
    }
}
