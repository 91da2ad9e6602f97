//! Calls in one line, as trees and lists show them. Making such a line follows values through the heap, and
//! the same lines are wanted again after every answer, so the latest of them are kept.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use debug_engine::Target;

/// Lines of one generation; there are two.
const MOST: usize = 4096;

/// See the module's header.
#[derive(Default)]
pub struct Lines(Mutex<Generations>);

/// What was used since the last change of generations, and what before.
#[derive(Default)]
struct Generations {
    young: HashMap<Target, Arc<str>>,
    old: HashMap<Target, Arc<str>>,
}

impl Lines {
    /// The line of whatever can be asked about.
    pub fn of(&self, target: Target, make: impl FnOnce() -> String) -> Arc<str> {
        let generations = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(line) = generations().get(target) {
            return line;
        }
        let line: Arc<str> = make().into();
        generations().keep(target, Arc::clone(&line));
        line
    }
}

impl Generations {
    fn get(&mut self, target: Target) -> Option<Arc<str>> {
        if let Some(line) = self.young.get(&target) {
            return Some(Arc::clone(line));
        }
        let line = self.old.remove(&target)?;
        self.keep(target, Arc::clone(&line));
        Some(line)
    }

    fn keep(&mut self, target: Target, line: Arc<str>) {
        if self.young.len() >= MOST {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(target, line);
    }
}

#[cfg(test)]
mod tests {
    use debug_engine::NodeId;

    use super::*;

    #[test]
    fn what_is_used_stays_and_the_rest_is_forgotten() {
        let lines = Lines::default();
        let line = |node: u32| lines.of(NodeId(node).into(), || node.to_string());
        let most = u32::try_from(MOST).expect("a small number");
        for node in 0..5 * most {
            assert_eq!(&*line(node), node.to_string());
            let kept = lines.of(NodeId(0).into(), || "made again".to_owned());
            assert_eq!(&*kept, "0");
        }
        assert!(lines.0.lock().expect("no panic").old.len() <= MOST);
        let forgotten = lines.of(NodeId(1).into(), || "made again".to_owned());
        assert_eq!(&*forgotten, "made again");
    }
}
