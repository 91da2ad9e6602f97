//! Which call produced a value, for whoever points at one and says that it is wrong.

use std::sync::Arc;

use debug_engine::NodeId;
use debug_engine::session::ValuePath;
use debug_engine::strategy::ValueOrigin;

use super::lines;
use crate::asserted;
use java_model::run::JavaRun;

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
}
