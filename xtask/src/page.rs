//! The browser page is kept built in the repository, so that building Askance needs no npm. This builds it anew.

use std::fs;
use std::path::Path;

use anyhow::{Result, anyhow};
use test_support::workspace_root;

pub(crate) fn build() -> Result<()> {
    let built = test_support::build_page().map_err(|why| anyhow!(why))?;
    let kept = workspace_root().join("crates/askance/page");
    if kept.exists() {
        fs::remove_dir_all(&kept)?;
    }
    copy(&built, &kept)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
