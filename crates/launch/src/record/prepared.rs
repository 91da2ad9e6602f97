//! What a program needs before it can be run, and what is written down of it.

use std::ffi::OsString;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use trace_format::secret::SecretNames;

use super::super::command::ProgramToRecord;
use super::super::compile::{self, CompileError, Compiled};
use super::super::jdk::{JavaInstallation, JdkLocations};
use super::super::{Listener, install};
use super::{RecordError, Request};
use trace_format::{CommandWord, RecordOptions, RunFile};

/// A program with everything it needs to run: its words, and its classes if we compiled them.
pub(crate) struct Prepared {
    pub(crate) words: Vec<OsString>,
    compiled: Option<Compiled>,
}

impl Prepared {
    pub(crate) fn new(
        program: &ProgramToRecord,
        machine: &JdkLocations,
        listener: &mut dyn Listener,
    ) -> Result<Prepared, RecordError> {
        match program {
            ProgramToRecord::JavaFile { file, arguments } => {
                let (jdk, compiled) = compiled(file, machine, listener)?;
                let mut words: Vec<OsString> = vec![
                    jdk.java().into(),
                    "-cp".into(),
                    compiled.class_path(),
                    compiled.main_class.clone().into(),
                ];
                words.extend(arguments.iter().cloned());
                Ok(Prepared {
                    words,
                    compiled: Some(compiled),
                })
            }
            ProgramToRecord::Command(words) => Ok(Prepared {
                words: words.clone(),
                compiled: None,
            }),
            ProgramToRecord::Recompiled { file, words } => {
                let (_, compiled) = compiled(file, machine, listener)?;
                let (java, rest) = words
                    .split_first()
                    .map_or((OsString::new(), &[][..]), |(java, rest)| {
                        (java.clone(), rest)
                    });
                let mut changed = vec![java];
                changed.extend(java_launcher::with_class_path(
                    rest,
                    compiled.classes().as_os_str(),
                    true,
                ));
                Ok(Prepared {
                    words: changed,
                    compiled: Some(compiled),
                })
            }
        }
    }

    pub(super) fn run_file(&self, request: &Request) -> RunFile {
        let (words, java_file) = match &request.program {
            ProgramToRecord::JavaFile { file, arguments } => {
                let file = file.canonicalize().unwrap_or_else(|_| file.clone());
                let mut words = vec![file.clone().into_os_string()];
                words.extend(arguments.iter().cloned());
                (words, Some(CommandWord::from(&file)))
            }
            ProgramToRecord::Command(words) | ProgramToRecord::Recompiled { words, .. } => {
                (words.clone(), None)
            }
        };
        let words = without_secrets(words, &request.options);
        let (command, exact_command) = RunFile::command_of(&words);
        let started = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        RunFile {
            version: 1,
            command,
            exact_command,
            working_directory: CommandWord::from(&request.working_directory),
            java_file,
            main_class: self
                .compiled
                .as_ref()
                .map(|compiled| compiled.main_class.clone()),
            source_path: self
                .compiled
                .iter()
                .map(|compiled| CommandWord::from(&compiled.source_root))
                .collect(),
            options: request.options.clone(),
            started_ms: u64::try_from(started.as_millis()).unwrap_or(u64::MAX),
            exit_code: None,
            signal: None,
            timed_out: false,
            no_longer_needed: false,
        }
    }
}

fn compiled(
    file: &Path,
    machine: &JdkLocations,
    listener: &mut dyn Listener,
) -> Result<(JavaInstallation, Compiled), RecordError> {
    if !file.is_file() {
        return Err(CompileError::Missing(file.to_owned()).into());
    }
    let jdk =
        install::compiler(machine, listener).ok_or_else(|| RecordError::NoJdk(file.to_owned()))?;
    let compiled = compile::compile(&jdk, file)?;
    Ok((jdk, compiled))
}

/// What is written down of a command. A word that is no text is left as it is.
fn without_secrets(words: Vec<OsString>, options: &RecordOptions) -> Vec<OsString> {
    let names = SecretNames::new(&options.mask);
    let text: Vec<String> = words
        .iter()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let masked = names.mask_words(&text);
    let choose = |((word, text), masked): ((OsString, &String), &String)| match text == masked {
        true => word,
        false => masked.into(),
    };
    words
        .into_iter()
        .zip(&text)
        .zip(&masked)
        .map(choose)
        .collect()
}
