//! How long an automatic answer may take: so much of the processor's time. On a machine that does other things as
//! well a clock on the wall says little, and what is answered should not depend on them.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// Waiting for the disk does not count as the processor's time, but must end, too.
const WALL_CLOCK: u32 = 5;

/// Time that is counted from a beginning on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopwatch {
    processor: Duration,
    wall: Instant,
}

impl Stopwatch {
    /// Begins to count, for work of the current thread.
    pub(super) fn start() -> Stopwatch {
        Stopwatch {
            processor: of_this_thread(),
            wall: Instant::now(),
        }
    }

    /// What has been spent: the thread's time on the processor, or a part of the time on the wall if that is more.
    pub(super) fn spent(&self) -> Duration {
        let processor = of_this_thread().saturating_sub(self.processor);
        processor.max(self.wall.elapsed() / WALL_CLOCK)
    }
}

fn of_this_thread() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(
        time.tv_sec.try_into().unwrap_or(0),
        time.tv_nsec.try_into().unwrap_or(0),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_counts_and_waiting_counts_less() {
        let watch = Stopwatch::start();
        std::thread::sleep(Duration::from_millis(100));
        let waited = watch.spent();
        assert!(waited >= Duration::from_millis(20), "{waited:?}");
        let until = of_this_thread() + Duration::from_millis(50);
        while of_this_thread() < until {}
        assert!(watch.spent() >= Duration::from_millis(50));
    }
}
