//! Where the JDK hands work over to other threads, and where those begin and end to work on it.
//!
//! A few methods of a dozen classes are rewritten, bodies only, to tell `AskanceTasks`. None of them is hot: handing
//! work over to another thread costs a thousand times as much as noting it.

use classfile::{
    ClassFile, CodeEditor, Instruction, Snippet, VerificationType, constructor, opcode,
};
use java_names::descriptor::{self, JavaType};

use super::InstrumentError;
use super::probes::Probes;

const OBJECT_TYPE: &str = "Ljava/lang/Object;";
const STAGES: &str = "java/util/concurrent/CompletableFuture$";

/// What a method of the JDK does with a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// It starts its object, which is a thread.
    Starts,
    /// It hands its object over.
    HandsOverThis,
    /// It hands its first argument over.
    HandsOverFirst,
    /// It hands its last argument over, to the pool that is its object.
    HandsOverToPool,
    /// It makes a stage that is worked on when others are done.
    Makes,
    /// It works on its object, from its beginning to its end.
    WorksOnThis,
    /// It calls `run` of the tasks that it works on.
    Runs,
    /// It is the last that a thread does.
    Ends,
}

fn part(class: &str, method: &str, method_type: &str) -> Option<Part> {
    let has_container = method_type.starts_with("(Ljdk/internal/vm/ThreadContainer;)");
    match (class, method) {
        ("java/lang/Thread", "start") => Some(Part::Starts),
        ("java/lang/Thread", "exit") => Some(Part::Ends),
        // The one without a container calls this one.
        ("java/lang/VirtualThread", "start") if has_container => Some(Part::HandsOverThis),
        ("java/util/concurrent/ThreadPoolExecutor", "execute")
        | ("java/util/concurrent/ScheduledThreadPoolExecutor", "delayedExecute")
        | ("java/util/Timer", "sched") => Some(Part::HandsOverFirst),
        ("java/util/concurrent/ThreadPoolExecutor", "runWorker")
        | ("java/util/TimerThread", "mainLoop") => Some(Part::Runs),
        (
            "java/util/concurrent/ForkJoinPool",
            "externalPush" | "externalSubmit" | "poolSubmit" | "scheduleDelayedTask",
        ) => Some(Part::HandsOverToPool),
        ("java/util/concurrent/ForkJoinTask", "fork") => Some(Part::HandsOverThis),
        ("java/util/concurrent/ForkJoinTask", "doExec") => Some(Part::WorksOnThis),
        ("java/util/concurrent/CompletableFuture$UniCompletion", "<init>") => Some(Part::Makes),
        _ if class.starts_with(STAGES) && method == "tryFire" => Some(Part::WorksOnThis),
        _ => None,
    }
}

/// Whether a class of the JDK has such methods, by its internal name.
pub(crate) fn hands_over(class: &str) -> bool {
    matches!(
        class,
        "java/lang/Thread"
            | "java/lang/VirtualThread"
            | "java/util/Timer"
            | "java/util/TimerThread"
            | "java/util/concurrent/ForkJoinPool"
            | "java/util/concurrent/ForkJoinTask"
            | "java/util/concurrent/ScheduledThreadPoolExecutor"
            | "java/util/concurrent/ThreadPoolExecutor"
    ) || class.starts_with(STAGES)
}

/// The class, rewritten; `None` if it is none of them after all.
pub(crate) fn instrument_tasks(original: &[u8]) -> Result<Option<Vec<u8>>, InstrumentError> {
    let mut class = ClassFile::parse(original)?;
    let name = class.name()?.into_owned();
    let mut probes = Probes::default();
    let mut is_rewritten = false;
    for index in 0..class.methods.len() {
        let method = class.methods[index].clone();
        let descriptor = class.method_descriptor(&method)?.into_owned();
        let Some(part) = part(&name, &class.method_name(&method)?, &descriptor) else {
            continue;
        };
        let Some(code) = class.code(&method)? else {
            continue;
        };
        let editor = CodeEditor::new(&class, &method, &code)?;
        let mut edit = Edit {
            class: &mut class,
            probes: &mut probes,
            editor,
        };
        edit.insert(part, &descriptor)?;
        let editor = edit.editor;
        let edited = editor.finish(&mut class.constants)?;
        class.set_code(index, &edited)?;
        is_rewritten = true;
    }
    Ok(is_rewritten.then(|| class.write()))
}

