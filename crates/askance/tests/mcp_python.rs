//! `askance mcp`, driven by the official Python client: it checks what tools give against what they say they
//! give, which the Rust SDK's client does not.

#![allow(clippy::print_stderr, reason = "a test that cannot be run says so")]

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::recorded::Recorded;
use crate::support::{Said, askance, run};
use serde_json::Value;
use test_support::{Fixture, JUnit, target_dir};

/// The Python in which `cargo xtask setup` has installed the client. Where it is missing, nothing is tested, except
/// where everything must be.
fn python() -> Option<PathBuf> {
    let python = target_dir().join("mcp-client/bin/python");
    if python.exists() {
        return Some(python);
    }
    let sentence = "the Python client of MCP is missing; `cargo xtask setup` installs it";
    assert!(std::env::var("CI").as_deref() != Ok("true"), "{sentence}");
    eprintln!("skipped: {sentence}");
    None
}

/// What the client saw and found in a trace, as someone who knows by which words a wrong call is known.
#[track_caller]
fn drive(python: &Path, folder: &Path, trace: &str, wrong: &str) -> Value {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/mcp_client.py");
    let mut command = Command::new(python);
    command.arg(script).arg(env!("CARGO_BIN_EXE_askance"));
    command.args([trace, wrong]).current_dir(folder);
    command.envs(crate::support::environment());
    let said = Said::from(command.output().unwrap());
    assert_eq!(said.code, Some(0), "{}\n{}", said.out, said.err);
    said.json()
}

#[test]
fn the_official_python_client_finds_the_culprit() {
    let Some(python) = python() else { return };
    let recorded = Recorded::new("merge-sort");
    let told = drive(&python, recorded.folder.path(), "trace", "9, 7]");
    assert_eq!(told["state"], "found", "{told}");
    assert_eq!(
        told["diagnosis"]["culprit"]["routine"], "Main.merge",
        "{told}"
    );
    // All of what a tool is said to be must leave room for what it gives.
    assert!(told["tools"].as_u64() < Some(12_000), "{}", told["tools"]);
    assert_eq!(told["texts_sent"], 1, "{told}");
}

const CART: &str = "
package shop;

public class Cart {
    static int price(int pieces) {
        return 3 * pieces - 1;
    }

    static int fee() {
        return 2;
    }

    static int total(int pieces) {
        return price(pieces) + fee();
    }
}
";

const CART_TEST: &str = "
package shop;

import static org.junit.Assert.assertEquals;
import org.junit.Test;

public class CartTest {
    @Test
    public void total() {
        assertEquals(14, Cart.total(4));
    }
}
";

/// An agent hears which test failed, and is asked first what a person would be asked.
#[test]
fn an_agent_hears_of_the_failed_test_and_is_asked_what_a_person_is() {
    let Some(python) = python() else { return };
    let junit = JUnit::Four;
    assert!(junit.is_installed(), "{} is missing", junit.package());
    let folder = tempfile::tempdir().unwrap();
    let fixture = Fixture::new().source("shop/Cart.java", CART);
    let fixture = fixture.source("shop/CartTest.java", CART_TEST);
    let classes = fixture.class_path(junit.class_path()).compile().unwrap();
    let mut entries = vec![classes.dir().to_owned()];
    entries.extend(junit.class_path());
    let mut command = askance(folder.path());
    command.args([
        "debug",
        "-o",
        "t",
        "--non-interactive",
        "--test",
        "CartTest",
        "-cp",
    ]);
    command.arg(std::env::join_paths(entries).unwrap());
    let recorded = Said::from(command.output().unwrap());
    assert!(
        recorded.err.contains("CartTest#total failed"),
        "{}",
        recorded.err
    );
    let ask = ["ask", "t", "--fresh", "--json", "--non-interactive"];
    let terminal = run(folder.path(), ask).json();

    let told = drive(&python, folder.path(), "t", "→ 1");
    let opened = &told["opened"];
    assert_eq!(opened["failed"]["test"], "shop.CartTest#total", "{opened}");
    let message = opened["failed"]["message"].as_str().unwrap();
    assert!(
        message.contains("AssertionError: expected:<14> but was:<13>"),
        "{message}"
    );
    assert_eq!(opened["failed"]["expected"], "14", "{opened}");
    assert_eq!(opened["failed"]["actual"], "13", "{opened}");
    assert_eq!(
        opened["question"]["node"], terminal["question"]["node"],
        "{opened}\n{terminal}"
    );
    assert_eq!(
        told["diagnosis"]["culprit"]["routine"], "Cart.price",
        "{told}"
    );
}
