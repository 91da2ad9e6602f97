//! `askance why`: where a value came from.

use clap::Args;
use debug_engine::view::slice;

use super::ask_options::node_named;
use super::failure::{Exit, Failure};
use super::inspect::TraceArguments;
use super::output;
use java_analysis::why;
use java_model::shown::BRIEF;

/// Say where a value came from: backwards through assignments, calls and objects
#[derive(Debug, Args)]
#[command(
    after_help = "Example: askance why run.askance 17 return\n         askance why run.askance 17 'c[2]' --control\n\nThe value is what it was when the call ended. A path is `return`, a local, `this.field`,\n`argument.field[3]` or `Class.static`. A step names the steps that it took from (←)."
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    trace: TraceArguments,

    /// The call: a node number, or a method (its first call)
    #[arg(value_name = "NODE")]
    node: String,

    /// The value: `return`, `i`, `this.size`, `c[2]`, `Main.total`
    #[arg(value_name = "VALUE-PATH")]
    path: String,

    /// Follow the decisions too because of which something was executed
    #[arg(long)]
    control: bool,

    /// How many steps
    #[arg(long, value_name = "N", default_value_t = 50)]
    steps: usize,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let run = arguments.trace.open()?;
    let node = node_named(&run, &arguments.node)?;
    let options = why::Options {
        control: arguments.control,
        steps: arguments.steps.max(1),
    };
    let mut slice = why::why(&run, run.program(), node, &arguments.path, options)?;
    let stopped = why::stopped_after(options.steps);
    if let Some(note) = slice.notes.iter_mut().find(|note| **note == stopped) {
        let more = options.steps.saturating_mul(4);
        note.push_str(&format!("; --steps {more} shows more"));
    }
    if arguments.json {
        output::first_version(&slice)?;
    } else {
        let mut text = slice::text(&slice, BRIEF);
        text.push('\n');
        output::data(&text)?;
    }
    Ok(Exit::Done)
}
