//! The inside of a call, as a tree of loops, iterations and statements that can be asked about like a
//! run: the search goes on in a buggy call until it comes to a statement. The loops and iterations in
//! which a call made its calls can be asked about before that, as nodes between the call and them.
//!
//! Only a call that is looked into is re-executed, and only while it is looked into.

mod call_pieces;

use std::collections::BTreeSet;
use std::sync::Arc;

use debug_engine::model::buggy_code;
use debug_engine::transform::NodeKind;
use debug_engine::view::AskedView;
use debug_engine::view::render::Bounds;
use debug_engine::{ExecutionTree, NodeId, RoutineId, Target};

pub use call_pieces::CallPieces;

use super::recording::Recording as _;
use crate::calls::{Blamed, Calls, Inside, Scope};
use java_model::run::JavaRun;
use java_names::glob::Glob;

/// A call that is looked into.
pub struct InsideCall {
    run: Arc<JavaRun>,
    pieces: CallPieces,
}

impl InsideCall {
    /// Cuts a call into pieces, down to statements if wanted and possible; `None` if it cannot be
    /// re-executed, or has no more than one piece.
    #[must_use]
    pub fn of(run: Arc<JavaRun>, node: NodeId, statements: bool) -> Option<InsideCall> {
        let pieces = CallPieces::of(&run, node, statements)?;
        (pieces.tree().len() > 1).then_some(InsideCall { run, pieces })
    }
}

impl Calls for InsideCall {
    fn view(&self, target: Target, _: NodeKind, bounds: Bounds) -> AskedView {
        AskedView::Stretch(self.pieces.view(&self.run, target, bounds))
    }

    fn routines_beside(&self, _: NodeId, _: Scope) -> BTreeSet<RoutineId> {
        BTreeSet::new()
    }

    fn routines_named(&self, _: &Glob) -> BTreeSet<RoutineId> {
        BTreeSet::new()
    }

    fn source(&self, node: NodeId) -> Option<String> {
        let lines = self.pieces.lines(node.into());
        self.run.source(self.pieces.call(), &lines)
    }

    fn check_path(&self, _: Target, _: &str) -> Result<(), String> {
        Ok(())
    }
}

impl Inside for InsideCall {
    fn tree(&self) -> Arc<dyn ExecutionTree> {
        Arc::clone(self.pieces.tree()) as Arc<dyn ExecutionTree>
    }

    fn piece(&self, piece: Target) -> Option<Target> {
        self.pieces.piece(piece)
    }

    /// Lemma 1: what ran in it and not in what is inside it.
    fn blamed(&self, node: NodeId) -> Blamed {
        let tree = self.pieces.tree();
        let own = buggy_code(&**tree, &**tree, node);
        let mut lines: Vec<u32> = own
            .into_iter()
            .filter_map(|line| u32::try_from(line.0).ok())
            .collect();
        if lines.is_empty() {
            lines = self.pieces.lines(node.into());
        }
        Blamed {
            title: self.pieces.title(node.into()),
            lines,
        }
    }
}
