//! The search where questions go: only calls whose code may read the variables that somebody looks at, each once,
//! whatever it is looked at for.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Mutex, OnceLock, PoisonError};

use trace_format::MethodId;
use trace_store::{FindOutsideWrites, Kin, OutsideFindings, Trace};

use super::{Search, Stretch, Variable, is_searched, readers, stretches};
use crate::program::Program;
use crate::side_by_side;

/// Stretches for which no thread is started.
const FEW: usize = 4;
/// Finds what something outside wrote to some variables, by going through the calls that may have read them.
#[derive(Debug, Default)]
pub struct OutsideByKin {
    is_searched: OnceLock<bool>,
    begun: Mutex<Option<Begun>>,
}

impl FindOutsideWrites for OutsideByKin {
    fn find(&self, trace: &Trace, kin: Kin, most: u64) -> OutsideFindings {
        if !self.is_searched.get_or_init(|| is_searched(trace)) {
            let writes = Some(Vec::new());
            return OutsideFindings { writes, reads: 0 };
        }
        let waiting = match most {
            u64::MAX => Some(self.begun.lock().unwrap_or_else(PoisonError::into_inner)),
            // Somebody else searches with more patience.
            _ => self.begun.try_lock().ok(),
        };
        let Some(mut begun) = waiting else {
            return OutsideFindings {
                writes: None,
                reads: 0,
            };
        };
        begun
            .get_or_insert_with(|| Begun::new(trace))
            .find(trace, kin, most)
    }
}

/// A search and how far it is.
#[derive(Debug)]
struct Begun {
    program: Program,
    /// Calls that follow each other, with the methods that they are calls of.
    stretches: Vec<(Stretch, Box<[MethodId]>)>,
    /// The methods that may read variables.
    readers: HashMap<Kin, Vec<MethodId>>,
    /// Methods all of whose calls were gone through.
    done: HashSet<MethodId>,
    /// Variables that held something else than what recorded code wrote.
    surprised: BTreeMap<Kin, HashSet<Variable>>,
    /// What was not enough.
    tried: HashMap<Kin, u64>,
}

impl Begun {
    fn new(trace: &Trace) -> Begun {
        let program = Program::of(trace);
        let mut called: HashSet<MethodId> = HashSet::new();
        let mut pieces = Vec::new();
        for calls in trace.all_calls().into_iter().flatten() {
            let mut methods = calls.methods();
            for stretch in stretches(calls.thread(), 0..calls.len()) {
                let number = stretch.1.len();
                let mut these: Vec<MethodId> = Vec::new();
                for method in methods.by_ref().take(number) {
                    // The calls of a loop are calls of the same method, one after the other.
                    if these.last() != Some(&method) {
                        these.push(method);
                    }
                }
                these.sort_unstable_by_key(|method| method.0);
                these.dedup();
                called.extend(&these);
                pieces.push((stretch, these.into_boxed_slice()));
            }
        }
        Begun {
            stretches: pieces,
            readers: readers::among(trace, &program, called),
            program,
            done: HashSet::new(),
            surprised: BTreeMap::new(),
            tried: HashMap::new(),
        }
    }

    fn find(&mut self, trace: &Trace, kin: Kin, most: u64) -> OutsideFindings {
        let readers = self.readers.get(&kin).map_or(&[][..], Vec::as_slice);
        let new: HashSet<MethodId> = readers
            .iter()
            .filter(|method| !self.done.contains(method))
            .copied()
            .collect();
        if self.tried.get(&kin).is_some_and(|tried| *tried >= most) {
            return OutsideFindings {
                writes: None,
                reads: 0,
            };
        }
        let calls = self.with_any_of(&new);
        // A few calls are gone through before another thread would have begun.
        let workers = match calls.len() {
            0..=FEW => 1,
            _ => side_by_side::cores(),
        };
        let search = Search::with_patience(trace, workers, most);
        // Asked of every call of a stretch, so that no other code need be decoded.
        let matters = |method: MethodId| new.contains(&method);
        let surprised = search.every_read(
            &self.program,
            &calls,
            &matters,
            |surprised: &mut HashSet<Variable>, read, known| {
                if read.contradicts(known) {
                    surprised.insert(read.variable);
                }
            },
        );
        for variable in surprised.into_iter().flatten() {
            let kin = trace.kin_of(variable.0, variable.1).ok().flatten();
            if let Some(kin) = kin {
                self.surprised.entry(kin).or_default().insert(variable);
            }
        }
        let mut writes = None;
        if !search.patience.is_over() {
            self.done.extend(new);
            let readers: HashSet<MethodId> = self
                .readers
                .get(&kin)
                .into_iter()
                .flatten()
                .copied()
                .collect();
            let calls = self.with_any_of(&readers);
            let surprised = self.surprised.get(&kin);
            let told =
                surprised.map(|them| search.tell(&self.program, &calls, them, &HashMap::new()));
            writes = Some(told.unwrap_or_default()).filter(|_| !search.patience.is_over());
        }
        if writes.is_none() {
            self.tried.insert(kin, most);
        }
        let reads = search.patience.spent();
        OutsideFindings { writes, reads }
    }

    /// The calls among which there are some of these methods.
    fn with_any_of(&self, methods: &HashSet<MethodId>) -> Vec<Stretch> {
        let has = |(_, called): &&(Stretch, Box<[MethodId]>)| {
            called.iter().any(|method| methods.contains(method))
        };
        let found = self.stretches.iter().filter(has);
        found.map(|(stretch, _)| stretch.clone()).collect()
    }
}
