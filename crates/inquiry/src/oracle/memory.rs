//! Answers that last: what a person said about a behaviour counts in later sessions too.
//!
//! A behaviour is a method, the state before and the state after, both up to the names of objects, and
//! the code: that of the method and of everything that ran below it. So an answer is used again only for
//! the same behaviour of the same code, and forgotten, as it were, when that code changes. What the trace
//! does not tell enough of (an object whose inside is unknown, a clock, the input) is neither kept nor
//! answered.
//!
//! Answers are kept per project, in a file of its own among the user's state files: a project's folder
//! is not ours to write into.

pub mod store;

use std::collections::HashMap;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use debug_engine::oracle::Oracle;
use debug_engine::session::{Answer, AnswerSource, LogEntry, ValuePath};
use debug_engine::view::render::{self, Bounds};
use debug_engine::{NodeId, Target};
use trace_format::MethodId;

use super::behaviour;
use java_analysis::recording::Recording as _;
use java_model::run::JavaRun;
use java_model::stable_hash::StableHasher;
use java_names::names;
use store::{MemoryError, RememberedAnswer, Store};

/// Of no more calls taken together is it looked up what was said of each.
const MOST_TOGETHER: usize = 256;
/// So many keys are at hand at a time.
const MOST_KEYS: usize = 4096;

/// Answers from earlier sessions. Clones share what they have worked out.
#[derive(Clone)]
pub struct Memory {
    run: Arc<JavaRun>,
    store: Arc<Store>,
    worked_out: Arc<Mutex<WorkedOut>>,
}

#[derive(Default)]
struct WorkedOut {
    /// Of each method that was asked about: its code, with all below it; `None` if that depends on the
    /// outside.
    codes: HashMap<MethodId, Option<u64>>,
    /// The keys of the calls that were asked about lately: a call is looked up before it is asked about,
    /// and kept when it is answered.
    keys: HashMap<NodeId, Option<String>>,
}

impl Memory {
    /// The answers of a store, for a run.
    #[must_use]
    pub fn new(run: Arc<JavaRun>, store: Arc<Store>) -> Memory {
        Memory {
            run,
            store,
            worked_out: Arc::default(),
        }
    }

    /// Takes in what a person says of a call now: keeps it, or forgets what was taken back.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn take_in(&mut self, said: &LogEntry) -> Result<(), MemoryError> {
        match (said.target(), &said.answer) {
            (Some(Target::Node(node)), Answer::TakenBack) => self.forget(node),
            _ => self.keep([said]).map(drop),
        }
    }

    /// Forgets what was said of a call's behaviour.
    fn forget(&mut self, node: NodeId) -> Result<(), MemoryError> {
        match self.key_if_known(node) {
            Some(key) => self.store.remove(&[key]).map(drop),
            None => Ok(()),
        }
    }

    /// Keeps what a person said of single calls, in so far as it is about behaviours. Gives how many
    /// answers were kept.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn keep<'log>(
        &mut self,
        log: impl IntoIterator<Item = &'log LogEntry>,
    ) -> Result<usize, MemoryError> {
        let mut answers = Vec::new();
        for entry in log
            .into_iter()
            .filter(|entry| entry.source == AnswerSource::Person)
        {
            let Some(Target::Node(node)) = entry.target() else {
                continue;
            };
            if let (Some((word, wrong)), Some(key)) = (spelled(&entry.answer), self.key(node)) {
                answers.push((key, self.kept(node, word, wrong)));
            }
        }
        self.store.put(&answers)?;
        Ok(answers.len())
    }

    fn kept(&self, node: NodeId, answer: &str, wrong: Option<String>) -> RememberedAnswer {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let view = self.run.view(node, Bounds::default());
        RememberedAnswer {
            answer: answer.to_owned(),
            wrong,
            method: self.method(self.run.method(node)),
            call: render::one_line(&view, Bounds::default()),
            from: whole(self.run.folder()).display().to_string(),
            when: now.map_or(0, |since| since.as_secs()),
            place: Some((self.run.number(), node.0)),
        }
    }

    fn method(&self, method: MethodId) -> String {
        let found = self.run.method_names(method);
        format!(
            "{}.{}{}",
            names::class(found.class),
            found.name,
            found.descriptor
        )
    }

    /// Whether anything was ever said about a method of this name, whatever its code was. To tell its code, all code
    /// below it has to be read.
    fn knows_method_of(&self, node: NodeId) -> bool {
        let method = self.method(self.run.method(node));
        self.store.has(&format!("{method} "))
    }

    /// What the keys of all behaviours of a call's code begin with; `None` if it depends on the outside.
    fn beginning(&self, node: NodeId) -> Option<String> {
        let method = self.run.method(node);
        let mut worked_out = self.worked_out();
        let known = worked_out.codes.entry(method);
        let code = (*known.or_insert_with(|| code(&self.run, method)))?;
        Some(format!("{} {code:x} ", self.method(method)))
    }

    /// The key of a call's behaviour; `None` if the trace does not tell it.
    fn key(&self, node: NodeId) -> Option<String> {
        if let Some(key) = self.worked_out().keys.get(&node) {
            return key.clone();
        }
        let key = self.beginning(node).and_then(|beginning| {
            let (before, after) = behaviour::whole(&self.run, node)?;
            Some(format!("{beginning}{before:x} {after:x}"))
        });
        let keys = &mut self.worked_out().keys;
        if keys.len() >= MOST_KEYS {
            keys.clear();
        }
        keys.insert(node, key.clone());
        key
    }

    fn worked_out(&self) -> MutexGuard<'_, WorkedOut> {
        self.worked_out
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The same if anything was ever said about the call's code: to compare all that it could see takes
    /// time.
    fn key_if_known(&self, node: NodeId) -> Option<String> {
        if !self.knows_method_of(node) {
            return None;
        }
        let beginning = self.beginning(node)?;
        if self.store.has(&beginning) {
            self.key(node)
        } else {
            None
        }
    }
}

