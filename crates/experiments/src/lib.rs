//! Crucial experiments: which change did it?
//!
//! Two versions of a program, one right and one wrong, differ in many methods that ran. Comparing
//! what they did cannot tell a harmless difference from the bug; an experiment can: give the wrong
//! version the right one's code of some methods, run it again, and see whether the symptom is gone.
//! Halving finds a smallest such set in few runs; the other way round, the wrong code in the
//! right version must bring the symptom back.
//!
//! A run that shows neither the right nor the wrong behaviour, or does not link, is *unresolved*: it
//! counts neither for nor against. Nothing here prints or asks; who calls it has been allowed to run
//! the program again.

mod change;
mod clusters;
mod experimenter;
mod finding;
mod folder;
mod hybrid;
mod investigation;
mod laboratory;
mod lines;
mod narrowing;
mod parts;
mod program;
mod resource;
mod search;
mod single;
mod symptom;
mod trials;

pub use change::{CodeChange, CodeChangeKind};
pub use experimenter::{BothPrograms, Experimenter};
pub use finding::{ExperimentFinding, ExperimentObserver, ExperimentOutcome, ProvedLines};
pub use investigation::{ExperimentSettings, Investigation};
pub use launch::settings::{SettingChange, SettingKind};
pub use program::{MethodName, ProgramVersion};
pub use resource::{ResourceChange, differing_resources};
pub use single::{SingleHybrid, single_hybrids};
pub use symptom::{Seen, SymptomError, VisibleSymptom};
