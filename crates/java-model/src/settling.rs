//! Values that are shown before it is known whether something outside wrote them, and the search for that while
//! somebody thinks about what they see.
//!
//! To be sure of a value, calls must be re-executed, of a long run very many. Whoever looks around does not wait for
//! that: they see what recorded code wrote, are told that this is so, and see the rest when it is known.

use std::sync::{Arc, Weak};
use std::thread;
use std::time::Duration;

use trace_store::let_others_go_first;

use super::run::JavaRun;

/// Nobody waits for it.
const NICENESS: i32 = 10;
/// How often somebody looks for what was shown and is not settled.
const NOW_AND_THEN: Duration = Duration::from_millis(50);

/// What is said where a value was shown that is not settled.
const CAVEAT: &str = "values are what recorded code wrote; whether reflection, native code or a library wrote some of them \
     as well has not been looked for yet";

impl JavaRun {
    /// Whether somebody waits for the values that are looked at from now on: then they are shown as recorded code
    /// wrote them where more is not known soon.
    pub fn set_hurried(&self, is_hurried: bool) {
        self.trace().set_hurried(is_hurried);
        if !is_hurried && self.caveat().is_some() {
            // Whoever has time must not be given what is not sure.
            self.forget_objects();
        }
    }

    /// What is to be said if values were shown that are not settled.
    #[must_use]
    pub fn caveat(&self) -> Option<&'static str> {
        (!self.trace().unsettled().is_empty()).then_some(CAVEAT)
    }

    /// Settles what is shown, in the background, as long as somebody has the run.
    pub fn settle_in_background(self: &Arc<Self>) {
        let run = Arc::downgrade(self);
        let settling = move || {
            let_others_go_first(NICENESS);
            while settle(&run) {
                thread::sleep(NOW_AND_THEN);
            }
        };
        // Without room for a thread, values stay as they are, and what is said of them stays true.
        let _ = thread::Builder::new()
            .name("settling".to_owned())
            .spawn(settling);
    }
}

/// Whether the run is still there.
fn settle(run: &Weak<JavaRun>) -> bool {
    let Some(run) = run.upgrade() else {
        return false;
    };
    for kin in run.trace().unsettled() {
        if run.trace().settle(kin).is_err() {
            return false;
        }
        run.forget_objects();
    }
    true
}
