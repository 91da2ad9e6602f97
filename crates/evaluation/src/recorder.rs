//! Recorded runs as trees in memory, which strategies are tried on.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use debug_engine::tree::{LoopPiece, SketchTree};
use debug_engine::{ExecutionTree, NodeId, RoutineId};
use java_model::run::JavaRun;
use tempfile::TempDir;
use test_support::{Jdk, Run};

use crate::recording::{BenchError, check_exit, record_prefix, scratch_folder};

/// Records programs as a user does.
#[derive(Debug, Clone)]
pub struct Recorder {
    /// The `askance` executable.
    pub executable: PathBuf,
    pub jdk: Jdk,
}

/// A recorded run.
pub struct Recorded {
    pub run: Arc<JavaRun>,
    /// What the strategies see of it.
    pub tree: Arc<dyn ExecutionTree>,
    /// Routines about which nobody is asked.
    pub trusted: BTreeSet<RoutineId>,
    /// Goes when this goes.
    _folder: TempDir,
}

impl Recorder {
    /// Fails if there is no executable.
    pub(crate) fn check(&self) -> Result<(), BenchError> {
        if !self.executable.is_file() {
            return Err(BenchError::NoRecorder(self.executable.clone()));
        }
        Ok(())
    }

    /// Records a program that ends by itself. What it exits with does not matter.
    pub fn record(&self, what: &str, run: &Run) -> Result<Recorded, BenchError> {
        let folder = scratch_folder()?;
        let trace = folder.path().join("trace");
        let prefix = record_prefix(&self.executable, &trace, &["--detail", "full"]);
        let finished = run.clone().prefix(prefix).run()?;
        check_exit(&format!("recording {what}"), &finished)?;
        Recorded::open(folder, &trace)
    }
}

impl Recorded {
    fn open(folder: TempDir, trace: &Path) -> Result<Self, BenchError> {
        let run = Arc::new(JavaRun::open(trace, None, &mut |_, _| {})?);
        Ok(Recorded {
            tree: Arc::new(InMemory {
                calls: in_memory(&*run),
                run: Arc::clone(&run),
            }),
            trusted: run.compiler_made(),
            run,
            _folder: folder,
        })
    }
}

/// A copy of the calls, with the loops of the recorded ones.
struct InMemory {
    calls: SketchTree,
    run: Arc<JavaRun>,
}

impl ExecutionTree for InMemory {
    fn len(&self) -> u32 {
        self.calls.len()
    }

    fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.calls.parent(node)
    }

    fn subtree_size(&self, node: NodeId) -> u32 {
        self.calls.subtree_size(node)
    }

    fn is_complete(&self, node: NodeId) -> bool {
        self.calls.is_complete(node)
    }

    fn routine(&self, node: NodeId) -> RoutineId {
        self.calls.routine(node)
    }

    fn chained_to_next(&self, node: NodeId) -> bool {
        self.calls.chained_to_next(node)
    }

    fn loops(&self, node: NodeId) -> Arc<[LoopPiece]> {
        self.run.loops(node)
    }
}

/// A copy, so that the strategies are measured and not the look-ups.
fn in_memory(run: &dyn ExecutionTree) -> SketchTree {
    let nodes = || (0..run.len()).map(NodeId);
    let parents = nodes().map(|node| run.parent(node));
    // A recorded tree is in preorder.
    let tree = SketchTree::from_parents(parents).unwrap_or_default();
    tree.with_routines(nodes().map(|node| run.routine(node)))
        .with_incomplete(run.incomplete_nodes())
        .with_chained(nodes().filter(|&node| run.chained_to_next(node)))
}
