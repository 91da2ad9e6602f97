//! Getting a JDK where none is.
//!
//! Only on a machine with `apt-get` and the right to use it without a password, and only because
//! somebody asked to compile a source file: nothing else can be done for them then.

use std::process::{Command, Stdio};

use super::Listener;
use super::jdk::{HOW_TO_GET_ONE, JavaInstallation, JdkLocations};

const PACKAGE: &str = "default-jdk-headless";

/// A JDK that can compile, installed if there is a way.
pub fn compiler(machine: &JdkLocations, listener: &mut dyn Listener) -> Option<JavaInstallation> {
    if let Some(jdk) = machine.compiler() {
        return Some(jdk);
    }
    let prefix = rights(machine)?;
    listener.say(&format!("no JDK found; installing one: {HOW_TO_GET_ONE}"));
    let apt = |arguments: &[&str]| {
        let words: Vec<&str> = prefix
            .iter()
            .copied()
            .chain(["apt-get"])
            .chain(arguments.iter().copied())
            .collect();
        Command::new(words[0])
            .args(&words[1..])
            .env("DEBIAN_FRONTEND", "noninteractive")
            .stdin(Stdio::null())
            .stdout(std::io::stderr())
            .status()
            .is_ok_and(|status| status.success())
    };
    let install = ["install", "-y", "-q", "--no-install-recommends", PACKAGE];
    if !apt(&install) {
        // The package lists of a fresh container are empty.
        let _ = apt(&["update", "-q"]) && apt(&install);
    }
    machine.compiler()
}

/// How to run `apt-get` with the rights it needs: as it is, or through `sudo`; `None` if neither.
fn rights(machine: &JdkLocations) -> Option<&'static [&'static str]> {
    machine.which("apt-get".as_ref())?;
    if rustix::process::geteuid().is_root() {
        return Some(&[]);
    }
    machine.which("sudo".as_ref())?;
    let without_password = Command::new("sudo")
        .args(["-n", "true"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    without_password.then_some(&["sudo", "-n"])
}
