//! What a dialogue needs to know about the calls of a Java program.

use std::collections::BTreeSet;
use std::sync::Arc;

use debug_engine::view::NodeView;
use debug_engine::view::render::Bounds;
use debug_engine::{NodeId, RoutineId};

use super::node_view::{node_view, with_statics_as_inputs};
use super::run::{JavaRun, routine};
use super::{names, source_text};
use crate::dialogue::Calls;
use crate::dialogue::reply::Scope;

/// The calls of a run.
pub struct Questions {
    run: Arc<JavaRun>,
}

impl Questions {
    #[must_use]
    pub fn new(run: Arc<JavaRun>) -> Questions {
        Questions { run }
    }
}

impl Calls for Questions {
    fn view(&self, node: NodeId, bounds: Bounds) -> NodeView {
        with_statics_as_inputs(node_view(&self.run, node, bounds))
    }

    fn routines_beside(&self, node: NodeId, scope: Scope) -> BTreeSet<RoutineId> {
        let here = self.run.method_names(self.run.method(node)).class;
        let is_beside = |class: &str| match scope {
            Scope::Class => class == here,
            Scope::Package => names::package(class) == names::package(here),
        };
        self.run
            .methods()
            .filter(|&method| is_beside(self.run.method_names(method).class))
            .map(routine)
            .collect()
    }

    fn source(&self, node: NodeId) -> Option<String> {
        source_text::excerpt(&self.run, self.run.method(node), &[])
    }
}
