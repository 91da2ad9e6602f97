//! What can be asked of a run and said to the session about it, as functions with typed requests and answers: the page,
//! MCP and whatever speaks for another program call these and nothing below them.
//!
//! One module a resource. Nothing here knows HTTP, a tool protocol or a screen, and nothing is told whole that can be
//! large: lists come in pages, values within bounds.

pub mod children;
pub mod diagnosis;
pub mod events;
pub mod experiment;
pub mod failure;
pub mod history;
pub mod inside;
pub mod library;
pub mod line_values;
pub mod lines;
pub mod live;
pub mod live_run;
pub mod node;
pub mod output;
pub mod overview;
pub mod query;
pub mod question;
pub mod questioning;
pub mod run;
pub mod run_snapshot;
pub mod saved;
pub mod search;
pub mod session;
pub mod source;
pub mod suspects;
pub mod tree;
pub mod why;

use debug_engine::view::render::{Bounds, Purpose};

pub use failure::{ApiError, Fault};
pub use live_run::{Advise, Advised, Growth, LiveRun, Phase};
pub use questioning::OpenQuestion;
pub use run_snapshot::RunSnapshot;

/// How much of a value is shown where there is room for a tree of it.
pub const ROOMY: Bounds = Bounds {
    width: 40,
    depth: 4,
    string: 400,
    length: 2000,
    changes: 40,
    calls: 3,
    rows: usize::MAX,
    purpose: Purpose::Question,
};
