//! Two runs, followed side by side, event by event.
//!
//! The two versions of a program start in the same state, and usually do the same for a long time
//! before the first difference shows. Calls that were over by then need no comparing of states: their
//! arguments, results and every write below them are the same up to the names of objects. And where
//! the runs part, the same calls are open in both, each of them begun in the same state.
//!
//! The innermost of these has *strayed*. If it ended in the same state all the same, both runs are
//! taken up again where it ends. If it did not, and its own code is another one, it is the call to
//! blame, and nothing behind it can be compared by place any more. If its code is the same, something
//! that no event shows was different: a value that only differs (a clock) is passed over; otherwise
//! its callers are looked at.
//!
//! With several threads, each is followed by itself. The order of their events says nothing, so there
//! a state before must be compared as well.

mod course;
mod cursor;
mod pairing;

use std::collections::HashMap;
use std::time::Duration;

use trace_format::event::Event;
use trace_format::{MethodId, ThreadNumber};
use trace_store::CallId;

pub(super) use course::{Along, Course, Ended, Stray};
use cursor::Cursor;
use pairing::Pairing;

use super::patience::Stopwatch;
use super::versions::Versions;
use java_model::run::JavaRun;

/// Longer than this the runs are not followed.
const PATIENCE: Duration = Duration::from_secs(40);
/// How many events are looked at from one look at the clock to the next.
const EVENTS_AT_ONCE: u32 = 64;
/// How many callers with the same code are compared for one call that strayed.
const MOST_CALLERS: usize = 8;

/// What is known of calls besides their events.
pub(super) trait Judge {
    /// Whether a method of our run has the same code in the other version.
    fn is_same_code(&self, method: MethodId) -> bool;

    /// Whether two calls ended in the same state. `began_alike` if it is certain that they began in
    /// the same state; otherwise that is to be compared too.
    fn ended(&mut self, ours: CallId, theirs: CallId, began_alike: bool) -> Ended;

    /// Whether the code of two calls, which have done the same so far as events show, also gave the
    /// same to code that is not recorded; `None` if that cannot be told.
    fn gave_the_same(&mut self, ours: CallId, theirs: CallId) -> Option<bool>;
}

/// Follows both runs as far as they go together.
pub(super) fn follow(
    ours: &JavaRun,
    theirs: &JavaRun,
    versions: &Versions,
    judge: &mut dyn Judge,
) -> Course {
    let threads = pair_threads(ours, theirs);
    let is_single = threads.len() == 1 && [ours, theirs].iter().all(|run| busy(run).count() == 1);
    let mut pairing = Pairing::new(ours, theirs, versions);
    let [here, there] = versions.dialects();
    let mut course = Course::default();
    let watch = Stopwatch::start();
    for (mine, other) in threads {
        pairing.follow(mine, other);
        let walk = Walk {
            ours,
            mine: Cursor::new(ours, mine, here),
            other: Cursor::new(theirs, other, there),
            pairing: &mut pairing,
            judge: &mut *judge,
            along: Along::new(mine, is_single),
            watch,
        };
        course.add(walk.follow());
    }
    course
}

/// Threads with calls.
fn busy(run: &JavaRun) -> impl Iterator<Item = ThreadNumber> {
    let calls = run.trace().all_calls().into_iter().flatten();
    calls
        .filter(|calls| !calls.is_empty())
        .map(|calls| calls.thread())
}

/// Threads of the same name, in the order in which they were numbered.
fn pair_threads(ours: &JavaRun, theirs: &JavaRun) -> Vec<(ThreadNumber, ThreadNumber)> {
    let name = |run: &JavaRun, thread| {
        let symbol = run.trace().symbols().thread(thread);
        symbol.map(|symbol| symbol.name.clone()).unwrap_or_default()
    };
    let mut others: HashMap<String, Vec<ThreadNumber>> = HashMap::new();
    for thread in busy(theirs) {
        others.entry(name(theirs, thread)).or_default().push(thread);
    }
    let mut paired = Vec::new();
    for thread in busy(ours) {
        let same = others.get_mut(&name(ours, thread));
        if let Some(same) = same.filter(|same| !same.is_empty()) {
            paired.push((thread, same.remove(0)));
        }
    }
    paired
}

