//! The executable that answers SQL, which lies beside the tool's own.
//!
//! What it is made of is larger than the rest of Askance, so a checkout builds it when it is first needed, and again
//! when the tool is newer. A release has both in the same folder.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use crate::Listener;

const NAME: &str = "askance-query";

/// The environment variable that names the executable.
pub const VARIABLE: &str = "ASKANCE_QUERY";

/// Why there is no such executable.
#[derive(Debug, thiserror::Error)]
pub enum CompanionError {
    #[error("{NAME} is not beside {}", .0.display())]
    NotThere(PathBuf),
    #[error("{VARIABLE} names {}, which is not a file", .0.display())]
    NotNamed(PathBuf),
    #[error("{NAME} cannot be built: {0}")]
    NotBuilt(String),
    #[error("where this executable lies cannot be told: {0}")]
    Nowhere(#[from] io::Error),
}

/// The executable that the environment names, or the one beside this one, which is built first where this is a checkout
/// and it is missing or old.
///
/// # Errors
/// If there is none.
pub fn find(listener: &mut dyn Listener) -> Result<PathBuf, CompanionError> {
    let named = std::env::var_os(VARIABLE).filter(|named| !named.is_empty());
    match named.map(PathBuf::from) {
        Some(path) if path.is_file() => return Ok(path),
        Some(path) => return Err(CompanionError::NotNamed(path)),
        None => {}
    }
    let tool = std::env::current_exe()?.canonicalize()?;
    let companion = tool.with_file_name(NAME);
    let Some(checkout) = Checkout::of(&tool) else {
        return match companion.is_file() {
            true => Ok(companion),
            false => Err(CompanionError::NotThere(tool)),
        };
    };
    if modified(&companion).is_none_or(|made| Some(made) < modified(&tool)) {
        if !companion.is_file() {
            listener.say("the part that answers SQL is built first, once; this takes some minutes");
        }
        checkout.build()?;
        // What was not old after all would be tried again each time.
        let touched = std::fs::File::open(&companion);
        let _ = touched.and_then(|file| file.set_modified(SystemTime::now()));
    }
    Ok(companion)
}

fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().ok()?.modified().ok()
}

/// The repository that an executable was built in, with the profile.
struct Checkout {
    root: PathBuf,
    profile: String,
}

impl Checkout {
    /// By where cargo puts executables: `target/PROFILE/askance`.
    fn of(tool: &Path) -> Option<Checkout> {
        let folder = tool.parent()?;
        let root = folder.parent()?.parent()?;
        let manifest = root.join("crates").join(NAME).join("Cargo.toml");
        manifest.is_file().then_some(())?;
        let profile = match folder.file_name()?.to_str()? {
            "debug" => "dev",
            other => other,
        };
        Some(Checkout {
            root: root.to_owned(),
            profile: profile.to_owned(),
        })
    }

    fn build(&self) -> Result<(), CompanionError> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let status = Command::new(cargo)
            .args(["build", "--quiet", "--package", NAME, "--profile"])
            .arg(&self.profile)
            .current_dir(&self.root)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .status();
        match status {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(CompanionError::NotBuilt(format!(
                "cargo ended with {status}"
            ))),
            Err(error) => Err(CompanionError::NotBuilt(format!("cargo: {error}"))),
        }
    }
}
