//! The CPU time that child processes, this one or a thread of it have used.
//!
//! Wall-clock time says little on a machine that does other things as well, and a recorder can
//! hide its cost in other threads; user + system time of the whole process tree shows it all.

use std::io;
use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::{TimeVal, TimeValLike};
use nix::time::{ClockId, clock_gettime};

/// Runs `action` and returns with its result the CPU time of the processes that it has started
/// and waited for, with all that those have waited for.
///
/// The counter is one for the whole process: no other thread may wait for children meanwhile.
pub fn of_children<T>(action: impl FnOnce() -> io::Result<T>) -> io::Result<(T, Duration)> {
    let before = children_so_far()?;
    let result = action()?;
    Ok((result, children_so_far()?.saturating_sub(before)))
}

/// The CPU time that the calling thread has used so far. By the clock that counts it, not by `getrusage`,
/// which knows it as it was when the scheduler last looked.
pub fn of_this_thread() -> io::Result<Duration> {
    let time = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID)?;
    Ok(Duration::from(time))
}

/// The same of all threads of this process, those that have ended included.
pub fn of_this_process() -> io::Result<Duration> {
    let time = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID)?;
    Ok(Duration::from(time))
}

fn children_so_far() -> io::Result<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    Ok(duration(usage.user_time()) + duration(usage.system_time()))
}

fn duration(time: TimeVal) -> Duration {
    Duration::from_micros(u64::try_from(time.num_microseconds()).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn work_of_a_grandchild_counts() {
        let script = "sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done'; true";
        let ((), time) = of_children(|| {
            Command::new("sh").args(["-c", script]).status()?;
            Ok(())
        })
        .unwrap();
        assert!(time > Duration::from_millis(20), "{time:?}");
    }
}
