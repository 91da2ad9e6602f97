//! What requests carry, as far as it means something here.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;

/// `launch`: what to run, as `askance debug` takes it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct LaunchArguments {
    /// A Java file with `main`; it is compiled first. Or the name of a main class, with `class_path`.
    pub program: Option<String>,
    /// What the program is given.
    pub args: Vec<String>,
    /// A command instead, word by word.
    pub command: Vec<String>,
    /// A test: `CartTest` or `CartTest#total`, with `class_path`.
    pub test: Option<String>,
    pub class_path: Option<String>,
    pub cwd: Option<PathBuf>,
    /// Variables of the environment; one without a value is taken away.
    pub env: BTreeMap<String, Option<String>>,
    /// Where the trace goes; otherwise it is kept as those of `debug` are.
    pub trace: Option<PathBuf>,
    /// Only classes that match.
    pub include: Vec<String>,
    pub exclude: Vec<String>,
    /// Seconds after which the program is stopped.
    pub time_limit: Option<f64>,
    /// The version that is known to work: a Java file or a class path.
    pub reference: Option<String>,
    pub source_path: Vec<PathBuf>,
    /// Stop where the program began, and not at the symptom.
    pub stop_on_entry: bool,
    /// Stop first at a breakpoint, and not at the symptom.
    pub stop_on_breakpoint: bool,
    /// Stop while the program runs, in what is recorded so far.
    pub live: bool,
    /// What `askance dap --port` printed.
    pub token: Option<String>,
}

/// `attach`: a trace to look at.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct AttachArguments {
    pub trace: PathBuf,
    /// The JVM, by its process id, if several were recorded.
    pub jvm: Option<u32>,
    pub test: Option<String>,
    pub reference: Option<String>,
    pub source_path: Vec<PathBuf>,
    pub stop_on_entry: bool,
    /// Stop first at a breakpoint, and not at the symptom.
    pub stop_on_breakpoint: bool,
    /// What `askance dap --port` printed.
    pub token: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct InitializeArguments {
    #[serde(rename = "linesStartAt1")]
    pub(crate) lines_start_at_1: Option<bool>,
    #[serde(rename = "columnsStartAt1")]
    pub(crate) columns_start_at_1: Option<bool>,
    pub(crate) supports_progress_reporting: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct DisconnectArguments {
    pub(crate) terminate_debuggee: Option<bool>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct SourceArgument {
    pub(crate) path: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) source_reference: Option<u32>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct BreakpointWanted {
    pub(crate) line: i64,
    /// Of a function breakpoint.
    pub(crate) name: String,
    /// Of a data breakpoint.
    pub(crate) data_id: String,
    pub(crate) condition: Option<String>,
    pub(crate) hit_condition: Option<String>,
    pub(crate) log_message: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct SetBreakpointsArguments {
    pub(crate) source: SourceArgument,
    pub(crate) breakpoints: Vec<BreakpointWanted>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct ExceptionBreakpointsArguments {
    pub(crate) filters: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct DataInfoArguments {
    pub(crate) variables_reference: Option<u32>,
    pub(crate) name: String,
    pub(crate) frame_id: Option<u32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct ThreadArguments {
    pub(crate) thread_id: Option<u32>,
    /// Of `stackTrace`.
    pub(crate) start_frame: usize,
    pub(crate) levels: usize,
    /// Of `goto`.
    pub(crate) target_id: usize,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct FrameArguments {
    pub(crate) frame_id: u32,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct VariablesArguments {
    pub(crate) variables_reference: u32,
    pub(crate) start: usize,
    pub(crate) count: usize,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct EvaluateArguments {
    pub(crate) expression: String,
    pub(crate) frame_id: Option<u32>,
    pub(crate) context: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct CompletionsArguments {
    pub(crate) text: String,
    pub(crate) column: usize,
    pub(crate) frame_id: Option<u32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct SourceLineArguments {
    pub(crate) source: SourceArgument,
    pub(crate) source_reference: u32,
    pub(crate) line: i64,
    pub(crate) end_line: Option<i64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct LocationsArguments {
    pub(crate) location_reference: u32,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct DisassembleArguments {
    pub(crate) memory_reference: String,
    /// In bytes.
    pub(crate) offset: i64,
    pub(crate) instruction_offset: i64,
    pub(crate) instruction_count: usize,
}
