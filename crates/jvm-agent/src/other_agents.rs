//! Java agents that the program is run with: their classes are not the program's.
//!
//! A coverage tool, a tracer or a mock library is loaded by `-javaagent:JAR=OPTIONS`, and its classes run in the
//! middle of the program's. Which jars these are is told by the command line and the environment of this process, and
//! what is in a jar by its directory, which is at its end. A jar that cannot be read has no classes here.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The internal names of the classes in all jars of agents.
pub(crate) fn classes() -> HashSet<String> {
    let mut names = HashSet::new();
    for jar in jars(&options()) {
        names.extend(classes_in(&jar).unwrap_or_default());
    }
    names
}

/// The words of the command line and of the variables that a JVM reads, each ended by a zero.
fn options() -> Vec<u8> {
    let mut words = std::fs::read("/proc/self/cmdline").unwrap_or_default();
    for variable in [java_launcher::TOOL_OPTIONS, java_launcher::JAVA_OPTIONS] {
        let value = std::env::var_os(variable).unwrap_or_default();
        let separated = value.as_bytes().iter();
        words.extend(separated.map(|&byte| if byte == b' ' { 0 } else { byte }));
        words.push(0);
    }
    words
}

fn jars(words: &[u8]) -> Vec<PathBuf> {
    let agents = words
        .split(|byte| *byte == 0)
        .filter_map(|word| word.strip_prefix(b"-javaagent:"));
    agents
        .map(|agent| {
            let path = agent.split(|byte| *byte == b'=').next().unwrap_or(agent);
            PathBuf::from(OsStr::from_bytes(path))
        })
        .collect()
}

const END_OF_DIRECTORY: [u8; 4] = *b"PK\x05\x06";
const ENTRY: [u8; 4] = *b"PK\x01\x02";
/// The end of the directory, with the longest comment.
const LONGEST_END: u64 = 22 + 0xffff;
/// No jar of classes has a larger directory.
const LARGEST_DIRECTORY: u64 = 64 << 20;

fn classes_in(jar: &Path) -> io::Result<Vec<String>> {
    let mut file = File::open(jar)?;
    let length = file.seek(SeekFrom::End(0))?;
    let tail = read(&mut file, length.saturating_sub(LONGEST_END), LONGEST_END)?;
    let directory = tail
        .windows(4)
        .rposition(|window| window == END_OF_DIRECTORY)
        .and_then(|at| Some((number(&tail, at + 12, 4)?, number(&tail, at + 16, 4)?)));
    let Some((size, start)) = directory.filter(|(size, _)| *size <= LARGEST_DIRECTORY) else {
        return Ok(Vec::new());
    };
    Ok(names(&read(&mut file, start, size)?))
}

fn read(file: &mut File, at: u64, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(at))?;
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The classes that a directory lists.
fn names(directory: &[u8]) -> Vec<String> {
    let mut names = Vec::new();
    let mut at = 0;
    while directory.get(at..at + 4) == Some(&ENTRY) {
        let field = |offset| number(directory, at + offset, 2).map(|length| length as usize);
        let (Some(name), Some(extra), Some(comment)) = (field(28), field(30), field(32)) else {
            break;
        };
        let text = directory.get(at + 46..at + 46 + name).unwrap_or_default();
        let class = text.strip_suffix(b".class");
        names.extend(class.and_then(|class| String::from_utf8(class.to_vec()).ok()));
        at += 46 + name + extra + comment;
    }
    names
}

/// A number of so many bytes, the least of them first.
fn number(bytes: &[u8], at: usize, size: usize) -> Option<u64> {
    let bytes = bytes.get(at..at + size)?;
    Some(
        bytes
            .iter()
            .rev()
            .fold(0, |sum, &byte| sum << 8 | u64::from(byte)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_are_found_among_the_words() {
        let words = b"java\0-javaagent:/a/jacoco.jar=destfile=x\0-javaagent:b.jar\0-cp\0x\0Main\0";
        let expected = ["/a/jacoco.jar", "b.jar"].map(PathBuf::from);
        assert_eq!(jars(words), expected);
    }

    #[test]
    fn a_directory_that_ends_early_is_read_so_far() {
        let mut directory = ENTRY.to_vec();
        directory.resize(28, 0);
        directory.extend([7, 0, 0, 0, 0, 0]);
        directory.resize(46, 0);
        directory.extend(b"A.class");
        directory.extend(ENTRY);
        assert_eq!(names(&directory), ["A"]);
        assert_eq!(names(b"PK"), [""; 0]);
    }
}
