//! What a dialogue needs to know about the calls of a run.

use std::collections::BTreeSet;
use std::sync::Arc;

use debug_engine::transform::{NodeKind, kind_of};
use debug_engine::view::AskedView;
use debug_engine::view::render::{Bounds, Purpose};
use debug_engine::{NodeId, RoutineId, Target};

use super::calls::{Calls, Inside, Scope};
use super::output_symptom::{OutputPointer, OutputSymptom, ShownLine};
use super::recording::Recording;
use java_model::node_view::with_statics_as_inputs;
use java_names::glob::Glob;

/// More than any question shows, to look for a path that one may have shown.
const EVERYTHING: Bounds = Bounds {
    width: 2_000,
    depth: 12,
    string: 20_000,
    length: 100_000,
    changes: 200,
    calls: 3,
    rows: usize::MAX,
    purpose: Purpose::Question,
};

/// The calls of a run.
pub struct Questions {
    run: Arc<dyn Recording>,
    /// Whether somebody waits for each of them.
    is_hurried: bool,
}

impl Questions {
    #[must_use]
    pub fn new(run: Arc<dyn Recording>) -> Questions {
        Questions {
            run,
            is_hurried: false,
        }
    }

    /// Somebody waits for each of them.
    #[must_use]
    pub fn hurried(run: Arc<dyn Recording>) -> Questions {
        Questions {
            run,
            is_hurried: true,
        }
    }
}

impl Calls for Questions {
    fn view(&self, target: Target, kind: NodeKind, bounds: Bounds) -> AskedView {
        self.run.set_hurried(self.is_hurried);
        let asked = match target {
            Target::Node(node) => AskedView::Call(Box::new(with_statics_as_inputs(
                self.run.view(node, bounds),
            ))),
            several => AskedView::Stretch(self.run.call_range(several, kind, bounds)),
        };
        // Oracles compare what is sure.
        self.run.set_hurried(false);
        asked
    }

    fn caveat(&self) -> Option<&'static str> {
        self.run.caveat()
    }

    fn routines_beside(&self, node: NodeId, scope: Scope) -> BTreeSet<RoutineId> {
        self.run.routines_beside(node, scope)
    }

    fn routines_named(&self, pattern: &Glob) -> BTreeSet<RoutineId> {
        self.run.routines_named(pattern)
    }

    fn source(&self, node: NodeId) -> Option<String> {
        self.run.source(node, &[])
    }

    fn witness(&self, node: NodeId) -> Option<String> {
        self.run.witness(node)
    }

    fn check_path(&self, target: Target, path: &str) -> Result<(), String> {
        self.run
            .check_path(target.last(), path)
            .or_else(|sentence| {
                let asked = self.view(target, kind_of(target), EVERYTHING);
                asked.has_path(path).then_some(()).ok_or(sentence)
            })
    }

    fn output_symptom(&self, at: &OutputPointer) -> Result<OutputSymptom, String> {
        self.run.output_symptom(at)
    }

    fn history(&self, node: NodeId, path: &str) -> Result<String, String> {
        self.run.history(node, path)
    }

    fn origin(&self, node: NodeId, path: &str) -> Result<String, String> {
        self.run.origin(node, path)
    }

    fn last_printed(&self, most: usize) -> (Vec<ShownLine>, bool) {
        self.run.last_printed(most)
    }

    fn inside(&self, node: NodeId, statements: bool) -> Option<Box<dyn Inside>> {
        Arc::clone(&self.run).inside(node, statements)
    }
}
