//! A lifeline: processes that end when we are gone, even if nobody let us end in order.
//!
//! A shell waits at the other end of a pipe. If it hears that all is well it goes away; if the pipe just closes,
//! because we were killed, it ends the processes. It is in a group of its own, so that nothing that is sent to ours
//! ends it first.

use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};

/// What the shell does for a group; its argument is the group.
const GROUP: &str = "trap '' HUP INT TERM; read -r word || kill -KILL \"-$1\"";

/// What it does for a program, which is in our group and may be at a terminal; its argument is the process. That is
/// asked to end, with all below it, and a JVM then closes its trace; three seconds later it has to.
const PROGRAM: &str = "trap '' HUP INT TERM
read -r word && exit
below() {
    echo \"$1\"
    for child in $(cat \"/proc/$1/task/\"*/children 2> /dev/null); do below \"$child\"; done
}
all=$(below \"$1\")
kill -TERM $all
sleep 3
kill -KILL $all";

/// See the module's header. Dropped, it lets go.
#[derive(Debug)]
pub(crate) struct Lifeline {
    /// None where no shell could be started: then nothing holds the group.
    shell: Option<Child>,
}

impl Lifeline {
    /// Holds the group of a process that leads one.
    pub(crate) fn of_group(leader: &Child) -> Lifeline {
        Lifeline::new(GROUP, leader)
    }

    /// Holds a process and all that are below it when we are gone.
    pub(crate) fn of_program(program: &Child) -> Lifeline {
        Lifeline::new(PROGRAM, program)
    }

    fn new(script: &str, process: &Child) -> Lifeline {
        let mut shell = Command::new("sh");
        shell
            .args(["-c", script, "sh"])
            .arg(process.id().to_string())
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
    fn a_program_whose_line_was_cut_ends_with_what_it_started() {
        let script = "trap 'kill $!; exit 7' TERM; sleep 60 & wait";
        let mut program = Command::new("sh").args(["-c", script]).spawn().unwrap();
        let mut line = Lifeline::of_program(&program);
        // Until the trap is set, the signal would just end it.
        std::thread::sleep(std::time::Duration::from_millis(300));
        drop(line.shell.as_mut().unwrap().stdin.take());
        assert_eq!(program.wait().unwrap().code(), Some(7));
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
