//! Option values that are names from a list: `help` shows the list.

use std::ffi::OsStr;

use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};

/// What clap writes before any text that it did not make itself.
pub(crate) const CLAP_PREFIX: &str = "error: ";

/// Takes what `parse` takes; `help` prints `list` as data and ends well, whatever else is missing
/// from the command line.
#[derive(Clone)]
pub(crate) struct Named<T> {
    pub(crate) list: fn() -> String,
    pub(crate) parse: fn(&str) -> Result<T, String>,
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Named<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, Error> {
        let text = value.to_string_lossy();
        if text == "help" {
            return Err(Error::raw(ErrorKind::DisplayHelp, (self.list)()));
        }
        let parse = self.parse;
        let check = move |text: &str| parse(text);
        check.parse_ref(command, arg, value)
    }
}
