//! Which call produced a value, for whoever points at one and says that it is wrong.

use std::sync::Arc;

use debug_engine::NodeId;
use debug_engine::session::ValuePath;
use debug_engine::strategy::ValueOrigin;
use frame_replay::Program;

use super::run::JavaRun;
use super::{lines, testing};

/// The origins of the values of a run.
pub struct Origins {
    run: Arc<JavaRun>,
    program: Program,
}

impl Origins {
    #[must_use]
    pub fn of(run: Arc<JavaRun>) -> Origins {
        Origins {
            program: Program::of(run.trace()),
            run,
        }
    }
}

impl ValueOrigin for Origins {
    fn producer(&self, node: NodeId, path: &ValuePath) -> Option<NodeId> {
        if path.0 == testing::ACTUAL {
            return testing::producer(&self.run, node);
        }
        lines::producer(&self.run, &self.program, node, &path.0)
    }
}
