//! The calls that a scan looks at, in the order of their nodes.
//!
//! Calls that follow each other both in their thread and in the tree are one stretch: a whole run is a few of them,
//! so a scan is a list of stretches, and is divided among threads by cutting it.

use datafusion::error::Result;
use debug_engine::NodeId;
use java_model::run::JavaRun;
use trace_format::EventPosition;
use trace_store::{CallId, ThreadCalls};

use crate::failure::unreadable;
use crate::selection::Selection;

/// A call that is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChosenCall {
    pub(crate) node: NodeId,
    pub(crate) call: CallId,
}

/// See the module's header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stretch {
    pub(crate) node: u32,
    pub(crate) call: CallId,
    pub(crate) count: u32,
}

impl Stretch {
    /// Without its first calls.
    fn after(self, skipped: u32) -> Stretch {
        let skipped = skipped.min(self.count);
        Stretch {
            node: self.node + skipped,
            call: CallId::new(self.call.thread, self.call.index + skipped),
            count: self.count - skipped,
        }
    }

    fn first(self, count: u32) -> Stretch {
        Stretch {
            count: self.count.min(count),
            ..self
        }
    }

    /// The part of it that lies in a span of nodes, both ends included.
    fn within(self, span: (i64, i64)) -> Option<Stretch> {
        let end = i64::from(self.node) + i64::from(self.count);
        let from = span.0.clamp(i64::from(self.node), end);
        let until = span.1.saturating_add(1).clamp(from, end);
        let skipped = u32::try_from(from - i64::from(self.node)).ok()?;
        let count = u32::try_from(until - from).ok()?;
        (count > 0).then(|| self.after(skipped).first(count))
    }
}

/// The stretches in which the calls are that a selection leaves.
pub(crate) fn stretches(run: &JavaRun, selection: &Selection) -> Result<Vec<Stretch>> {
    let mut found = Vec::new();
    for (node, call, count) in run.stretches() {
        if !selection.threads.contains(i64::from(call.thread.0)) {
            continue;
        }
        let whole = Stretch {
            node: node.0,
            call,
            count,
        };
        let end = i64::from(node.0) + i64::from(count) - 1;
        for span in selection.nodes.between(i64::from(node.0), end) {
            found.extend(whole.within(span));
        }
    }
    if selection.begins.is_everything() {
        return Ok(found);
    }
    let mut begun = Vec::new();
    for stretch in found {
        let calls = run.trace().calls(stretch.call.thread);
        let calls = calls.map_err(unreadable)?;
        // Calls begin in the order of their numbers, so those of a span of time are neighbours.
        for (from, until) in selection.begins.spans() {
            let from = begun_before(run, calls, stretch, from)?;
            let until = begun_before(run, calls, stretch, until.saturating_add(1))?;
            if until > from {
                begun.push(stretch.after(from).first(until - from));
            }
        }
    }
    Ok(begun)
}

/// How many calls of a stretch begin before a time.
fn begun_before(run: &JavaRun, calls: ThreadCalls<'_>, stretch: Stretch, time: i64) -> Result<u32> {
    let (mut low, mut high) = (0, stretch.count);
    while low < high {
        let middle = low + (high - low) / 2;
        let entry: EventPosition = calls.entry(stretch.call.index + middle);
        let begin = run.trace().time(stretch.call.thread, entry);
        let begin = begin.map_err(unreadable)?.0;
        if i64::try_from(begin).is_ok_and(|begin| begin < time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Ok(low)
}

/// Cuts stretches into at most so many parts of about the same number of calls, none of them tiny.
pub(crate) fn divided(stretches: Vec<Stretch>, parts: usize) -> Vec<Vec<Stretch>> {
    /// Fewer calls are not worth a thread.
    const FEWEST: u64 = 1 << 16;
    let all: u64 = stretches.iter().map(|it| u64::from(it.count)).sum();
    let share = all.div_ceil(parts.max(1) as u64).max(FEWEST);
    let mut divided = vec![Vec::new()];
    let mut room = share;
    for mut stretch in stretches {
        while stretch.count > 0 {
            if room == 0 {
                divided.push(Vec::new());
                room = share;
            }
            let count = u32::try_from(room).unwrap_or(u32::MAX).min(stretch.count);
            if let Some(part) = divided.last_mut() {
                part.push(stretch.first(count));
            }
            room -= u64::from(count);
            stretch = stretch.after(count);
        }
    }
    divided
}

/// Goes through stretches, call by call.
#[derive(Debug)]
pub(crate) struct Walk {
    left: std::vec::IntoIter<Stretch>,
    now: Option<Stretch>,
}

impl Walk {
    pub(crate) fn new(stretches: Vec<Stretch>) -> Self {
        let mut left = stretches.into_iter();
        Walk {
            now: left.next(),
            left,
        }
    }

    /// The next calls of the wanted methods, at most so many; none are left if there are none.
    pub(crate) fn next(
        &mut self,
        run: &JavaRun,
        methods: Option<&[bool]>,
        most: usize,
        found: &mut Vec<ChosenCall>,
    ) -> Result<()> {
        found.clear();
        while let Some(stretch) = self.now {
            let calls = run.trace().calls(stretch.call.thread).map_err(unreadable)?;
            let mut passed = 0;
            while passed < stretch.count && found.len() < most {
                let call = CallId::new(stretch.call.thread, stretch.call.index + passed);
                let is_wanted = methods.is_none_or(|wanted| {
                    let method = calls.method(call.index).0 as usize;
                    wanted.get(method).copied().unwrap_or(false)
                });
                if is_wanted {
                    let node = NodeId(stretch.node + passed);
                    found.push(ChosenCall { node, call });
                }
                passed += 1;
            }
            let rest = stretch.after(passed);
            self.now = match rest.count {
                0 => self.left.next(),
                _ => Some(rest),
            };
            if found.len() >= most {
                return Ok(());
            }
        }
        Ok(())
    }
}
