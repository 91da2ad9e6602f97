//! How soon a recorded run can be asked about, once its tree is there.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use wait_timeout::ChildExt as _;

use super::{BenchError, Options};
use crate::cpu_time;
use crate::peak_memory::PeakMemory;
use crate::probe_process;
use crate::size_bench::TreeMade;

/// By the clock: nobody waits longer for a first question.
pub(super) const LIMIT: Duration = Duration::from_secs(60);

/// What `askance ask` took to ask the first question and to end, because there was nobody to answer it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FirstQuestion {
    /// CPU time, from the start of the tool; absent if it did not come within a minute.
    pub time: Option<Duration>,
    /// Resident memory at its peak, mapped pages of files left out.
    pub own_memory: u64,
    pub resident_memory: u64,
}

pub(super) fn measure(options: &Options, trace: &Path) -> Result<FirstQuestion, BenchError> {
    let what = format!("making the tree of {}", trace.display());
    let _: TreeMade = probe_process::run(&options.probes.size, &[trace.as_os_str()], &what)?;
    let mut child = ask(&options.recorder.executable, trace)?;
    let memory = PeakMemory::watch(child.id());
    let (status, time) = cpu_time::of_children(|| child.wait_timeout(LIMIT))?;
    if status.is_none() {
        child.kill()?;
        child.wait()?;
    }
    // It exits with 1 because no call was found to be wrong.
    if let Some(status) = status.filter(|status| !matches!(status.code(), Some(0 | 1))) {
        return Err(BenchError::Failed {
            what: "the first question".to_owned(),
            status: status.to_string(),
            stderr: String::new(),
        });
    }
    Ok(FirstQuestion {
        time: status.map(|_| time),
        own_memory: memory.own(),
        resident_memory: memory.resident(),
    })
}

fn ask(tool: &Path, trace: &Path) -> Result<Child, BenchError> {
    let words = ["ask", "--non-interactive"].map(OsStr::new);
    Ok(Command::new(tool)
        .args(words)
        .arg(trace)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?)
}
