//! A recorded run as something that can be asked about.

use super::background_coverage::BackgroundCoverage;
use super::belief::{BeliefOptions, JavaBelief};
use super::call_range_view;
use super::calls::{Inside, Scope};
use super::coverage::CallCoverage;
use super::expectation::Expectations;
use super::history;
use super::inside::{CallPieces, InsideCall};
use super::lines::{self, CallLines};
use super::origins::Origins;
use super::output_symptom::{self, OutputPointer, OutputSymptom, ShownLine};
use super::symptom::Symptom;
use super::variable;
use super::why;
use debug_engine::strategy::{Belief, Coverage, CoverageMetric, ValueOrigin};
use debug_engine::transform::NodeKind;
use debug_engine::view::render::Bounds;
use debug_engine::view::{CallRangeView, NodeView};
use debug_engine::{ExecutionTree, NodeId, RoutineId, Target};
use java_model::node_view::{exact_view, member_view, node_view};
use java_model::run::{JavaRun, routine};
use java_model::shown::BRIEF;
use java_model::source_text;
use java_model::testing::{Suspicion, TestPattern};
use java_names::glob::Glob;
use java_names::names;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use trace_format::MethodId;

use super::recording::{CodeOfCall, Recording};

/// With no more calls than this their coverage is worked out when it is asked for.
const FEW_CALLS: u32 = 2_000;
/// So many writes of a variable are told in lines, and so many steps of where a value came from.
const MOST_WRITES: usize = 100;
const MOST_STEPS: usize = 50;

/// A piece of a call, as a question shows it.
fn piece_view(run: &JavaRun, target: Target, bounds: Bounds) -> Option<CallRangeView> {
    let caller = run.parent(target.first()).filter(|_| target.is_piece())?;
    let pieces = CallPieces::of(run, caller, false)?;
    Some(pieces.view(run, pieces.piece(target)?, bounds))
}

impl Recording for JavaRun {
    fn folder(&self) -> &Path {
        JavaRun::folder(self)
    }

    fn number(&self) -> u32 {
        self.trace().meta().pid
    }

    fn code_of(&self, node: NodeId) -> CodeOfCall {
        let method = self.method(node);
        let symbol = self.method_names(method);
        let code = self.code(method);
        CodeOfCall {
            class: names::class(symbol.class),
            method: symbol.name.to_owned(),
            descriptor: symbol.descriptor.to_owned(),
            routine: self.routine_named(method),
            file: self
                .classes()
                .get(symbol.class)
                .and_then(|class| class.source_file.clone()),
            lines: code.lines.clone(),
            has_names: code.has_names,
        }
    }

    fn view(&self, node: NodeId, bounds: Bounds) -> NodeView {
        let mut view = node_view(self, node, bounds);
        Expectations::of(self).mark(&mut view);
        view
    }

    fn exact_view(&self, node: NodeId, bounds: Bounds) -> NodeView {
        exact_view(self, node, bounds)
    }

    fn member_view(&self, node: NodeId, bounds: Bounds) -> NodeView {
        member_view(self, node, bounds)
    }

    fn call_range(&self, target: Target, kind: NodeKind, bounds: Bounds) -> CallRangeView {
        piece_view(self, target, bounds)
            .unwrap_or_else(|| call_range_view::call_range_view(self, target, kind, bounds))
    }

    fn lines_to_blame(&self, node: NodeId, wrong: Option<&str>) -> CallLines {
        lines::of_call(self, self.program(), node, wrong)
    }

    fn source(&self, node: NodeId, marked: &[u32]) -> Option<String> {
        source_text::excerpt(self, self.method(node), marked)
    }

    fn find(&self, name: &str) -> Option<NodeId> {
        self.find_method(name)
    }

    fn routines_matching(&self, pattern: &Glob) -> BTreeSet<RoutineId> {
        self.methods_of(pattern)
    }

    fn routines_named(&self, pattern: &Glob) -> BTreeSet<RoutineId> {
        let is_meant = |method: &MethodId| {
            let names = self.method_names(*method);
            let class = names::class(names.class);
            pattern.matches(&class) || pattern.matches(&format!("{class}.{}", names.name))
        };
        self.methods().filter(is_meant).map(routine).collect()
    }

    fn each_routine(&self, visit: &mut dyn FnMut(RoutineId, &str)) {
        for method in self.methods() {
            let names = self.method_names(method);
            let name = format!("{}.{}", names::class(names.class), names.name);
            visit(routine(method), &name);
        }
    }

