//! A person who knows what every call should have done, from a run of the working version, and says so when asked.
//!
//! What the two runs do not tell, the person does not know. Answers are kept beside the recording, because comparing
//! runs takes much longer than asking.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use debug_engine::session::{Answer, Question};
use debug_engine::{NodeId, Target};
use inquiry::command::{Command, Verdict};
use inquiry::oracle::reference::Reference;
use java_model::run::JavaRun;
use serde::{Deserialize, Serialize};

use super::recordings::open;
use crate::record_bench::BenchError;

/// Stretches of more calls are looked at so far.
const MOST_MEMBERS: usize = 1000;
/// The person's answers, beside the recording.
const FILE: &str = "truth.json";

/// See the module's header.
pub(super) struct Person {
    run: Arc<JavaRun>,
    reference_trace: PathBuf,
    reference: Option<Reference>,
    known: BTreeMap<u32, Truth>,
    file: PathBuf,
    has_learnt: bool,
}

/// What is known of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Truth {
    Right,
    Wrong,
    Inadmissible,
    Unknown,
}

impl Truth {
    fn verdict(self) -> Verdict {
        match self {
            Truth::Right => Verdict::Right,
            Truth::Wrong => Verdict::Wrong,
            Truth::Inadmissible => Verdict::Inadmissible,
            Truth::Unknown => Verdict::Unknown,
        }
    }
}

impl Person {
    /// Whoever knows a run, from that of the working version.
    pub(super) fn new(run: Arc<JavaRun>, reference: &Path, folder: &Path) -> Person {
        let file = folder.join(FILE);
        let known = fs::read(&file).ok();
        let known = known.and_then(|known| serde_json::from_slice(&known).ok());
        Person {
            run,
            reference_trace: reference.to_owned(),
            reference: None,
            known: known.unwrap_or_default(),
            file,
            has_learnt: false,
        }
    }

    /// What is said to a question.
    pub(super) fn answer(&mut self, question: &Question) -> Result<Command, BenchError> {
        if question.is_list() {
            return self.answer_list(question);
        }
        Ok(Command::Answer(match question.target {
            Target::Node(node) => self.truth(node)?.verdict(),
            several => self.answer_together(several)?,
        }))
    }

    /// Of calls side by side, the one that is wrong is pointed at, or else the first that is not right.
    fn answer_list(&mut self, question: &Question) -> Result<Command, BenchError> {
        let mut odd = None;
        for (number, target) in (1..).zip(question.targets()) {
            match self.truth(target.first())? {
                Truth::Right => {}
                Truth::Wrong => return Ok(Command::AnswerOne(number, Verdict::Wrong)),
                other => odd = odd.or(Some((number, other))),
            }
        }
        Ok(match odd {
            Some((number, truth)) => Command::AnswerOne(number, truth.verdict()),
            None => Command::Answer(Verdict::Right),
        })
    }

    /// Calls taken together are right if all of them are, and wrong if one of them is.
    fn answer_together(&mut self, several: Target) -> Result<Verdict, BenchError> {
        let run = Arc::clone(&self.run);
        let mut members = several.members(&*run);
        let mut all_right = true;
        for node in members.by_ref().take(MOST_MEMBERS) {
            match self.truth(node)? {
                Truth::Right => {}
                Truth::Wrong => return Ok(Verdict::Wrong),
                Truth::Inadmissible | Truth::Unknown => all_right = false,
            }
        }
        let is_right = all_right && members.next().is_none();
        Ok(if is_right {
            Verdict::Right
        } else {
            Verdict::Unknown
        })
    }

    fn truth(&mut self, node: NodeId) -> Result<Truth, BenchError> {
        if let Some(&known) = self.known.get(&node.0) {
            return Ok(known);
        }
        let reference = match &mut self.reference {
            Some(reference) => reference,
            None => {
                let theirs = Arc::new(open(&self.reference_trace)?);
                let reference = Reference::new(Arc::clone(&self.run), theirs);
                self.reference.insert(reference)
            }
        };
        let truth = match reference.answer(node) {
            Some(Answer::Yes) => Truth::Right,
            Some(Answer::No | Answer::WrongPart(_)) => Truth::Wrong,
            Some(Answer::Inadmissible) => Truth::Inadmissible,
            _ => Truth::Unknown,
        };
        self.known.insert(node.0, truth);
        self.has_learnt = true;
        Ok(truth)
    }

    /// Keeps what was found out.
    pub(super) fn keep(&self) -> io::Result<()> {
        if !self.has_learnt {
            return Ok(());
        }
        let draft = self.file.with_extension("draft");
        fs::write(&draft, serde_json::to_vec(&self.known)?)?;
        fs::rename(draft, &self.file)
    }
}
