//! Checks that the repository is what ARCHITECTURE.md says it is, as far as a program can tell.
//!
//! Each check is a module and a line in the list. A check looks at a [`Workspace`], which tests make up, and gives
//! findings: one line each, with the place, what is wrong there, and what to do about it.

mod cycles;
mod duplicates;
mod finding;
mod layers;
mod options;
mod paths;
mod prose;
mod size;
mod sources;
mod table;
mod workspace;

use anyhow::{Result, bail};

use finding::Finding;
use workspace::Workspace;

struct Check {
    name: &'static str,
    findings: fn(&Workspace) -> Vec<Finding>,
}

/// Every check, in the order in which they are told.
const CHECKS: &[Check] = &[
    Check {
        name: "module-cycles",
        findings: cycles::between_modules,
    },
    Check {
        name: "crate-cycles",
        findings: cycles::between_crates,
    },
    Check {
        name: "layers",
        findings: layers::findings,
    },
    Check {
        name: "layers-table",
        findings: table::findings,
    },
    Check {
        name: "option-names",
        findings: options::findings,
    },
    Check {
        name: "type-names",
        findings: duplicates::findings,
    },
    Check {
        name: "crate-size",
        findings: size::findings,
    },
    Check {
        name: "prose-width",
        findings: prose::findings,
    },
];

pub(crate) fn run(only: Option<&str>, write: bool) -> Result<()> {
    if let Some(name) = only
        && !CHECKS.iter().any(|check| check.name == name)
    {
        let names: Vec<&str> = CHECKS.iter().map(|check| check.name).collect();
        bail!("there is no check {name}, but {}", names.join(", "));
    }
    let root = test_support::workspace_root();
    if write {
        table::write(&root)?;
    }
    let workspace = Workspace::read(&root)?;
    let mut counts = Vec::new();
    for check in CHECKS {
        if only.is_some_and(|name| name != check.name) {
            continue;
        }
        let mut findings = (check.findings)(&workspace);
        findings.sort();
        for finding in &findings {
            println!("{finding}");
        }
        counts.push((check.name, findings.len()));
    }
    let all: usize = counts.iter().map(|(_, count)| count).sum();
    for (name, count) in counts {
        eprintln!("{name}: {count}");
    }
    match all {
        0 => Ok(()),
        1 => bail!("1 finding"),
        more => bail!("{more} findings"),
    }
}
