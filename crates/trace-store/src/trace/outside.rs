//! Writes that recorded code did not make, and that nobody noted: reflection, deserialisation,
//! native code, a buffer around an array.
//!
//! A read gives them away: it gave something else than what was last written. So between the two
//! something outside wrote. Reads are known only by re-executing code, which this crate cannot
//! do; whoever can supplies a [`FindOutsideWrites`]. It is asked when somebody wants to know what a
//! variable held, for this variable and its kin, and what it finds is kept with the trace.
//!
//! Who looks around does not want to wait ([`Trace::set_hurried`]). Where too much would have to be gone through,
//! what recorded code wrote is then the answer, and the trace remembers that it is not sure ([`Trace::unsettled`]).

mod kin;

use std::collections::{BTreeSet, HashMap};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

use serde::{Deserialize, Serialize};
use trace_format::{EventPosition, FieldId, Kind, ObjectId, ThreadNumber, TraceTime, Value};

use super::Trace;
use crate::call_index::IndexSource;
use crate::error::Result;
use crate::index_folder::IndexFolder;
use crate::lazy::Lazy;
use crate::slot::{HistoryEntry, ObjectSlot, Written};

pub use self::kin::Kin;
use self::kin::Kinship;

const NAME: &str = "outside";
/// Reads that are gone through before somebody who looks at values has waited long enough.
const LITTLE: u64 = 1 << 17;
/// Nobody has said that somebody waits.
const ENDLESS: u64 = u64::MAX;
/// What took fewer reads to find is found again as fast as it is read from the disk.
const WORTH_KEEPING: u64 = 1 << 14;

/// Finds the writes of a trace that were not recorded, by what recorded code read.
pub trait FindOutsideWrites: std::fmt::Debug + Send + Sync {
    /// Looks for writes of such variables, but goes through no more than about `most` reads. If that was not enough, it
    /// goes on the next time.
    fn find(&self, trace: &Trace, kin: Kin, most: u64) -> OutsideFindings;
}

/// What came of a search.
#[derive(Debug)]
pub struct OutsideFindings {
    /// All there are; `None` if the search did not come to its end.
    pub writes: Option<Vec<OutsideWrite>>,
    /// Reads that were gone through.
    pub reads: u64,
}

/// A variable that was found to hold something that recorded code did not write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutsideWrite {
    /// Null for a static.
    pub object: ObjectId,
    pub slot: ObjectSlot,
    pub value: Value,
    /// When it was written, as far as that is known: before the event here.
    pub thread: ThreadNumber,
    pub position: EventPosition,
    /// The call that read it, by its number in the thread.
    pub call: u32,
    /// It was written in the part of the trace that was given up: the variable held this from
    /// [`Trace::known_since`] on.
    pub is_given_up: bool,
}

/// As it is kept on disk.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Row {
    object: u32,
    slot: u32,
    is_element: bool,
    kind: u8,
    bits: u64,
    thread: u32,
    position: u64,
    call: u32,
    #[serde(default)]
    is_given_up: bool,
}

/// What is known of a trace's writes from outside.
#[derive(Debug, Default)]
pub(crate) struct Outside {
    finder: Option<Arc<dyn FindOutsideWrites>>,
    /// All there are, if somebody has told.
    told: Option<Arc<OutsideWrites>>,
    kinship: OnceLock<Kinship>,
    /// By what was searched; first what is on disk.
    found: Lazy<RwLock<HashMap<Kin, Settled>>>,
    /// What was wanted, and not searched to the end.
    unsettled: Mutex<BTreeSet<Kin>>,
    /// Reads that may be gone through before values are shown as they are known.
    patience: Patience,
}

#[derive(Debug)]
struct Patience(AtomicU64);

impl Default for Patience {
    fn default() -> Self {
        Self(AtomicU64::new(ENDLESS))
    }
}

/// What was found of some variables.
#[derive(Debug)]
struct Settled {
    rows: Vec<Row>,
    writes: Arc<OutsideWrites>,
}

impl Outside {
    /// Everything has to be searched anew, in another way or under other names.
    pub(crate) fn forget(&mut self) {
        *self = Self {
            finder: self.finder.take(),
            ..Self::default()
        };
    }

    pub(crate) fn set_finder(&mut self, finder: Arc<dyn FindOutsideWrites>) {
        self.forget();
        self.finder = Some(finder);
    }

    pub(crate) fn tell(&mut self, writes: OutsideWrites) {
        self.told = Some(Arc::new(writes));
    }

    fn unsettled(&self) -> MutexGuard<'_, BTreeSet<Kin>> {
        let unsettled = self.unsettled.lock();
        unsettled.unwrap_or_else(PoisonError::into_inner)
    }
}

impl Trace {
    /// Variables that somebody wanted to know of, and of which it is not sure that nothing but recorded code wrote
    /// them: to find out would have taken too long.
    pub fn unsettled(&self) -> Vec<Kin> {
        self.outside().unsettled().iter().copied().collect()
    }

