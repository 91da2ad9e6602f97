//! Whether those still run that wrote what is found.

use std::path::Path;

/// Whether a process is known not to run any more. Where the system does not tell, it might be
/// running.
pub(crate) fn is_gone(process: u32) -> bool {
    let processes = Path::new("/proc");
    processes.join("self").exists() && !processes.join(process.to_string()).exists()
}
