//! What whoever asks about calls must be able to find out about them: a dialogue, a browser page.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::output_symptom::{OutputPointer, OutputSymptom, ShownLine};
use debug_engine::transform::NodeKind;
use debug_engine::view::AskedView;
use debug_engine::view::render::Bounds;
use debug_engine::{ExecutionTree, NodeId, RoutineId, Target};

use java_names::glob::Glob;

/// How far trust reaches beyond the method in question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    Class,
    Package,
}

/// What is said where only a tree of calls is known.
pub(super) const NOT_RECORDED: &str = "What happened inside these calls was not recorded.";

/// What is to be said about the recorded calls.
pub trait Calls {
    /// A call, or several taken together, with the state before and after.
    fn view(&self, target: Target, kind: NodeKind, bounds: Bounds) -> AskedView;

    /// What is to be said of values that were shown and are not sure.
    fn caveat(&self) -> Option<&'static str> {
        None
    }

    /// Every routine of the same class, or of the same package.
    fn routines_beside(&self, node: NodeId, scope: Scope) -> BTreeSet<RoutineId>;

    /// The routines of the classes, or the routines themselves, that a pattern names.
    fn routines_named(&self, pattern: &Glob) -> BTreeSet<RoutineId>;

    /// The source of the call's method, with line numbers, if it is found.
    fn source(&self, node: NodeId) -> Option<String>;

    /// The passing test in which the same happened as in a call that is presumed right.
    fn witness(&self, _node: NodeId) -> Option<String> {
        None
    }

    /// Why a path names no value of what is asked about, as one sentence. Every path that the question shows does.
    ///
    /// # Errors
    /// The sentence.
    fn check_path(&self, target: Target, path: &str) -> Result<(), String>;

    /// What is wrong with the output, by what somebody points at.
    ///
    /// # Errors
    /// Why there is nothing there, as a sentence.
    fn output_symptom(&self, _at: &OutputPointer) -> Result<OutputSymptom, String> {
        Err("what was printed is known of whole programs only".to_owned())
    }

    /// Every write of a value of a call in the whole run, in lines.
    ///
    /// # Errors
    /// Why there is none, as a sentence.
    fn history(&self, _node: NodeId, _path: &str) -> Result<String, String> {
        Err(NOT_RECORDED.to_owned())
    }

    /// Where a value of a call came from, in lines.
    ///
    /// # Errors
    /// Why that cannot be told, as a sentence.
    fn origin(&self, _node: NodeId, _path: &str) -> Result<String, String> {
        Err(NOT_RECORDED.to_owned())
    }

    /// The last lines that were printed, at most so many, and whether there are more before them.
    fn last_printed(&self, _most: usize) -> (Vec<ShownLine>, bool) {
        (Vec::new(), false)
    }

    /// The inside of a call, down to its statements if wanted; `None` if it cannot be looked into.
    fn inside(&self, _node: NodeId, _statements: bool) -> Option<Box<dyn Inside>> {
        None
    }
}

/// The inside of a call, to be searched as a tree of its own.
pub trait Inside: Calls + Send {
    /// The call, its loops, their iterations, its statements.
    fn tree(&self) -> Arc<dyn ExecutionTree>;

    /// What stands in this tree for a piece of the call, as the search among calls names it.
    fn piece(&self, _piece: Target) -> Option<Target> {
        None
    }

    /// What is to blame if this piece is the buggy one.
    fn blamed(&self, node: NodeId) -> Blamed;
}

/// The piece of the buggy call that is to blame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blamed {
    /// `iteration 3 of the loop in lines 12–16`.
    pub title: String,
    pub lines: Vec<u32>,
}
