//! Coverage that is worked out while a person thinks.
//!
//! Re-executing thousands of calls takes longer than anybody wants to wait for a question. A call
//! whose coverage is not known yet is put on a list, its neighbours with it, and a thread works
//! through the list; until then the strategy does without.

use std::collections::HashSet;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use debug_engine::NodeId;
use debug_engine::strategy::{Coverage, CoverageKey};

use super::coverage::CallCoverage;

/// Calls that are worked out together.
const BLOCK: u32 = 256;

/// See the module's header.
pub struct BackgroundCoverage {
    coverage: Arc<CallCoverage>,
    /// Which blocks were put on the list.
    listed: Mutex<HashSet<u32>>,
    list: Sender<u32>,
}

impl BackgroundCoverage {
    /// Starts the thread; it ends when this is dropped.
    #[must_use]
    pub fn new(coverage: Arc<CallCoverage>) -> Self {
        let (list, blocks) = channel::<u32>();
        let worker = Arc::clone(&coverage);
        std::thread::spawn(move || {
            for block in blocks {
                for node in block * BLOCK..(block + 1).saturating_mul(BLOCK).min(worker.calls()) {
                    worker.keys(NodeId(node));
                }
            }
        });
        BackgroundCoverage {
            coverage,
            listed: Mutex::default(),
            list,
        }
    }
}

impl Coverage for BackgroundCoverage {
    fn keys(&self, node: NodeId) -> Option<Arc<[CoverageKey]>> {
        let known = self.coverage.known(node);
        if known.is_none() {
            let block = node.0 / BLOCK;
            let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
            if listed.insert(block) {
                // If the thread is gone the strategy goes on without coverage.
                let _ = self.list.send(block);
            }
        }
        known
    }
}