/// One thread of each run.
struct Walk<'walk, 'run> {
    ours: &'run JavaRun,
    mine: Cursor<'run>,
    other: Cursor<'run>,
    pairing: &'walk mut Pairing<'run>,
    judge: &'walk mut dyn Judge,
    along: Along,
    watch: Stopwatch,
}

impl Walk<'_, '_> {
    fn follow(mut self) -> Along {
        let mut looks = 0u32;
        loop {
            looks = looks.wrapping_add(1);
            if looks.is_multiple_of(EVENTS_AT_ONCE) && self.watch.spent() > PATIENCE {
                break;
            }
            let (mine, other) = (self.mine.look(), self.other.look());
            let goes_on = match (&mine, &other) {
                (None, None) => {
                    self.along.ended_together = true;
                    false
                }
                (Some((a, _)), Some((b, _))) if self.pairing.same_event(a, b) => {
                    self.gave_the_same(a)
                }
                (Some((a, _)), Some((b, _)))
                    if self.is_in_same_code() && self.pairing.same_shape(a, b) =>
                {
                    let at = self.mine.position();
                    tracing::debug!(?at, ours = ?a, theirs = ?b, "another value");
                    self.along.chance.get_or_insert(at);
                    let calls = self.mine.innermost().zip(self.other.innermost());
                    self.along.other_value = self.along.other_value.or(calls);
                    true
                }
                _ if self.strayed() => continue,
                _ => false,
            };
            let (true, Some((a, mine)), Some((b, other))) = (goes_on, mine, other) else {
                break;
            };
            self.mine.take(&a, mine);
            self.other.take(&b, other);
        }
        self.along.end = self.mine.position();
        self.along
    }

    /// Whether the innermost call's own code is the same in both versions.
    fn is_in_same_code(&self) -> bool {
        let method = self.mine.innermost().and_then(|call| self.method(call));
        method.is_none_or(|method| self.judge.is_same_code(method))
    }

    fn method(&self, call: CallId) -> Option<MethodId> {
        let calls = self.ours.read(self.ours.trace().calls(call.thread))?;
        calls.contains(call.index).then(|| calls.method(call.index))
    }

    /// When a call ends whose code is another one: whether it also did the same outside. If not, it is
    /// to blame.
    fn gave_the_same(&mut self, event: &Event<'_>) -> bool {
        if !matches!(event, Event::Exit { .. } | Event::Throw { .. }) || self.is_in_same_code() {
            return true;
        }
        let (Some(ours), Some(theirs)) = (self.mine.innermost(), self.other.innermost()) else {
            return true;
        };
        match self.judge.gave_the_same(ours, theirs) {
            Some(true) => true,
            Some(false) => {
                self.note(ours, theirs, Ended::Differently, true);
                false
            }
            None => {
                self.along.unseen.insert(ours.index);
                true
            }
        }
    }

    /// The innermost call has strayed. Takes the runs up again behind it, or behind one of its callers;
    /// `false` if they do not come together any more.
    fn strayed(&mut self) -> bool {
        let mut callers = 0;
        while let (Some(ours), Some(theirs)) = (self.mine.innermost(), self.other.innermost()) {
            let is_same_code = self.is_in_same_code();
            callers += usize::from(is_same_code);
            if !is_same_code || callers <= MOST_CALLERS {
                let ended = self.judge.ended(ours, theirs, self.began_alike(ours));
                self.note(ours, theirs, ended, !is_same_code);
                match ended {
                    Ended::Alike | Ended::AlikeInCommon => return self.take_up(),
                    Ended::Differently if !is_same_code => return false,
                    _ => {}
                }
            }
            self.mine.give_up_innermost();
            self.other.give_up_innermost();
        }
        false
    }

