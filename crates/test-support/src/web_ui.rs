//! The page's source with the packages that building and trying it needs.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::npm::{npm, npm_package};

/// A copy of `web-ui` with its packages, so that nothing is written among the sources.
///
/// # Errors
/// Why it cannot be had, in a sentence.
pub fn web_ui() -> Result<&'static Path, String> {
    static FOLDER: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| npm_package("page", "web-ui", &[]));
    folder.as_deref().map_err(Clone::clone)
}

/// Builds the page in a copy of its sources and gives the folder with it.
///
/// # Errors
/// Why it cannot be built, in a sentence.
pub fn build_page() -> Result<PathBuf, String> {
    let folder = web_ui()?;
    let said = npm(folder, ["run", "build"]).output();
    let said = said.map_err(|error| error.to_string())?;
    match said.status.success() {
        true => Ok(folder.join("dist")),
        false => Err(format!(
            "npm cannot build the page: {}{}",
            String::from_utf8_lossy(&said.stdout),
            String::from_utf8_lossy(&said.stderr)
        )),
    }
}
