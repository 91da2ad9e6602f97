//! Work that should not keep others from theirs.

/// Lets the threads of the program that is recorded, and those that somebody waits for, go before this one: by
/// so much of 19.
pub fn let_others_go_first(niceness: i32) {
    // Without it everything works as well, only not as fast. On Linux no number means the thread that asks.
    let _ = rustix::process::setpriority_process(None, niceness);
}
