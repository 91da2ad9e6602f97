//! Those who are heard before a person is asked: the memory of answers, a reference, passing tests, a command.
//!
//! What they say can take long: a command thinks, and a call with large objects is compared value by value.
//! So they are heard after a change and without the session's lock: [`Questioning::go_on_hearing`] says what is
//! to be done and takes what came of it, and [`Advisers::think`] does it. What they say to a question that
//! is no longer asked is dropped. So the page is as quick with them as without.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use debug_engine::Target;
use debug_engine::oracle::Cascade;
use debug_engine::session::{AnswerSource, LogEntry, SessionError};

use super::SharedQuestioning;
use inquiry::oracle::memory::Memory;

/// See the module's header.
#[derive(Clone)]
pub struct Advisers(Arc<Mutex<Advising>>);

struct Advising {
    oracles: Cascade<'static>,
    memory: Option<Memory>,
}

/// Something that takes time.
#[derive(Debug)]
pub enum Task {
    /// Tells the memory what a person said.
    Remember(LogEntry),
    /// Asks for answers to the question that is open at this revision: of each call that it is about, and who is
    /// not heard about it.
    Judge {
        targets: Vec<(Target, Option<AnswerSource>)>,
        revision: u64,
    },
}

/// What came of a task.
#[derive(Debug)]
pub enum Thought {
    Remembered(Result<(), String>),
    Judged { said: Vec<LogEntry>, revision: u64 },
    Broken,
}

/// How far the advisers have been heard.
#[derive(Debug)]
pub(super) struct Hearing {
    /// There may be something that they have not been asked yet.
    pub is_due: bool,
    /// Somebody is hearing them.
    is_under_way: bool,
    /// What went wrong, for the person.
    pub trouble: Option<String>,
}

impl Default for Hearing {
    fn default() -> Self {
        Hearing {
            is_due: true,
            is_under_way: false,
            trouble: None,
        }
    }
}

impl Advisers {
    pub fn new(oracles: Cascade<'static>, memory: Option<Memory>) -> Advisers {
        Advisers(Arc::new(Mutex::new(Advising { oracles, memory })))
    }

    /// Does what is to be done, for as long as it takes.
    pub fn think(&self, task: Task) -> Thought {
        let mut heard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let done = catch_unwind(AssertUnwindSafe(|| heard.think(task)));
        done.unwrap_or(Thought::Broken)
    }
}

impl Advising {
    fn think(&mut self, task: Task) -> Thought {
        match task {
            Task::Remember(said) => {
                let done = self.memory.as_mut().map(|memory| memory.take_in(&said));
                let done = done.unwrap_or(Ok(()));
                Thought::Remembered(done.map_err(|error| error.to_string()))
            }
            Task::Judge { targets, revision } => {
                let said = targets
                    .into_iter()
                    .filter_map(|(target, without)| self.oracles.judge_without(target, without));
                Thought::Judged {
                    said: said.collect(),
                    revision,
                }
            }
        }
    }
}

impl SharedQuestioning {
    /// Whether the advisers are still to be heard about what is asked.
    pub fn is_thinking(&self) -> bool {
        self.hearing.is_due && !self.has_moved
    }

    /// What went wrong while they were heard.
    pub fn trouble(&self) -> Option<&str> {
        self.hearing.trouble.as_deref()
    }

    /// Those who are to be heard now, if nobody does that already.
    pub fn begin_hearing(&mut self) -> Option<Advisers> {
        let begins = self.is_thinking() && !self.hearing.is_under_way;
        begins.then(|| {
            self.hearing.is_under_way = true;
            self.advisers.clone()
        })
    }

    /// Takes what came of the last task, and gives the next one. If there is none, the hearing has ended.
    pub fn go_on_hearing(&mut self, thought: Option<Thought>) -> Option<Task> {
        if self.has_moved {
            return None;
        }
        let next = self.take(thought).and_then(|()| self.next_task());
        let next = next.unwrap_or_else(|trouble| {
            self.hearing.trouble = Some(trouble);
            None
        });
        if next.is_none() {
            self.hearing.is_due = false;
            self.hearing.is_under_way = false;
            self.shown = None;
        }
        next
    }

    fn next_task(&mut self) -> Result<Option<Task>, String> {
        if let Some(said) = self.inner.to_remember.first() {
            return Ok(Some(Task::Remember(said.clone())));
        }
        let targets = self
            .inner
            .for_oracles()
            .map_err(|error| error.to_string())?;
        let revision = self.revision;
        match self.hearing.is_due && !targets.is_empty() {
            true => Ok(Some(Task::Judge { targets, revision })),
            false => self.keep().map(|()| None),
        }
    }

    fn take(&mut self, thought: Option<Thought>) -> Result<(), String> {
        match thought {
            None => Ok(()),
            Some(Thought::Remembered(done)) => {
                // What is said meanwhile is added at the end.
                self.inner.to_remember.drain(..1);
                done
            }
            Some(Thought::Judged { said, revision }) if revision == self.revision => {
                let is_told = self.take_advice(said).map_err(|error| error.to_string())?;
                if is_told {
                    self.count_change();
                } else {
                    self.hearing.is_due = false;
                }
                Ok(())
            }
            Some(Thought::Judged { .. }) => Ok(()),
            Some(Thought::Broken) => {
                Err("no answer could be looked for: a mistake in Askance".to_owned())
            }
        }
    }

    /// Answers with what an adviser said, or with what the person said of calls that are the same; whether there
    /// was anything.
    fn take_advice(&mut self, said: Vec<LogEntry>) -> Result<bool, SessionError> {
        if said.is_empty() {
            let step = self.inner.step();
            return self.inner.repeat_answer(&step, &self.calls);
        }
        for entry in said {
            self.inner.take_advice(entry)?;
        }
        Ok(true)
    }
}
