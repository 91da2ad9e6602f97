//! Java: from a trace to an execution tree, and from its calls to questions that a person can
//! answer.
//!
//! [`run`] numbers the calls and is the engine's tree; [`heap`] says what objects held at a time;
//! [`values`] and [`node_view`] turn that into what is shown. Nothing here judges a call.

pub mod background_coverage;
pub mod calls;
pub mod chosen_fields;
pub mod class_loading;
pub mod classes;
pub mod codes;
pub mod collections;
mod control;
pub mod coverage;
mod distinctions;
mod elsewhere;
pub mod events;
mod execution_tree;
mod facts;
pub mod follow;
mod frames;
pub mod growing;
pub mod happening;
pub mod heap;
pub mod history;
pub mod inside;
mod kept;
mod layouts;
pub mod lines;
mod links;
pub mod listing;
pub mod logic_cache;
mod meanwhile;
pub mod method_code;
pub mod moment;
pub mod moment_view;
pub mod node_view;
mod noting_heap;
pub mod origins;
mod outside_search;
mod path;
mod places;
pub mod questions;
pub mod reading;
mod recorded_run;
pub mod recording;
pub mod run;
pub mod settling;
mod share;
pub mod show;
pub mod shown;
mod sight;
#[cfg(any(test, feature = "testing"))]
#[allow(clippy::unwrap_used, reason = "for tests")]
pub mod sketches;
mod slice;
mod snapshot;
pub mod source_text;
pub mod spelling;
pub mod stable_hash;
pub mod statics;
pub mod stepping;
pub mod stretch_view;
pub mod test_marks;
pub mod testing;
mod touched;
pub mod trace_heap;
pub mod values;
pub mod variable;
pub mod why;
mod written;
