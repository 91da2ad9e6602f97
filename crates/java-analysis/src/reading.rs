//! How long a question is for whoever has to read it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use debug_engine::session::QuestionCost;
use debug_engine::transform::kind_of;
use debug_engine::view::render::{self, Bounds};
use debug_engine::{NodeId, Target};

use super::calls::Calls as _;
use super::questions::Questions;
use super::recording::Recording;

/// What it takes to look up what a line leaves out, in signs of reading.
const LOOKING_UP: u64 = 100;

/// The length of the text that a question is shown as.
pub struct Reading {
    questions: Questions,
    /// A call is looked at again and again while the search comes nearer to it.
    known: Mutex<HashMap<Target, u64>>,
    /// The same of calls as lines of a list.
    lines: Mutex<HashMap<NodeId, Arc<str>>>,
}

impl Reading {
    #[must_use]
    pub fn of(recording: &Arc<dyn Recording>) -> Reading {
        Reading {
            questions: Questions::hurried(Arc::clone(recording)),
            known: Mutex::default(),
            lines: Mutex::default(),
        }
    }
}

impl Reading {
    /// The length of a call as one line of a list, and more if whoever judges it has to look up what is left out.
    pub(crate) fn signs_of_line(&self, node: NodeId) -> u64 {
        let line = self.line(node);
        let signs = line.chars().count() as u64;
        match render::is_scannable(&line) {
            true => signs,
            false => signs + LOOKING_UP,
        }
    }

    /// A call as the only line of a list.
    pub(crate) fn line(&self, node: NodeId) -> Arc<str> {
        let lines = || self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(line) = lines().get(&node) {
            return Arc::clone(line);
        }
        let target = Target::Node(node);
        let bounds = Bounds::of_question();
        let asked = self.questions.view(target, kind_of(target), bounds);
        let line: Arc<str> = render::asked_in_list(&[asked], bounds).concat().into();
        lines().insert(node, Arc::clone(&line));
        line
    }
}

impl QuestionCost for Reading {
    fn signs(&self, target: Target) -> u64 {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&signs) = known().get(&target) {
            return signs;
        }
        let bounds = Bounds::of_question();
        let asked = self.questions.view(target, kind_of(target), bounds);
        let text = render::asked_briefly(&asked, bounds);
        let text = text.unwrap_or_else(|| render::asked(&asked, bounds));
        let signs = text.chars().count() as u64;
        known().insert(target, signs);
        signs
    }
}
