//! `askance doctor`: what this machine has, what it lacks, and how to get it.

use std::fmt::Write as _;

use clap::Args;
use serde::Serialize;

use super::failure::{Exit, Failure};
use super::output;
use launch::agent;
use launch::jdk::{HOW_TO_GET_ONE, JavaInstallation, JdkLocations};

/// List the JDKs and the recorder that are found, and what is missing
#[derive(Debug, Args)]
#[command(after_help = "Example: askance doctor")]
pub(crate) struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What was found.
#[derive(Debug, Serialize)]
struct Findings {
    version: u32,
    jdks: Vec<FoundJdk>,
    agent: Option<String>,
    /// One sentence for each thing that is missing.
    missing: Vec<String>,
}

#[derive(Debug, Serialize)]
struct FoundJdk {
    home: String,
    version: String,
    compiles: bool,
    /// Whether it is older than what can be recorded.
    too_old: bool,
    found_by: String,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let agent = agent::find();
    let findings = findings(&JdkLocations::this().jdks(), agent);
    if arguments.json {
        output::json(&findings)?;
    } else {
        output::data(&describe(&findings))?;
    }
    Ok(if findings.missing.is_empty() {
        Exit::Done
    } else {
        Exit::Nothing
    })
}

fn findings(
    jdks: &[JavaInstallation],
    agent: Result<std::path::PathBuf, agent::AgentError>,
) -> Findings {
    let mut missing = Vec::new();
    if jdks.is_empty() {
        missing.push(format!("no JDK found; get one: {HOW_TO_GET_ONE}"));
    } else if !jdks.iter().any(|jdk| jdk.has_javac) {
        missing.push(format!(
            "no Java compiler found, so .java files cannot be recorded; get one: {HOW_TO_GET_ONE}"
        ));
    }
    let agent = match agent {
        Ok(path) => Some(path.display().to_string()),
        Err(error) => {
            missing.push(error.to_string());
            None
        }
    };
    let jdks = jdks
        .iter()
        .map(|jdk| FoundJdk {
            home: jdk.home.display().to_string(),
            version: jdk.version.clone(),
            compiles: jdk.has_javac,
            too_old: jdk.is_too_old(),
            found_by: jdk.found_by.clone(),
        })
        .collect();
    Findings {
        version: 1,
        jdks,
        agent,
        missing,
    }
}

fn describe(findings: &Findings) -> String {
    let mut text = String::new();
    for (number, jdk) in findings.jdks.iter().enumerate() {
        let version = if jdk.version.is_empty() {
            "unknown version"
        } else {
            &jdk.version
        };
        let compiler = if jdk.compiles { "" } else { ", no compiler" };
        let too_old = if jdk.too_old {
            ", too old to be recorded"
        } else {
            ""
        };
        let used = if number == 0 { ", used by default" } else { "" };
        let _ = writeln!(
            text,
            "JDK       {version}  {} ({}{compiler}{too_old}{used})",
            jdk.home, jdk.found_by
        );
    }
    if let Some(agent) = &findings.agent {
        let _ = writeln!(text, "recorder  {agent}");
    }
    for sentence in &findings.missing {
        let _ = writeln!(text, "missing   {sentence}");
    }
    if findings.missing.is_empty() {
        text.push_str("Nothing is missing.\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jdk(version: &str, has_javac: bool) -> JavaInstallation {
        JavaInstallation {
            home: format!("/jvm/{version}").into(),
            version: version.into(),
            has_javac,
            found_by: "PATH".into(),
        }
    }

    #[test]
    fn a_machine_that_has_all() {
        let found = findings(
            &[
                jdk("17.0.15", true),
                jdk("25", false),
                jdk("1.7.0_80", true),
            ],
            Ok("/lib/agent.so".into()),
        );
        insta::assert_snapshot!(describe(&found), @r"
        JDK       17.0.15  /jvm/17.0.15 (PATH, used by default)
        JDK       25  /jvm/25 (PATH, no compiler)
        JDK       1.7.0_80  /jvm/1.7.0_80 (PATH, too old to be recorded)
        recorder  /lib/agent.so
        Nothing is missing.
        ");
    }

    #[test]
    fn a_machine_that_has_nothing() {
        let found = findings(&[], Err(agent::AgentError::NotThere("/bin".into())));
        assert_eq!(found.missing.len(), 2);
        insta::assert_snapshot!(describe(&found), @r"
        missing   no JDK found; get one: apt-get install default-jdk-headless
        missing   ASKANCE_AGENT names /bin, which is not a file
        ");
    }
}
