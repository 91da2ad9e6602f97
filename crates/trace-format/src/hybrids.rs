//! Hybrids: classes that a JVM is to load with other bytes than it finds. The tool lists them in a
//! folder, the agent reads them from there.
//!
//! The list has a line for each class, its parts separated by tabs: the class's internal name, the file
//! with the bytes that are replaced, the file with those that take their place, and the files of
//! classes that are defined beside it because nothing else would find them. Names of files are inside
//! the folder. No part has a tab in it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::record_options::{path, percent_decoded, percent_encode};

/// The list's file name.
pub const LIST: &str = "hybrids";
/// Here the agent notes the name of each class that it has replaced, one a line.
pub const REPLACED: &str = "replaced";
/// How the agent's option string begins.
const OPTION: &str = "hybrids=";

/// A class with other bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HybridEntry {
    /// Internal name.
    pub class: String,
    /// The bytes that are replaced: another loader may have another class of this name.
    pub original: String,
    pub hybrid: String,
    /// In the order in which they can be defined.
    pub added: Vec<String>,
}

impl HybridEntry {
    /// A line of the list, with its end.
    #[must_use]
    pub fn line(&self) -> String {
        let parts = [&self.class, &self.original, &self.hybrid].map(String::as_str);
        let added = self.added.iter().map(String::as_str);
        let parts: Vec<&str> = parts.into_iter().chain(added).collect();
        format!("{}\n", parts.join("\t"))
    }

    /// What a list says; lines that say nothing are left out.
    #[must_use]
    pub fn parse_all(list: &str) -> Vec<HybridEntry> {
        let parse = |line: &str| {
            let mut parts = line.split('\t').map(str::to_owned);
            Some(HybridEntry {
                class: parts.next()?,
                original: parts.next()?,
                hybrid: parts.next()?,
                added: parts.collect(),
            })
        };
        list.lines().filter_map(parse).collect()
    }
}

/// The option string for an agent that records nothing and takes classes from a folder.
#[must_use]
pub fn hybrids_option(folder: &Path) -> OsString {
    format!("{OPTION}{}", percent_encode(folder.as_os_str())).into()
}

/// The folder that an option string names, if it is one for hybrids.
#[must_use]
pub fn hybrids_folder(options: &str) -> Option<PathBuf> {
    let folder = options.strip_prefix(OPTION)?;
    Some(path(percent_decoded(folder)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_reads_back() {
        let entry = |added: &[&str]| HybridEntry {
            class: "shop/Cart".to_owned(),
            original: "0".to_owned(),
            hybrid: "1".to_owned(),
            added: added.iter().copied().map(str::to_owned).collect(),
        };
        let entries = [entry(&[]), entry(&["2", "3"])];
        let list: String = entries.iter().map(HybridEntry::line).collect();
        assert_eq!(HybridEntry::parse_all(&list), entries);
        assert_eq!(HybridEntry::parse_all("shop/Cart\n"), []);
    }

    #[test]
    fn the_option_names_the_folder() {
        let folder = Path::new("/tmp/a, b=c");
        let option = hybrids_option(folder);
        let option = option.to_str().unwrap();
        assert_eq!(hybrids_folder(option).as_deref(), Some(folder));
        assert_eq!(hybrids_folder("out=/tmp"), None);
    }
}