    /// Searches for writes of such variables, however long that takes.
    pub fn settle(&self, kin: Kin) -> Result<()> {
        let outside = self.outside();
        if let (None, Some(finder)) = (&outside.told, &outside.finder)
            && self.settled(kin)?.is_none()
        {
            self.search(&**finder, kin, ENDLESS)?;
        }
        Ok(())
    }

    /// Whether somebody waits for the values that are looked up next: no more than a little is then searched for
    /// them, and what that is not enough for is unsettled.
    pub fn set_hurried(&self, is_hurried: bool) {
        let patience = if is_hurried { LITTLE } else { ENDLESS };
        let ours = &self.outside().patience.0;
        ours.store(patience, Ordering::Relaxed);
    }

    pub(crate) fn kinship(&self) -> &Kinship {
        let kinship = &self.outside().kinship;
        kinship.get_or_init(|| Kinship::of(self))
    }

    /// The writes from outside of variables that are kin, as far as they are known.
    pub(crate) fn outside_writes(&self, kin: Kin) -> Result<Arc<OutsideWrites>> {
        let outside = self.outside();
        if let Some(told) = &outside.told {
            return Ok(Arc::clone(told));
        }
        let Some(finder) = &outside.finder else {
            return Ok(Arc::default());
        };
        if let Some(writes) = self.settled(kin)? {
            return Ok(writes);
        }
        let patience = &outside.patience.0;
        let most = patience.load(Ordering::Relaxed);
        if most > 0 {
            let (found, reads) = self.search(&**finder, kin, most)?;
            if most != ENDLESS {
                patience.store(most.saturating_sub(reads), Ordering::Relaxed);
            }
            if let Some(found) = found {
                return Ok(found);
            }
        }
        outside.unsettled().insert(kin);
        Ok(Arc::default())
    }

    /// The writes from outside of whatever a variable is kin to.
    pub(crate) fn outside_writes_around(
        &self,
        object: ObjectId,
        slot: ObjectSlot,
    ) -> Result<Arc<OutsideWrites>> {
        if let Some(told) = &self.outside().told {
            return Ok(Arc::clone(told));
        }
        match self.kin_of(object, slot)? {
            Some(kin) => self.outside_writes(kin),
            None => Ok(Arc::default()),
        }
    }

    /// From the time after the last write from outside to an object before a time to that of the next one.
    pub(crate) fn quiet_outside(
        &self,
        object: ObjectId,
        time: TraceTime,
    ) -> Result<RangeInclusive<TraceTime>> {
        let outside = self.outside();
        if let Some(told) = &outside.told {
            return Ok(told.quiet_around(object, time));
        }
        let (mut since, mut until) = (TraceTime(0), TraceTime(u64::MAX));
        if outside.finder.is_some() {
            for kin in &*self.kin_of_object(object)? {
                let quiet = self.outside_writes(*kin)?.quiet_around(object, time);
                (since, until) = (since.max(*quiet.start()), until.min(*quiet.end()));
            }
        }
        Ok(since..=until)
    }

    fn found(&self) -> Result<&RwLock<HashMap<Kin, Settled>>> {
        self.outside().found.get_or_make(|| {
            let IndexSource { folder, stamp, .. } = self.source();
            let kept = IndexFolder::find::<Vec<(Kin, Vec<Row>)>>(folder, NAME, &stamp);
            let mut found = HashMap::new();
            for (kin, rows) in kept.map(|(_, kept)| kept).unwrap_or_default() {
                found.insert(kin, self.settled_by(rows)?);
            }
            Ok(RwLock::new(found))
        })
    }

    fn settled_by(&self, rows: Vec<Row>) -> Result<Settled> {
        let writes = OutsideWrites::collect(self, rows.iter().filter_map(Row::write))?;
        Ok(Settled {
            rows,
            writes: Arc::new(writes),
        })
    }

    fn settled(&self, kin: Kin) -> Result<Option<Arc<OutsideWrites>>> {
        let found = self.found()?;
        let found = found.read().unwrap_or_else(PoisonError::into_inner);
        Ok(found.get(&kin).map(|settled| Arc::clone(&settled.writes)))
    }

    /// What a search found, if it came to its end, and how many reads it went through.
    fn search(
        &self,
        finder: &dyn FindOutsideWrites,
        kin: Kin,
        most: u64,
    ) -> Result<(Option<Arc<OutsideWrites>>, u64)> {
        let OutsideFindings { writes, reads } = finder.find(self, kin, most);
        let Some(writes) = writes else {
            return Ok((None, reads));
        };
        let settled = self.settled_by(writes.iter().map(Row::of).collect())?;
        let writes = Arc::clone(&settled.writes);
        let found = self.found()?;
        let mut found = found.write().unwrap_or_else(PoisonError::into_inner);
        found.insert(kin, settled);
        self.outside().unsettled().remove(&kin);
        let source = self.source();
        if source.finished && reads >= WORTH_KEEPING {
            let rows: Vec<(&Kin, &[Row])> =
                found.iter().map(|(kin, it)| (kin, &*it.rows)).collect();
            let folder = IndexFolder::create(source.folder, NAME)?;
            folder.publish(source.folder, NAME, &source.stamp, &rows);
        }
        Ok((Some(writes), reads))
    }
}

