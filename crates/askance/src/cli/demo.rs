//! `askance demo`: a first bug to find. The program is a part of the executable, so that nothing has to be at hand but
//! a JDK.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::{Args, Parser};

use super::debug;
use super::failure::{Exit, Failure};
use super::output;
use super::{Cli, Command};
use launch::user_folders;

/// The program, and the name that `javac` wants of its file.
const PROGRAM: &str = include_str!("../../../../examples/merge-sort/buggy/Main.java");
const FILE: &str = "Main.java";
/// The paper on JHyde walks through the same bug.
const STORY: &str = "\
A program is to sort four numbers: 4, 9, 1, 7. It prints [1, 4, 9, 7], and that is wrong.
It runs now, and every call of it is recorded. Then Askance shows single calls: say of each whether it did right.";

/// Find a first bug, in the browser or the terminal: a small program that ships with Askance
#[derive(Debug, Args)]
#[command(after_help = "Example: askance demo\n         askance demo --terminal")]
pub(crate) struct Arguments {
    /// Ask in the terminal instead of the browser
    #[arg(long)]
    terminal: bool,

    /// Do not open the page in a browser, only print its address
    #[arg(long, conflicts_with = "terminal")]
    no_open: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let file = unpack().map_err(|error| {
        Failure::mistake(format!("the demo's program cannot be written: {error}"))
            .hint("set TMPDIR to a folder that can be written to")
    })?;
    output::talk(&format!("{STORY}\n\nIts source: {}\n", file.display()));
    debug::run(questions_about(&file, arguments)?)
}

/// Puts the program into a folder of its own, which stays: what is asked about can be read there.
fn unpack() -> io::Result<PathBuf> {
    let mut builder = tempfile::Builder::new();
    builder.permissions(user_folders::private());
    let folder = builder.prefix("askance-demo-").tempdir()?;
    fs::write(folder.path().join(FILE), PROGRAM)?;
    Ok(folder.keep().join(FILE))
}

/// The command line that somebody would type for this. Earlier answers are left out: everybody is to be asked.
fn questions_about(file: &Path, arguments: &Arguments) -> Result<debug::Arguments, Failure> {
    let mut words: Vec<OsString> = ["askance", "debug", "--no-memory"].map(Into::into).into();
    if !arguments.terminal {
        words.push("--web".into());
        words.extend(arguments.no_open.then(|| "--no-open".into()));
    }
    words.push(file.into());
    match Cli::try_parse_from(words).map(|cli| cli.command) {
        Ok(Command::Debug(arguments)) => Ok(*arguments),
        Ok(_) => Err(Failure::mistake("the demo cannot be started")),
        Err(error) => Err(Failure::mistake(error.to_string())),
    }
}
