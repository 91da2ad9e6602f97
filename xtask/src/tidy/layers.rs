//! Which crates may depend on which: the table that ARCHITECTURE.md shows.
//!
//! A crate may name those that are listed for it and no others, whatever they depend on themselves. So the table
//! says as much about what a crate must not know as about what it uses.

use super::finding::Finding;
use super::workspace::{Crate, Workspace};

pub(super) struct Layer {
    pub(super) name: &'static str,
    /// In a few words.
    pub(super) what: &'static str,
    pub(super) may_use: &'static [&'static str],
    /// What its tests may use beside that. All tests may use `test-support`.
    pub(super) tests_may_use: &'static [&'static str],
}

/// From below to above: no crate uses one that stands further down in the list than itself.
pub(super) const LAYERS: &[Layer] = &[
    Layer {
        name: "java-names",
        what: "class names, descriptors, globs",
        may_use: &[],
        tests_may_use: &[],
    },
    Layer {
        name: "trace-format",
        what: "what a trace is made of",
        may_use: &["java-names"],
        tests_may_use: &[],
    },
    Layer {
        name: "classfile",
        what: "class files: read, edit, write",
        may_use: &["java-names"],
        tests_may_use: &[],
    },
    Layer {
        name: "java-launcher",
        what: "`java` command lines",
        may_use: &[],
        tests_may_use: &[],
    },
    Layer {
        name: "test-support",
        what: "JDKs, fixtures, example programs, workloads",
        may_use: &[],
        tests_may_use: &[],
    },
    Layer {
        name: "debug-engine",
        what: "tree, judgements, strategies, sessions",
        may_use: &[],
        tests_may_use: &[],
    },
    Layer {
        name: "jvm-agent",
        what: "the recorder inside the JVM",
        may_use: &["classfile", "java-launcher", "java-names", "trace-format"],
        tests_may_use: &["trace-store"],
    },
    Layer {
        name: "trace-store",
        what: "a trace on disk and its indexes",
        may_use: &["java-names", "trace-format"],
        tests_may_use: &[],
    },
    Layer {
        name: "frame-replay",
        what: "runs one recorded call again",
        may_use: &["classfile", "java-names", "trace-format", "trace-store"],
        tests_may_use: &["jvm-agent"],
    },
    Layer {
        name: "java-model",
        what: "the Java meaning of a trace: calls, code, objects and their values",
        may_use: &[
            "classfile",
            "debug-engine",
            "frame-replay",
            "java-names",
            "trace-format",
            "trace-store",
        ],
        tests_may_use: &["jvm-agent"],
    },
    Layer {
        name: "java-analysis",
        what: "what can be worked out about a run: moments, histories, slices, symptoms",
        may_use: &[
            "classfile",
            "debug-engine",
            "frame-replay",
            "java-model",
            "java-names",
            "trace-format",
            "trace-store",
        ],
        tests_may_use: &["jvm-agent"],
    },
    Layer {
        name: "time-travel",
        what: "stepping, breakpoints, stacks and expressions over a recorded run, forwards and backwards",
        may_use: &[
            "debug-engine",
            "frame-replay",
            "java-analysis",
            "java-model",
            "java-names",
            "trace-format",
            "trace-store",
        ],
        tests_may_use: &["jvm-agent"],
    },
    Layer {
        name: "recorder-library",
        what: "the recorder as a part of the executable",
        may_use: &[],
        tests_may_use: &[],
    },
    Layer {
        name: "build-server",
        what: "failed tests of a build, and findings as servers show them",
        may_use: &[],
        tests_may_use: &[],
    },
    Layer {
        name: "launch",
        what: "finds JDKs, compiles, starts, records",
        may_use: &[
            "classfile",
            "java-launcher",
            "java-model",
            "java-names",
            "recorder-library",
            "trace-format",
            "trace-store",
        ],
        tests_may_use: &[],
    },
    Layer {
        name: "experiments",
        what: "hybrids of two versions, run to find the change that is to blame",
        may_use: &[
            "classfile",
            "java-model",
            "java-names",
            "launch",
            "trace-format",
        ],
        tests_may_use: &[],
    },
    Layer {
        name: "inquiry",
        what: "sessions, oracles, the interpreter of commands",
        may_use: &[
            "classfile",
            "debug-engine",
            "frame-replay",
            "java-analysis",
            "java-model",
            "java-names",
            "trace-format",
            "trace-store",
        ],
        tests_may_use: &["jvm-agent"],
    },
    Layer {
        name: "askance-api",
        what: "use cases with typed requests and answers",
        may_use: &[
            "debug-engine",
            "experiments",
            "frame-replay",
            "inquiry",
            "java-analysis",
            "java-model",
            "java-names",
            "launch",
            "trace-format",
            "trace-store",
        ],
        tests_may_use: &[],
    },
    Layer {
        name: "askance-dap",
        what: "the Debug Adapter Protocol over a recorded run",
        may_use: &[
            "askance-api",
            "debug-engine",
            "inquiry",
            "java-analysis",
            "java-model",
            "java-names",
            "time-travel",
            "trace-format",
            "trace-store",
        ],
        tests_may_use: &[],
    },
    Layer {
        name: "askance-jdwp",
        what: "the Java Debug Wire Protocol over a recorded run",
        may_use: &[
            "classfile",
            "java-analysis",
            "java-model",
            "java-names",
            "time-travel",
            "trace-format",
            "trace-store",
        ],
        tests_may_use: &["jvm-agent"],
    },
    Layer {
        name: "askance-mcp",
        what: "the Model Context Protocol over recorded runs",
        may_use: &["askance-api", "debug-engine", "inquiry"],
        tests_may_use: &[],
    },
    Layer {
        name: "askance-query",
        what: "SQL over recorded runs, an executable of its own",
        may_use: &[
            "debug-engine",
            "frame-replay",
            "inquiry",
            "java-analysis",
            "java-model",
            "java-names",
            "trace-format",
            "trace-store",
        ],
        tests_may_use: &[],
    },
    Layer {
        name: "askance",
        what: "command line, terminal, screen, HTTP",
        may_use: &[
            "askance-api",
            "askance-dap",
            "askance-jdwp",
            "askance-mcp",
            "build-server",
            "classfile",
            "debug-engine",
            "experiments",
            "frame-replay",
            "inquiry",
            "java-analysis",
            "java-launcher",
            "java-model",
            "java-names",
            "launch",
            "trace-format",
            "trace-store",
        ],
        tests_may_use: &[],
    },
    Layer {
        name: "evaluation",
        what: "benchmarks, tables",
        may_use: &[
            "askance-api",
            "classfile",
            "debug-engine",
            "experiments",
            "frame-replay",
            "inquiry",
            "java-analysis",
            "java-model",
            "java-names",
            "launch",
            "test-support",
            "trace-format",
            "trace-store",
        ],
        tests_may_use: &[],
    },
    Layer {
        name: "fuzzing",
        what: "fuzz targets and a driver for them",
        may_use: &[
            "askance",
            "askance-api",
            "askance-dap",
            "askance-jdwp",
            "classfile",
            "debug-engine",
            "inquiry",
            "java-analysis",
            "java-model",
            "java-names",
            "test-support",
            "trace-format",
            "trace-store",
        ],
        tests_may_use: &[],
    },
    Layer {
        name: "xtask",
        what: "chores of the repository",
        may_use: &["test-support"],
        tests_may_use: &[],
    },
];

