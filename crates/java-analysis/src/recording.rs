//! What the commands need of a run that can be asked about, wherever it comes from: recorded by
//! Askance, or a call tree that another tool wrote down. `ask`, `tree`, `show` and `eval` know
//! nothing else of it, so they have one form for all of them.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use debug_engine::strategy::{Belief, Coverage, CoverageMetric, ValueOrigin};
use debug_engine::transform::NodeKind;
use debug_engine::view::render::Bounds;
use debug_engine::view::{CallRangeView, NodeView};
use debug_engine::{ExecutionTree, NodeId, RoutineId, Target};

use super::belief_options::BeliefOptions;
use super::calls::{Inside, NOT_RECORDED, Scope};
use super::lines::CallLines;
use super::output_symptom::{OutputPointer, OutputSymptom, ShownLine};
use super::symptom::Symptom;
use java_model::testing::{Suspicion, TestPattern};
use java_names::glob::Glob;

/// What a call executed, and where that is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CodeOfCall {
    /// With its package.
    pub class: String,
    pub method: String,
    pub descriptor: String,
    /// As a person would name it.
    pub routine: String,
    pub file: Option<String>,
    /// All lines of the method, as far as they are known.
    pub lines: Vec<u32>,
    /// Whether the parameters' names come from the source.
    pub has_names: bool,
}

/// A run that can be asked about.
pub trait Recording: ExecutionTree {
    /// The folder that the user named.
    fn folder(&self) -> &Path;

    /// Which of the runs in the folder it is: answers are kept under this number.
    fn number(&self) -> u32;

    /// What a call executed.
    fn code_of(&self, node: NodeId) -> CodeOfCall;

    /// A call for a person: values are followed further than they are shown, so that changes deep
    /// inside are found.
    fn view(&self, node: NodeId, bounds: Bounds) -> NodeView;

    /// A call for a program: values are followed exactly as far as the bounds say.
    fn exact_view(&self, node: NodeId, bounds: Bounds) -> NodeView;

    /// A call as one of several that are taken together: what it was given and how it ended, without what it changed.
    fn member_view(&self, node: NodeId, bounds: Bounds) -> NodeView {
        self.exact_view(node, bounds)
    }

    /// Siblings taken together: the state before the first and after the last.
    fn call_range(&self, target: Target, kind: NodeKind, bounds: Bounds) -> CallRangeView;

    /// The lines of a call that can be to blame. `wrong` is the path of a value that is known to be
    /// wrong.
    fn lines_to_blame(&self, node: NodeId, wrong: Option<&str>) -> CallLines;

    /// The source of what a call executed, with these lines marked.
    fn source(&self, node: NodeId, marked: &[u32]) -> Option<String>;

    /// The first call of a routine with this name.
    fn find(&self, name: &str) -> Option<NodeId>;

    /// The routines of the classes that a pattern matches.
    fn routines_matching(&self, pattern: &Glob) -> BTreeSet<RoutineId>;

    /// The same, and the routines whose full name a pattern matches.
    fn routines_named(&self, pattern: &Glob) -> BTreeSet<RoutineId> {
        self.routines_matching(pattern)
    }

    /// Every routine that there is, with the full name of its class and its own.
    fn each_routine(&self, visit: &mut dyn FnMut(RoutineId, &str));

    /// A routine as a person would name it.
    fn routine_name(&self, routine: RoutineId) -> String;

    /// The routines of the same class, or of the same package.
    fn routines_beside(&self, node: NodeId, scope: Scope) -> BTreeSet<RoutineId>;

    /// The routines about which nobody should ever be asked.
    fn never_asked(&self) -> BTreeSet<RoutineId>;

    /// Whether the beginning of a call was given up to keep the trace's size: of what it called only the
    /// rest is there.
    fn began_before_kept(&self, _node: NodeId) -> bool {
        false
    }

    /// Whether the program was stopped from outside, so that open calls may be the symptom.
    fn was_stopped(&self) -> bool {
        false
    }

    /// What the run itself shows to be wrong: a failed test of those that are meant, or a `main` that
    /// an exception left.
    fn wrong_by_itself(&self, _test: Option<&TestPattern>) -> Option<Symptom> {
        None
    }

    /// What is wrong with the output, by what somebody points at.
    ///
    /// # Errors
    /// Why there is nothing there, as a sentence.
    fn output_symptom(&self, _at: &OutputPointer) -> Result<OutputSymptom, String> {
        Err("what this program printed is not known".to_owned())
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

    /// The thread in which a call ran, if the call above it handed it over to that thread.
    fn handed_over_to(&self, _node: NodeId) -> Option<String> {
        None
    }

    /// Whether somebody waits for the values that are looked at from now on: then they are shown as far as they are
    /// known.
    fn set_hurried(&self, _is_hurried: bool) {}

    /// What is to be said of the values that were shown in a hurry, if they are not sure.
    fn caveat(&self) -> Option<&'static str> {
        None
    }

    /// Whether the program can be started again, and what it then does be compared with what was recorded.
    fn can_be_compared(&self) -> bool {
        false
    }

    /// Whether it is known what objects held.
    fn knows_state(&self) -> bool {
        true
    }

    /// Where the values of its calls come from, if that can be told.
    fn value_origins(self: Arc<Self>) -> Option<Arc<dyn ValueOrigin>> {
        None
    }

    /// Whether something can be believed of its calls.
    fn can_be_believed(&self) -> bool {
        false
    }

    /// What is believed of its calls, if anything is.
    fn belief(self: Arc<Self>, _wanted: &BeliefOptions) -> Option<Arc<dyn Belief>> {
        None
    }

    /// What each call covered, if that can be told. `at_once`: every time that it is asked for,
    /// however long it takes.
    fn coverage(
        self: Arc<Self>,
        _metric: CoverageMetric,
        _at_once: bool,
    ) -> Option<Arc<dyn Coverage>> {
        None
    }

    /// The inside of a call, down to its statements if wanted; `None` if it cannot be looked into.
    fn inside(self: Arc<Self>, _node: NodeId, _statements: bool) -> Option<Box<dyn Inside>> {
        None
    }

    /// Why a path names no value of a call, as one sentence; `Ok` if it does, or that is not known.
    ///
    /// # Errors
    /// The sentence.
    fn check_path(&self, _node: NodeId, _path: &str) -> Result<(), String> {
        Ok(())
    }

    /// The passing test in which the same happened as in a call that is presumed right.
    fn witness(&self, _node: NodeId) -> Option<String> {
        None
    }

    /// How suspicious tests make the method of a call.
    fn suspicion(&self, _node: NodeId) -> Option<Suspicion> {
        None
    }

    /// The number that a call had where it comes from, if that is another one.
    fn foreign_id(&self, _node: NodeId) -> Option<u64> {
        None
    }
}
