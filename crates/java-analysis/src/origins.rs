//! Which call produced a value, for whoever points at one and says that it is wrong.

use std::collections::HashSet;
use std::sync::Arc;

use debug_engine::session::ValuePath;
use debug_engine::strategy::ValueOrigin;
use debug_engine::{ExecutionTree as _, NodeId, RoutineId};
use trace_format::MethodId;

use super::lines;
use crate::asserted;
use java_model::run::JavaRun;

/// Of so many calls below one it is looked which static variables they name.
const MOST_CALLS: u32 = 1_000_000;

/// The origins of the values of a run.
pub struct Origins {
    run: Arc<JavaRun>,
}

impl Origins {
    #[must_use]
    pub fn of(run: Arc<JavaRun>) -> Origins {
        Origins { run }
    }
}

impl ValueOrigin for Origins {
    fn producer(&self, node: NodeId, path: &ValuePath) -> Option<NodeId> {
        if path.0 == asserted::ACTUAL {
            return asserted::producer(&self.run, node);
        }
        lines::producer(&self.run, self.run.program(), node, &path.0)
    }

    fn set_up_before(&self, node: NodeId) -> Vec<NodeId> {
        initialisers_before(&self.run, node)
    }
}

/// The static initialisers that ran before a call and made the static variables that the code below it names.
fn initialisers_before(run: &JavaRun, node: NodeId) -> Vec<NodeId> {
    let end = node.0 + run.subtree_size(node).min(MOST_CALLS);
    let methods: HashSet<MethodId> = (node.0..end).map(|node| run.method(NodeId(node))).collect();
    let codes: Vec<_> = methods.into_iter().map(|method| run.code(method)).collect();
    let owners: HashSet<&str> = codes
        .iter()
        .flat_map(|code| code.statics.iter().map(|field| field.owner.as_str()))
        .collect();
    let is_wanted = |routine: RoutineId| {
        let names = run.method_names(MethodId(routine.0));
        names.name == "<clinit>" && owners.contains(names.class)
    };
    let mut found = Vec::new();
    run.visit_nodes_of(&is_wanted, &mut |call| {
        found.extend((call < node).then_some(call))
    });
    found
}
