//! A recorded run of a Java program as an execution tree.
//!
//! The threads' call trees are one [forest](forest::Forest), so that a node is one number. People see that number too.

pub(crate) mod forest;
mod opening;

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use debug_engine::{ExecutionTree, NodeId, RoutineId};
use frame_replay::{Program, ReplayError};
use trace_format::{EventPosition, FieldId, MethodId, ObjectId, ThreadNumber, TraceTime};
use trace_store::{Call, CallId, CallOutcome, StoreError, ThreadCalls, Trace};

use super::chosen_fields::ChosenFields;
use super::classes::ClassTable;
use super::codes::Codes;
use super::facts::Facts;
use super::logic_cache::LogicCache;
use super::method_code::MethodInfo;
use super::source_tree::SourceTree;
use super::troubles::Troubles;
use forest::Forest;
use java_names::glob::Glob;
use java_names::names;
pub use opening::{Chosen, JvmSummary, OpenError};
pub(super) use opening::{Known, set_hierarchy};
use trace_format::RunFile;

/// A recorded run.
pub struct JavaRun {
    trace: Trace,
    /// The folder that the user named.
    folder: PathBuf,
    run_file: Option<RunFile>,
    jvms: Vec<JvmSummary>,
    forest: Forest,
    classes: Arc<ClassTable>,
    /// Fields by declaring class and name.
    fields: HashMap<(String, String), FieldId>,
    codes: Arc<Codes>,
    /// The passing tests in which the same happened as in calls that are presumed right.
    witnesses: Mutex<HashMap<NodeId, String>>,
    program: OnceLock<Program>,
    source_path: Vec<PathBuf>,
    chosen_fields: ChosenFields,
    usual_source_path: Vec<PathBuf>,
    project_sources: Arc<OnceLock<SourceTree>>,
    cache: Arc<LogicCache>,
    known_until: TraceTime,
    facts: Facts,
    /// Objects that could not be read.
    pub(super) troubles: Troubles,
    /// What of the trace is not as it was recorded, as the end of a sentence.
    damage: Option<String>,
}