    /// Whether a call is sure to have begun in the same state in both runs.
    fn began_alike(&self, call: CallId) -> bool {
        let calls = self.ours.trace().calls(call.thread);
        self.along.is_single
            && calls.is_ok_and(|calls| {
                let chance = self.along.chance;
                chance.is_none_or(|chance| calls.entry(call.index) < chance)
            })
    }

    fn note(&mut self, ours: CallId, theirs: CallId, ended: Ended, is_changed: bool) {
        let (at, began_alike) = (self.mine.position(), self.began_alike(ours));
        self.along.strays.push(Stray {
            ours,
            theirs,
            at,
            ended,
            is_changed,
            began_alike,
        });
    }

    /// Goes to where the innermost call ends in both runs.
    fn take_up(&mut self) -> bool {
        let (depth, from) = (self.mine.depth(), self.mine.position());
        if !self.mine.go_to_end() || !self.other.go_to_end() {
            return false;
        }
        let (Some((a, mine)), Some((b, other))) = (self.mine.look(), self.other.look()) else {
            return false;
        };
        self.along.skipped.push(from..self.mine.position());
        // The result is known under another name from here on.
        self.pairing.same_event(&a, &b);
        self.mine.take(&a, mine);
        self.other.take(&b, other);
        self.mine.depth() < depth && self.mine.depth() == self.other.depth()
    }
}

#[cfg(test)]
mod tests {
    use debug_engine::NodeId;

    use super::*;
    use java_model::sketches::{SOURCE, Sketched, till, till_that_sums};

    /// Takes all code for changed, and every call that strayed for one that ended like this.
    struct Always(Ended);

    impl Judge for Always {
        fn is_same_code(&self, _: MethodId) -> bool {
            false
        }

        fn ended(&mut self, _: CallId, _: CallId, began_alike: bool) -> Ended {
            assert!(began_alike);
            self.0
        }

        fn gave_the_same(&mut self, _: CallId, _: CallId) -> Option<bool> {
            Some(true)
        }
    }

    fn course(ended: Ended) -> (Sketched, Course) {
        let (ours, theirs) = (till(), till_that_sums(SOURCE, 9));
        let versions = Versions::of(&ours.run, &theirs.run);
        let course = follow(&ours.run, &theirs.run, &versions, &mut Always(ended));
        (ours, course)
    }

    #[test]
    fn runs_agree_up_to_the_first_event_that_differs() {
        let (ours, course) = course(Ended::Differently);
        let first_sum = ours.run.call(NodeId(3)).unwrap();
        let (_, at) = course.first_difference().unwrap();
        assert_eq!(Some(at), first_sum.exit);
        let agrees = |node| {
            let call = ours.run.call(NodeId(node)).unwrap();
            course.agreed(&call)
        };
        let all: Vec<bool> = (0..6).map(agrees).collect();
        assert_eq!(all, [false, true, false, false, false, false]);
        assert_eq!(course.culprit().unwrap().ours, first_sum.id);
    }

    #[test]
    fn runs_are_taken_up_again_behind_a_call_that_came_to_the_same() {
        let (ours, course) = course(Ended::Alike);
        let agrees = |node| {
            let call = ours.run.call(NodeId(node)).unwrap();
            course.agreed(&call)
        };
        let all: Vec<bool> = (0..6).map(agrees).collect();
        assert_eq!(all, [true; 6]);
        assert!(course.culprit().is_none());
    }

    #[test]
    fn a_run_agrees_with_itself_to_the_end() {
        let (ours, theirs) = (till(), till());
        let versions = Versions::of(&ours.run, &theirs.run);
        let course = follow(
            &ours.run,
            &theirs.run,
            &versions,
            &mut Always(Ended::Unknown),
        );
        assert!(course.first_difference().is_none());
        assert!(course.is_the_same());
    }
}
