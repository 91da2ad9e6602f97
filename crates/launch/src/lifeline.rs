//! A lifeline: a group of processes that ends when we are gone, even if nobody let us end in order.
//!
//! A shell waits at the other end of a pipe. If it hears that all is well it goes away; if the pipe just closes,
//! because we were killed, it kills the group. It is in a group of its own, so that nothing that is sent to ours ends
//! it first.

use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};

/// What the shell does; its argument is the group.
const SCRIPT: &str = "trap '' HUP INT TERM; read -r word || kill -KILL \"-$1\"";

/// See the module's header. Dropped, it lets go.
#[derive(Debug)]
pub(crate) struct Lifeline {
    /// None where no shell could be started: then nothing holds the group.
    shell: Option<Child>,
}

impl Lifeline {
    /// Holds the group of a process that leads one.
    pub(crate) fn of_group(leader: &Child) -> Lifeline {
        let mut shell = Command::new("sh");
        shell
            .args(["-c", SCRIPT, "sh"])
            .arg(leader.id().to_string())
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        Lifeline {
            shell: shell.spawn().ok(),
        }
    }
}

impl Drop for Lifeline {
    fn drop(&mut self) {
        let Some(shell) = &mut self.shell else { return };
        if let Some(mut pipe) = shell.stdin.take() {
            let _ = pipe.write_all(b"done\n");
        }
        let _ = shell.wait();
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;

    use super::*;

    fn sleeping() -> Child {
        let mut command = Command::new("sleep");
        command.arg("60").process_group(0).spawn().unwrap()
    }

    #[test]
    fn a_group_that_was_let_go_lives_on() {
        let mut group = sleeping();
        drop(Lifeline::of_group(&group));
        assert_eq!(group.try_wait().unwrap(), None);
        group.kill().unwrap();
        group.wait().unwrap();
    }

    #[test]
    fn a_group_whose_line_was_cut_ends() {
        let mut group = sleeping();
        let mut line = Lifeline::of_group(&group);
        // The pipe closes without a word, as it does when we are killed.
        drop(line.shell.as_mut().unwrap().stdin.take());
        assert_eq!(group.wait().unwrap().signal(), Some(9));
    }
}