/// By object and slot, in the order of time.
#[derive(Debug, Default)]
pub(crate) struct OutsideWrites {
    entries: HashMap<(ObjectId, u32), Arc<[HistoryEntry]>>,
    /// When each object was written, in order.
    times: HashMap<ObjectId, Vec<TraceTime>>,
    /// What variables held where the kept part of the trace begins.
    held: HashMap<(ObjectId, u32), Value>,
}

impl OutsideWrites {
    pub(crate) fn collect(
        trace: &Trace,
        found: impl Iterator<Item = OutsideWrite>,
    ) -> Result<Self> {
        let mut writes = OutsideWrites::default();
        let mut entries = HashMap::new();
        for write in found {
            writes.add(trace, &mut entries, write)?;
        }
        for (variable, mut entries) in entries {
            entries.sort_by_key(|entry| entry.written.time);
            writes.entries.insert(variable, entries.into());
        }
        writes.times.values_mut().for_each(|times| times.sort());
        Ok(writes)
    }

    fn add(
        &mut self,
        trace: &Trace,
        entries: &mut HashMap<(ObjectId, u32), Vec<HistoryEntry>>,
        write: OutsideWrite,
    ) -> Result<()> {
        let slot = match write.slot {
            ObjectSlot::Field(field) => trace.resolve_field(field).0,
            ObjectSlot::Element(index) => index,
        };
        if write.is_given_up {
            self.held.insert((write.object, slot), write.value);
            return Ok(());
        }
        let next = trace.time(write.thread, write.position)?;
        let entry = HistoryEntry {
            value: write.value,
            written: Written {
                // After every event that comes before.
                time: TraceTime(next.0.saturating_sub(1)),
                thread: write.thread,
                position: write.position,
                by_library: false,
                first_read_by: Some(write.call),
            },
        };
        let times = self.times.entry(write.object).or_default();
        times.push(entry.written.time);
        let entries = entries.entry((write.object, slot)).or_default();
        entries.push(entry);
        Ok(())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// See [`OutsideWrite::is_given_up`].
    pub(crate) fn held_before_kept(&self, object: ObjectId, slot: u32) -> Option<Value> {
        self.held.get(&(object, slot)).copied()
    }

    /// Those of a variable, whose field number must be the one that stands for the field.
    pub(crate) fn of(&self, object: ObjectId, slot: u32) -> Arc<[HistoryEntry]> {
        let found = self.entries.get(&(object, slot));
        found.map_or_else(Arc::default, Arc::clone)
    }

    /// From the time after the last one of an object before a time to that of the next one.
    pub(crate) fn quiet_around(
        &self,
        object: ObjectId,
        time: TraceTime,
    ) -> RangeInclusive<TraceTime> {
        let times = self.times.get(&object).map_or(&[][..], Vec::as_slice);
        let after = times.partition_point(|written| *written < time);
        let last = after.checked_sub(1).map(|at| times[at]);
        let since = last.map_or(TraceTime(0), |last| TraceTime(last.0.saturating_add(1)));
        since..=times.get(after).copied().unwrap_or(TraceTime(u64::MAX))
    }

    /// The last one of a variable before a time.
    pub(crate) fn last_before(
        &self,
        object: ObjectId,
        slot: u32,
        time: TraceTime,
    ) -> Option<&HistoryEntry> {
        let entries = self.entries.get(&(object, slot))?;
        let after = entries.partition_point(|entry| entry.written.time < time);
        entries.get(after.checked_sub(1)?)
    }
}

impl Row {
    fn of(write: &OutsideWrite) -> Row {
        let (slot, is_element) = match write.slot {
            ObjectSlot::Field(field) => (field.0, false),
            ObjectSlot::Element(index) => (index, true),
        };
        Row {
            object: write.object.0,
            slot,
            is_element,
            kind: write.value.kind().code(),
            bits: write.value.bits(),
            thread: write.thread.0,
            position: write.position.0,
            call: write.call,
            is_given_up: write.is_given_up,
        }
    }

    fn write(&self) -> Option<OutsideWrite> {
        Some(OutsideWrite {
            object: ObjectId(self.object),
            slot: if self.is_element {
                ObjectSlot::Element(self.slot)
            } else {
                ObjectSlot::Field(FieldId(self.slot))
            },
            value: Value::from_bits(Kind::from_code(self.kind)?, self.bits),
            thread: ThreadNumber(self.thread),
            position: EventPosition(self.position),
            call: self.call,
            is_given_up: self.is_given_up,
        })
    }
}
