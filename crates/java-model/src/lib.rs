//! Java: from a trace to an execution tree, and from its calls to questions that a person can
//! answer.
//!
//! [`run`] numbers the calls and is the engine's tree; [`heap`] says what objects held at a time;
//! [`values`] and [`node_view`] turn that into what is shown. Nothing here judges a call.

mod captured;
pub mod chosen_fields;
pub mod classes;
pub mod codes;
pub mod collections;
mod compiler_made;
mod concurrent_writes;
mod distinctions;
mod doc_comment;
mod execution_tree;
pub mod facts;
pub mod follow;
pub mod growing;
mod guidance;
pub mod heap;
mod lambda_order;
mod lambdas;
mod layouts;
pub mod listing;
pub mod logic_cache;
pub mod loops;
pub mod method_code;
mod named_fields;
pub mod node_view;
pub mod noting_heap;
mod observability;
pub mod output;
mod outside_search;
pub mod pieces;
pub mod run;
pub mod settling;
pub mod share;
pub mod show;
pub mod shown;
#[cfg(any(test, feature = "testing"))]
#[allow(clippy::unwrap_used, reason = "for tests")]
pub mod sketches;
pub mod snapshot;
pub mod source_text;
pub mod source_tree;
mod spelling;
pub mod stable_hash;
pub mod statics;
pub mod test_marks;
pub mod testing;
mod touched;
pub mod trace_heap;
mod troubles;
pub mod unshown_changes;
mod value_text;
pub mod values;
mod written;
