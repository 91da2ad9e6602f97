//! `askance completions` and `askance man-pages`: what shells and `man` know of the command line, made from it.

use std::fs;
use std::path::PathBuf;

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use super::Cli;
use super::failure::{Exit, Failure};
use super::output;

/// Print what a shell needs to complete command lines
#[derive(Debug, Args)]
#[command(
    after_help = "Example: askance completions bash > ~/.local/share/bash-completion/completions/askance\n         askance completions zsh > ~/.zfunc/_askance\n         askance completions fish > ~/.config/fish/completions/askance.fish"
)]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "askance", &mut text);
    output::data(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Done)
}

/// Write the pages for `man` into a folder
#[derive(Debug, Args)]
pub(crate) struct ManArguments {
    /// The folder
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    output: PathBuf,
}

pub(crate) fn write_man_pages(arguments: &ManArguments) -> Result<Exit, Failure> {
    let folder = &arguments.output;
    let unwritable = |error: std::io::Error| {
        Failure::mistake(format!("{} cannot be written: {error}", folder.display()))
            .hint("name another folder with -o")
    };
    fs::create_dir_all(folder).map_err(unwritable)?;
    clap_mangen::generate_to(Cli::command(), folder).map_err(unwritable)?;
    Ok(Exit::Done)
}