/// What every test may use.
const OF_ALL_TESTS: &str = "test-support";

pub(super) fn findings(workspace: &Workspace) -> Vec<Finding> {
    against(workspace, LAYERS)
}

fn against(workspace: &Workspace, layers: &[Layer]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for each in &workspace.crates {
        let Some(layer) = layers.iter().find(|layer| layer.name == each.name) else {
            findings.push(Finding {
                file: each.manifest.clone(),
                line: 1,
                what: format!("the crate {} has no place among the layers", each.name),
                hint: "give it one in xtask/src/tidy/layers.rs".to_owned(),
            });
            continue;
        };
        for used in &each.dependencies {
            if !layer.may_use.contains(&&**used) {
                findings.push(forbidden(workspace, each, used, "must not depend on"));
            }
        }
        for used in &each.test_dependencies {
            let is_allowed = used == OF_ALL_TESTS
                || layer.may_use.contains(&&**used)
                || layer.tests_may_use.contains(&&**used);
            if !is_allowed {
                let words = "has tests that must not depend on";
                findings.push(forbidden(workspace, each, used, words));
            }
        }
    }
    findings
}

fn forbidden(workspace: &Workspace, of: &Crate, used: &str, words: &str) -> Finding {
    let manifest = workspace.texts.get(&of.manifest);
    let line = manifest.and_then(|text| {
        let is_it = |line: &str| {
            line.strip_prefix(used)
                .is_some_and(|rest| rest.starts_with(['.', ' ', '=']))
        };
        text.lines().position(is_it)
    });
    Finding {
        file: of.manifest.clone(),
        line: line.map_or(1, |line| line + 1),
        what: format!("{} {words} {used}", of.name),
        hint: "xtask/src/tidy/layers.rs says what it may use".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &[Layer] = &[
        Layer {
            name: "low",
            what: "",
            may_use: &[],
            tests_may_use: &[],
        },
        Layer {
            name: "high",
            what: "",
            may_use: &["low"],
            tests_may_use: &["other"],
        },
    ];

    #[test]
    fn what_the_table_does_not_list_is_found_where_it_is_named() {
        let workspace = Workspace::made_up([
            (
                "crates/low/Cargo.toml",
                "[package]\nname = \"low\"\n\n[dependencies]\nhigh.workspace = true\n",
            ),
            (
                "crates/high/Cargo.toml",
                "[package]\nname = \"high\"\n[dependencies]\nlow.workspace = true\n",
            ),
        ]);
        let found = against(&workspace, TWO);
        assert_eq!(found.len(), 1);
        assert_eq!(
            (&*found[0].file, found[0].line),
            ("crates/low/Cargo.toml", 5)
        );
        assert!(found[0].what.contains("low must not depend on high"));
    }

    #[test]
    fn tests_have_more_room_but_not_all() {
        let workspace = Workspace::made_up([
            (
                "crates/high/Cargo.toml",
                "[package]\nname = \"high\"\n[dev-dependencies]\nother = \"1\"\ntest-support = \"1\"\nthird = \"1\"\n",
            ),
            ("crates/other/Cargo.toml", "[package]\nname = \"other\"\n"),
            ("crates/third/Cargo.toml", "[package]\nname = \"third\"\n"),
            (
                "crates/test-support/Cargo.toml",
                "[package]\nname = \"test-support\"\n",
            ),
        ]);
        let found = against(&workspace, TWO);
        let found: Vec<&str> = found.iter().map(|each| &*each.what).collect();
        assert_eq!(
            found,
            [
                "high has tests that must not depend on third",
                "the crate other has no place among the layers",
                "the crate test-support has no place among the layers",
                "the crate third has no place among the layers",
            ]
        );
    }

    #[test]
    fn the_table_goes_from_below_to_above() {
        for (place, layer) in LAYERS.iter().enumerate() {
            for used in layer.may_use {
                let below = LAYERS.iter().position(|other| other.name == *used);
                assert!(
                    below.is_some_and(|below| below < place),
                    "{} {used}",
                    layer.name
                );
            }
        }
    }

    #[test]
    fn what_supports_tests_knows_nothing_of_the_upper_half() {
        let support = LAYERS.iter().find(|layer| layer.name == OF_ALL_TESTS);
        assert_eq!(support.map(|layer| layer.may_use), Some(&[][..]));
    }
}