struct Edit<'a, 'c> {
    class: &'a mut ClassFile,
    probes: &'a mut Probes,
    editor: CodeEditor<'c>,
}

impl Edit<'_, '_> {
    fn insert(&mut self, part: Part, descriptor: &str) -> Result<(), InstrumentError> {
        let mut snippet = Snippet::new();
        match part {
            Part::Starts => {
                snippet.load_reference(0);
                let pool = &mut self.class.constants;
                self.probes
                    .call_stacks(&mut snippet, pool, "raise", &["Ljava/lang/Thread;"])?;
                self.editor.at_entry(&snippet);
                self.insert(Part::HandsOverThis, descriptor)?;
            }
            Part::HandsOverThis | Part::HandsOverFirst => {
                snippet.load_reference(u16::from(part == Part::HandsOverFirst));
                self.call(&mut snippet, "submitted", &[OBJECT_TYPE], "V")?;
                self.editor.at_entry(&snippet);
            }
            Part::Ends => {
                self.call(&mut snippet, "ends", &[], "V")?;
                self.editor.at_entry(&snippet);
            }
            Part::HandsOverToPool => {
                let signature = descriptor::parse_method(descriptor)?;
                let Some((JavaType::Reference(_), before)) = signature.parameters.split_last()
                else {
                    return Ok(());
                };
                let last = 1 + before.iter().map(|kind| kind.slots()).sum::<u16>();
                snippet.load_reference(0).load_reference(last);
                self.call(&mut snippet, "submitted", &[OBJECT_TYPE; 2], "V")?;
                self.editor.at_entry(&snippet);
            }
            Part::Makes => {
                let instructions = self.editor.instructions();
                let calls = constructor::super_calls(instructions, &self.class.constants);
                if let Some(&call) = calls.last() {
                    snippet.load_reference(0);
                    self.call(&mut snippet, "made", &[OBJECT_TYPE], "V")?;
                    self.editor.after(call, &snippet);
                }
            }
            Part::WorksOnThis => {
                let previous = self.editor.extra_locals(&[VerificationType::Long]);
                snippet.load_reference(0);
                self.call(&mut snippet, "begun", &[OBJECT_TYPE], "J")?;
                snippet.store(JavaType::Long, previous);
                self.editor.at_entry(&snippet);
                snippet.clear();
                self.ended(&mut snippet, previous)?;
                for at in 0..self.editor.instructions().len() {
                    if self.editor.instructions()[at].is_return() {
                        self.editor.before(at, &snippet);
                    }
                }
            }
            Part::Runs => {
                let previous = self.editor.scratch_locals(2);
                for at in 0..self.editor.instructions().len() {
                    let instruction = self.editor.instructions()[at].clone();
                    if !self.runs_a_task(&instruction)? {
                        continue;
                    }
                    snippet.clear();
                    snippet.op(opcode::DUP);
                    self.call(&mut snippet, "begun", &[OBJECT_TYPE], "J")?;
                    snippet.store(JavaType::Long, previous);
                    self.editor.before(at, &snippet);
                    snippet.clear();
                    self.ended(&mut snippet, previous)?;
                    self.editor.after(at, &snippet);
                }
            }
        }
        Ok(())
    }

    fn ended(&mut self, snippet: &mut Snippet, previous: u16) -> Result<(), InstrumentError> {
        snippet.load(JavaType::Long, previous);
        self.call(snippet, "ended", &["J"], "V")
    }

    fn runs_a_task(&self, instruction: &Instruction) -> Result<bool, InstrumentError> {
        let Some(constant) = instruction.cp_index().filter(|_| instruction.is_invoke()) else {
            return Ok(false);
        };
        let member = self.class.constants.member_ref(constant)?;
        Ok(member.name == "run" && member.descriptor == "()V")
    }

    fn call(
        &mut self,
        snippet: &mut Snippet,
        name: &str,
        parameters: &[&str],
        result: &str,
    ) -> Result<(), InstrumentError> {
        let pool = &mut self.class.constants;
        Ok(self
            .probes
            .call_tasks(snippet, pool, name, parameters, result)?)
    }
}