impl JavaRun {
    #[must_use]
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// What was worked out of the run, by whoever asked first.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    pub(crate) fn forest(&self) -> &Forest {
        &self.forest
    }

    /// The folder that the user named.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    #[must_use]
    pub fn run_file(&self) -> Option<&RunFile> {
        self.run_file.as_ref()
    }

    #[must_use]
    pub fn jvms(&self) -> &[JvmSummary] {
        &self.jvms
    }

    #[must_use]
    pub fn classes(&self) -> &ClassTable {
        &self.classes
    }

    pub(super) fn cache(&self) -> &LogicCache {
        &self.cache
    }

    /// The time up to which nothing will come that is not here.
    pub(super) fn known_until(&self) -> TraceTime {
        self.known_until
    }

    /// Objects are looked at anew: more is known of them.
    pub(super) fn forget_objects(&self) {
        self.cache.forget();
    }

    /// Keeps no more than about this many bytes of what was looked at.
    pub fn bound_cache(&self, bytes: usize) {
        self.cache.bound(bytes);
    }

    /// Folders that may hold sources.
    #[must_use]
    pub fn source_path(&self) -> &[PathBuf] {
        &self.source_path
    }

    /// Folders below which the sources of a package would lie, if they lie where they mostly do.
    #[must_use]
    pub fn usual_source_path(&self) -> &[PathBuf] {
        &self.usual_source_path
    }

    /// The folder of the project whose code was recorded, and the sources in it, which are looked for when the first of
    /// them is nowhere else.
    pub(crate) fn project_sources(&self) -> Option<(&Path, &SourceTree)> {
        let folder = &*self.run_file.as_ref()?.options.project;
        let is_known = !folder.as_os_str().is_empty();
        let sources = || {
            self.project_sources
                .get_or_init(|| SourceTree::below(folder))
        };
        is_known.then(|| (folder, sources()))
    }

    /// Looks for sources in these folders first.
    pub fn add_source_path(&mut self, folders: &[PathBuf]) {
        self.source_path.splice(0..0, folders.iter().cloned());
    }

    /// What is shown of objects of some classes.
    #[must_use]
    pub fn chosen_fields(&self) -> &ChosenFields {
        &self.chosen_fields
    }

    pub fn show_only(&mut self, chosen: ChosenFields) {
        self.chosen_fields = chosen;
    }

    /// What was read of the trace. That it could not be is no reason to break off, but whoever answers by it says so:
    /// see [`JavaRun::unreadable_since`].
    pub fn read<T>(&self, read: Result<T, StoreError>) -> Option<T> {
        self.troubles.count(read)
    }

    /// What was executed again. That a call was recorded without what that needs is an answer; that the trace or the
    /// code could not be read is not, and is counted as in [`JavaRun::read`].
    pub fn executed<T>(&self, executed: Result<T, ReplayError>) -> Option<T> {
        match executed {
            Ok(value) => Some(value),
            Err(ReplayError::Store(error)) => self.read(Err(error)),
            Err(error) => {
                if let ReplayError::Code { .. } = &error {
                    self.troubles.meet(&error);
                }
                None
            }
        }
    }

    /// That the trace is damaged, as a sentence without its end. Nothing that is told of it is beyond doubt then.
    #[must_use]
    pub fn damage(&self) -> Option<String> {
        let damage = self.damage.as_ref()?;
        Some(format!("the trace is damaged: {damage}"))
    }

    /// How often something could not be read until now.
    #[must_use]
    pub fn times_unreadable(&self) -> u64 {
        self.troubles.met()
    }

    /// That something could not be read since then, with the reason, or that the trace is damaged at all; a sentence
    /// without its end.
    #[must_use]
    pub fn unreadable_since(&self, times: u64) -> Option<String> {
        match self.troubles.since(times) {
            Some(reason) => Some(format!(
                "some of what was recorded cannot be read: {reason}"
            )),
            None => self.damage(),
        }
    }

    /// A thread's own name, or its number as `Thread.threadId` gives it: virtual threads mostly have no name.
    #[must_use]
    pub fn thread_name(&self, thread: ThreadNumber) -> String {
        match self.trace().symbols().thread(thread) {
            None => thread.0.to_string(),
            Some(symbol) if symbol.name.is_empty() => symbol.java_id.to_string(),
            Some(symbol) => symbol.name.clone(),
        }
    }

    /// The call behind a node; `None` if there is none, or the trace is damaged there.
    #[must_use]
    pub fn call(&self, node: NodeId) -> Option<Call> {
        self.read(self.trace.call(self.call_id(node)?))
    }

    /// The same; why it cannot be read otherwise.
    ///
    /// # Errors
    /// The reason, as a part of a sentence.
    pub fn read_call(&self, node: NodeId) -> Result<Call, String> {
        let id = self.call_id(node);
        let id = id.ok_or_else(|| format!("call {node} is not in the trace"))?;
        self.trace.call(id).map_err(|error| error.to_string())
    }

    /// How the call behind a node ended.
    #[must_use]
    pub fn outcome(&self, node: NodeId) -> Option<CallOutcome> {
        self.read(self.trace.outcome(self.call_id(node)?))
    }

    /// The method that a node's call ran.
    #[must_use]
    pub fn method(&self, node: NodeId) -> MethodId {
        self.column(node)
            .map_or(MethodId(0), |(calls, index)| calls.method(index))
    }

    /// Internal name of a method's class, and its name and descriptor.
    #[must_use]
    pub fn method_names(&self, method: MethodId) -> MethodNames<'_> {
        let symbols = self.trace.symbols();
        let symbol = symbols.method(method);
        MethodNames {
            class: symbols.class_name_of(method).unwrap_or("?"),
            name: symbol.map_or("?", |symbol| &symbol.name),
            descriptor: symbol.map_or("", |symbol| &symbol.descriptor),
        }
    }

    /// What the class file says about a method.
    #[must_use]
    pub fn code(&self, method: MethodId) -> Arc<MethodInfo> {
        self.read(self.codes.of(&self.trace, method))
            .unwrap_or_default()
    }

    /// The same for the same code of a method, whatever stands around it in the class file.
    #[must_use]
    pub fn fingerprint(&self, method: MethodId) -> u64 {
        let fingerprint = self.codes.fingerprint(&self.trace, method);
        self.read(fingerprint).unwrap_or_default()
    }

    /// The code of the recorded methods, for re-execution.
    #[must_use]
    pub fn program(&self) -> &Program {
        self.program.get_or_init(|| Program::of(&self.trace))
    }

    /// The number of a field, if any recorded code names it.
    #[must_use]
    pub fn field(&self, declaring_class: &str, name: &str) -> Option<FieldId> {
        self.fields
            .get(&(declaring_class.to_owned(), name.to_owned()))
            .copied()
    }

    /// The node of a call.
    #[must_use]
    pub fn node(&self, call: CallId) -> Option<NodeId> {
        self.forest.node(call)
    }

    /// The call of a node.
    #[must_use]
    pub fn call_id(&self, node: NodeId) -> Option<CallId> {
        self.forest.call(node)
    }

    /// The call that handed a node's call over to its thread; `None` if the thread itself called it.
    #[must_use]
    pub fn handed_over_by(&self, node: NodeId) -> Option<NodeId> {
        let by = self.forest.handed_over_by(self.call_id(node)?)?;
        self.node(by)
    }

    /// The calls that were made of what a thread handed over at a place.
    pub fn handed_over_at(
        &self,
        thread: ThreadNumber,
        at: EventPosition,
    ) -> impl Iterator<Item = CallId> {
        self.forest.handed_over_at(thread, at)
    }

    /// When a call and all that it and those below it handed over to other threads had ended. A call is
    /// judged by its whole effect, so this is the time of its state after.
    #[must_use]
    pub fn whole_end(&self, call: &Call) -> TraceTime {
        let tasks = self.forest.done(call.id, call.subtree);
        tasks.map_or(call.exit_time, |until| until.max(call.exit_time))
    }

    /// The calls in the order of their nodes, as stretches of calls that follow each other in their thread as well:
    /// the first node, its call, how many.
    pub fn stretches(&self) -> impl Iterator<Item = (NodeId, CallId, u32)> {
        self.forest.runs()
    }

    /// Each call that was handed over to another thread, after the one that did so.
    pub fn handed_over(&self) -> impl Iterator<Item = (CallId, CallId)> {
        self.forest.handed_over()
    }

    /// Methods that handed calls over to other threads, each with the method that was called there.
    pub fn handing_over(&self) -> impl Iterator<Item = (MethodId, MethodId)> {
        let method =
            |call: CallId| Some(self.read(self.trace.calls(call.thread))?.method(call.index));
        let pairs = self.forest.handed_over();
        pairs.filter_map(move |(by, call)| Some((method(by)?, method(call)?)))
    }

    /// All methods that were recorded, whether they were called or not.
    pub fn methods(&self) -> impl Iterator<Item = MethodId> {
        self.trace
            .symbols()
            .methods()
            .map(|method| method.symbol.method)
    }

    /// The methods of the classes that a pattern matches.
    #[must_use]
    pub fn methods_of(&self, pattern: &Glob) -> BTreeSet<RoutineId> {
        let matches =
            |method: &MethodId| pattern.matches(&names::class(self.method_names(*method).class));
        self.methods().filter(matches).map(routine).collect()
    }

    /// The methods that a compiler made: nobody should be asked about them.
    #[must_use]
    pub fn compiler_made(&self) -> BTreeSet<RoutineId> {
        let methods = self.trace.symbols().methods().map(|method| &method.symbol);
        methods
            .filter(|method| self.classes.is_compiler_made(method.class, method.index))
            .map(|method| routine(method.method))
            .collect()
    }

    /// The first call of a method that a name may stand for, see [`names::is_meant`].
    #[must_use]
    pub fn find_method(&self, name: &str) -> Option<NodeId> {
        let is_meant = |method: MethodId| {
            let names = self.method_names(method);
            names::is_meant(names.class, names.name, name) || self.routine_named(method) == name
        };
        let wanted: BTreeSet<MethodId> =
            self.methods().filter(|method| is_meant(*method)).collect();
        if wanted.is_empty() {
            return None;
        }
        let mut found = None;
        self.each_method(&mut |node, method| {
            found = wanted.contains(&method).then_some(node);
            found.is_none()
        });
        found
    }

    /// The call of `main`, if it is in the trace.
    #[must_use]
    pub fn main_call(&self) -> Option<NodeId> {
        self.main_calls().next()
    }

    /// The call of `main` that an exception left, which makes it wrong without a question.
    #[must_use]
    pub fn failed_main(&self) -> Option<NodeId> {
        let threw = |root: &NodeId| matches!(self.outcome(*root), Some(CallOutcome::Threw(_)));
        self.main_calls().find(threw)
    }

    fn main_calls(&self) -> impl Iterator<Item = NodeId> {
        let tree: &dyn ExecutionTree = self;
        tree.roots().filter(|&root| {
            let names = self.method_names(self.method(root));
            names.name == "main" && names.descriptor == "([Ljava/lang/String;)V"
        })
    }

    /// In which passing test the same happened as in a call that is presumed right.
    #[must_use]
    pub fn witness(&self, node: NodeId) -> Option<String> {
        let witnesses = self
            .witnesses
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        witnesses.get(&node).cloned()
    }

    /// Notes in which passing test the same happened as in a call.
    pub fn note_witness(&self, node: NodeId, test: String) {
        let mut witnesses = self
            .witnesses
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        witnesses.insert(node, test);
    }

    /// Whether the program was stopped from outside, so that open calls may be the symptom.
    #[must_use]
    pub fn was_stopped(&self) -> bool {
        self.run_file.as_ref().is_some_and(RunFile::was_stopped)
    }

    /// The number under which a person sees an object: its place among all objects. The ids in the
    /// trace are large and start anywhere.
    #[must_use]
    pub fn object_number(&self, object: ObjectId) -> u64 {
        let rank = self.read(self.trace.object_rank(object)).flatten();
        rank.map_or(object.0.into(), |rank| rank + 1)
    }

    pub(crate) fn column(&self, node: NodeId) -> Option<(ThreadCalls<'_>, u32)> {
        let call = self.call_id(node)?;
        Some((self.read(self.trace.calls(call.thread))?, call.index))
    }

    /// The call of a node, and how many calls it has in its own thread, itself included.
    pub(crate) fn own_subtree(&self, node: NodeId) -> Option<(CallId, u32)> {
        let call = self.call_id(node)?;
        let calls = self.read(self.trace.calls(call.thread))?;
        Some((call, calls.subtree(call.index)))
    }

    /// Visits all nodes in order, as long as they are wanted.
    pub(crate) fn each_method(&self, visit: &mut dyn FnMut(NodeId, MethodId) -> bool) {
        for (node, call, count) in self.forest.runs() {
            let Some(calls) = self.read(self.trace.calls(call.thread)) else {
                continue;
            };
            let methods = calls
                .methods()
                .skip(call.index as usize)
                .take(count as usize);
            for (node, method) in (node.0..).zip(methods) {
                if !visit(NodeId(node), method) {
                    return;
                }
            }
        }
    }
}

/// A method's names, internal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MethodNames<'run> {
    pub class: &'run str,
    pub name: &'run str,
    pub descriptor: &'run str,
}

/// The engine's number of a method.
#[must_use]
pub fn routine(method: MethodId) -> RoutineId {
    RoutineId(method.0)
}