    fn routine_name(&self, routine: RoutineId) -> String {
        self.routine_named(MethodId(routine.0))
    }

    fn routines_beside(&self, node: NodeId, scope: Scope) -> BTreeSet<RoutineId> {
        let here = self.method_names(self.method(node)).class;
        let is_beside = |class: &str| match scope {
            Scope::Class => class == here,
            Scope::Package => names::package(class) == names::package(here),
        };
        self.methods()
            .filter(|&method| is_beside(self.method_names(method).class))
            .map(routine)
            .collect()
    }

    fn never_asked(&self) -> BTreeSet<RoutineId> {
        self.compiler_made()
    }

    fn began_before_kept(&self, node: NodeId) -> bool {
        JavaRun::began_before_kept(self, node)
    }

    fn was_stopped(&self) -> bool {
        JavaRun::was_stopped(self) || self.has_endless_test()
    }

    fn wrong_by_itself(&self, test: Option<&TestPattern>) -> Option<Symptom> {
        let main = self.failed_main().filter(|_| test.is_none());
        let of_main = main.and_then(|main| Symptom::of_main(self, main));
        of_main.or_else(|| Symptom::of_test(self, self.failed_tests(test).next()?))
    }

    fn set_hurried(&self, is_hurried: bool) {
        JavaRun::set_hurried(self, is_hurried);
    }

    fn caveat(&self) -> Option<&'static str> {
        JavaRun::caveat(self)
    }

    fn handed_over_to(&self, node: NodeId) -> Option<String> {
        self.handed_over_by(node)?;
        let thread = self.call_id(node)?.thread;
        Some(self.thread_name(thread))
    }

    fn can_be_compared(&self) -> bool {
        self.trace().evicted().is_none()
    }

    fn witness(&self, node: NodeId) -> Option<String> {
        JavaRun::witness(self, node)
    }

    fn suspicion(&self, node: NodeId) -> Option<Suspicion> {
        JavaRun::suspicion(self, node)
    }

    fn knows_state(&self) -> bool {
        self.has_state()
    }

    fn value_origins(self: Arc<Self>) -> Option<Arc<dyn ValueOrigin>> {
        Some(Arc::new(Origins::of(self)))
    }

    fn can_be_believed(&self) -> bool {
        self.has_state()
    }

    fn belief(self: Arc<Self>, wanted: &BeliefOptions) -> Option<Arc<dyn Belief>> {
        Some(Arc::new(JavaBelief::new(self, wanted)))
    }

    fn coverage(
        self: Arc<Self>,
        metric: CoverageMetric,
        at_once: bool,
    ) -> Option<Arc<dyn Coverage>> {
        let at_once = at_once || self.len() <= FEW_CALLS;
        let coverage = Arc::new(CallCoverage::new(self, metric));
        Some(if at_once {
            coverage
        } else {
            Arc::new(BackgroundCoverage::new(coverage))
        })
    }

    fn output_symptom(&self, at: &OutputPointer) -> Result<OutputSymptom, String> {
        OutputSymptom::by_pointer(self, at).map_err(|error| error.to_string())
    }

    fn last_printed(&self, most: usize) -> (Vec<ShownLine>, bool) {
        output_symptom::last_printed(self, most)
    }

    fn history(&self, node: NodeId, path: &str) -> Result<String, String> {
        let program = self.program();
        let found = variable::find(self, program, path, Some(node), None).map_err(explained)?;
        let page = history::of_variable(self, program, &found, 0, MOST_WRITES)?;
        Ok(debug_engine::view::history::text(&page, BRIEF))
    }

    fn origin(&self, node: NodeId, path: &str) -> Result<String, String> {
        let options = why::Options {
            control: false,
            steps: MOST_STEPS,
        };
        let slice = why::why(self, self.program(), node, path, options).map_err(explained)?;
        Ok(debug_engine::view::slice::text(&slice, BRIEF))
    }

    fn check_path(&self, node: NodeId, path: &str) -> Result<(), String> {
        match variable::find(self, self.program(), path, Some(node), None) {
            Ok(_) => Ok(()),
            Err(error) => Err(explained(error)),
        }
    }

    fn inside(self: Arc<Self>, node: NodeId, statements: bool) -> Option<Box<dyn Inside>> {
        let inside = InsideCall::of(self, node, statements)?;
        Some(Box::new(inside))
    }
}

/// Why a path leads nowhere, and what to do.
fn explained(error: variable::PathError) -> String {
    format!("{}; {}", error.sentence, error.hint)
}
