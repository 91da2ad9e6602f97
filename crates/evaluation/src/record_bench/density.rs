//! How many bytes an event takes.
//!
//! Most of what is recorded are bare values, which nobody can count without re-executing the
//! code that consumed them. So this is measured on a short run of the workload: every call is
//! replayed, and what it took is counted.

use std::path::Path;

use frame_replay::{Program, Runner};
use trace_store::{CallId, StoreError, Trace};

/// What a trace holds: calls, exits, handlers, writes, descriptions of objects, and values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Density {
    pub bytes: u64,
    pub events: u64,
}

impl Density {
    pub(super) fn of(trace: &Path) -> Result<Self, StoreError> {
        let trace = Trace::open(trace)?;
        trace.build_call_index(&mut |_, _| {})?;
        let program = Program::of(&trace);
        let mut runner = Runner::new(&trace, &program);
        for thread in trace.all_calls()? {
            for index in 0..thread.len() {
                // A call that cannot be replayed adds bytes and no events: it makes the figure worse.
                let _ = runner.run(CallId::new(thread.thread(), index));
            }
        }
        let info = trace.info()?;
        Ok(Density {
            bytes: info.event_bytes + info.value_bytes + info.object_bytes,
            events: info.events.total() + info.objects + runner.values(),
        })
    }

    pub fn bytes_per_event(self) -> f64 {
        self.bytes as f64 / self.events.max(1) as f64
    }
}