impl Oracle for Memory {
    fn source(&self) -> AnswerSource {
        AnswerSource::Memory
    }

    fn judge(&mut self, node: NodeId) -> Option<Answer> {
        let key = self.key_if_known(node)?;
        let kept = self.store.get(&key)?;
        Some(match (kept.answer.as_str(), kept.wrong) {
            ("yes", _) => Answer::Yes,
            ("no", None) => Answer::No,
            ("no", Some(path)) => Answer::WrongPart(ValuePath(path)),
            ("inadmissible", _) => Answer::Inadmissible,
            _ => return None,
        })
    }

    /// Right if each of the calls is, wrong if one of them is. Only calls whose answer can still matter are
    /// compared.
    fn judge_range(&mut self, first: NodeId, last: NodeId) -> Option<Answer> {
        let run = Arc::clone(&self.run);
        let members = Target::Range { first, last }.members(&*run);
        let mut all_right = true;
        for (number, node) in members.enumerate() {
            if number >= MOST_TOGETHER {
                return None;
            }
            let can_be_wrong = || {
                let is_known = self.knows_method_of(node);
                let beginning = is_known.then(|| self.beginning(node)).flatten();
                beginning.is_some_and(|beginning| self.store.has_wrong(&beginning))
            };
            if !all_right && !can_be_wrong() {
                continue;
            }
            match self.judge(node) {
                Some(Answer::Yes) => {}
                Some(Answer::No | Answer::WrongPart(_)) => return Some(Answer::No),
                _ => all_right = false,
            }
        }
        all_right.then_some(Answer::Yes)
    }
}

/// A path that means the same from wherever it is read.
fn whole(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// The answers that say something about a behaviour.
fn spelled(answer: &Answer) -> Option<(&'static str, Option<String>)> {
    match answer {
        Answer::Yes => Some(("yes", None)),
        Answer::No => Some(("no", None)),
        Answer::WrongPart(path) => Some(("no", Some(path.0.clone()))),
        Answer::Inadmissible => Some(("inadmissible", None)),
        Answer::DontKnow | Answer::Trust(_) | Answer::OneOf(_) | Answer::TakenBack => None,
    }
}

/// The code of a method and of all that ran below it.
fn code(run: &JavaRun, method: MethodId) -> Option<u64> {
    let reach = run.statics_below().reach(run, method);
    if reach.has_input {
        return None;
    }
    let mut codes: Vec<_> = reach
        .methods
        .iter()
        .map(|&below| (run.method_names(below), run.fingerprint(below)))
        .map(|(names, code)| (names.class, names.name, names.descriptor, code))
        .collect();
    codes.sort_unstable();
    let mut hash = StableHasher::new();
    codes.hash(&mut hash);
    Some(hash.finish())
}

/// The file below the user's state in which the answers of the project with this folder are kept.
#[must_use]
pub fn file_of(state: &Path, root: &Path) -> PathBuf {
    let mut hash = StableHasher::new();
    root.hash(&mut hash);
    let name = root.file_name().unwrap_or_default().to_string_lossy();
    let folder = format!("{name}-{:016x}", hash.finish());
    state.join(folder).join("answers.redb")
}
