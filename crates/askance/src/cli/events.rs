//! `askance events`: what a call did, one thing after the other.

use clap::Args;
use debug_engine::view::events::{self, EventList};

use super::ask_options::node_named;
use super::failure::{Exit, Failure};
use super::inspect::TraceArguments;
use super::output;
use java_analysis::events::Reader;
use java_analysis::moment::Moments;
use java_analysis::variable::{self, PathError};
use java_model::run::JavaRun;
use java_model::shown::BRIEF;

/// List what a call did: lines, assignments, calls, exceptions
#[derive(Debug, Args)]
#[command(
    after_help = "Example: askance events run.askance 17\n         askance events run.askance 17 --changes 'c[2]'\n\nThe number before an event is what `askance show NODE --at EVENT` takes. With --changes,\n* marks events that changed the variable, + calls below which it was changed."
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    trace: TraceArguments,

    /// The call: a node number, or a method (its first call)
    #[arg(value_name = "NODE")]
    node: String,

    /// Mark the events that changed this variable: `i`, `this.size`, `c[2]`, `#12.size`, `Main.total`
    #[arg(long, value_name = "VARIABLE")]
    changes: Option<String>,

    /// Start with this event
    #[arg(long, value_name = "EVENT", default_value_t = 0)]
    from: u64,

    /// How many events
    #[arg(long, value_name = "N", default_value_t = 500)]
    limit: usize,

    /// Where the sources are (repeatable)
    #[arg(long, value_name = "FOLDER")]
    source_path: Vec<std::path::PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let mut run = arguments.trace.open()?;
    run.add_source_path(&arguments.source_path);
    run.set_hurried(true);
    let list = list(&run, arguments)?;
    if arguments.json {
        output::first_version(&list)?;
    } else {
        output::data(&describe(&list))?;
    }
    output::say_caveat(run.caveat());
    Ok(Exit::Done)
}

fn list(run: &JavaRun, arguments: &Arguments) -> Result<EventList, Failure> {
    let node = node_named(run, &arguments.node)?;
    let program = run.program();
    let chosen = match &arguments.changes {
        Some(text) => Some(variable::find(run, program, text, Some(node), None)?.variable),
        None => None,
    };
    let mut moments = Moments::of(run, program, node)
        .ok_or_else(|| Failure::mistake(format!("call {node} cannot be read")))?;
    let list = Reader::new(run, node, chosen).list(&mut moments, arguments.from, arguments.limit);
    if list.events.is_empty() && arguments.from > 0 {
        return Err(no_event(&mut moments, arguments.from));
    }
    Ok(list)
}

/// That a call has no event of this number.
pub(crate) fn no_event(moments: &mut Moments<'_>, event: u64) -> Failure {
    let node = moments.node();
    let first = moments.at(0).map_or(0, |moment| moment.event);
    let last = moments.last().map_or(first, |moment| moment.event);
    Failure::mistake(format!("call {node} has no event {event}"))
        .hint(format!("its events are numbered from 0 to {last}"))
}

fn describe(list: &EventList) -> String {
    let file = list.file.as_ref();
    let file = file.map_or(String::new(), |file| format!(" ({file})"));
    let mut text = format!("#{} {}{file}\n", list.node, list.routine);
    if let Some(note) = &list.note {
        text.push_str(&format!("  ({note})\n"));
    }
    text.push_str(&events::text(list, BRIEF));
    text.push('\n');
    if let (true, Some(last)) = (list.more, list.events.last()) {
        text.push_str(&format!("  (go on with --from {})\n", last.event + 1));
    }
    text
}

impl From<PathError> for Failure {
    fn from(error: PathError) -> Failure {
        Failure::mistake(error.sentence).hint(error.hint)
    }
}
