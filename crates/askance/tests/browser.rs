//! The page in a real browser, and the checks of its source. Both are written in the page's own language,
//! in `web-ui`; here they get their packages, the executable and a Chromium.
//!
//! A machine that has no npm or no Chromium, and no way to get them, passes them over with a message.

#![allow(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use test_support::target_dir;

/// `cargo xtask setup` installs it.
const CHROMIUM: [&str; 3] = [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
];
const LEFT_OUT: [&str; 2] = ["node_modules", "dist"];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A copy of `web-ui` with its packages, so that nothing is written among the sources.
fn web_ui() -> Option<&'static Path> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        if Command::new("npm").arg("--version").output().is_err() {
            test_support::skip("npm is not installed");
            return None;
        }
        let folder = target_dir().join("web-ui");
        let lock = fs::read(repository().join("web-ui/package-lock.json")).unwrap();
        let installed = folder.join("installed");
        for part in ["src", "tests"] {
            let _ = fs::remove_dir_all(folder.join(part));
        }
        copy(&repository().join("web-ui"), &folder);
        if fs::read(&installed).ok().as_ref() != Some(&lock) {
            let options = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
            if !npm(&folder, options).status().unwrap().success() {
                test_support::skip("npm cannot get the packages");
                return None;
            }
            fs::write(installed, lock).unwrap();
        }
        Some(folder)
    });
    folder.as_deref()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if LEFT_OUT.iter().any(|name| entry.file_name() == *name) {
            continue;
        }
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn npm(folder: &Path, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
    let mut command = Command::new("npm");
    command.current_dir(folder).args(arguments);
    command
}

#[track_caller]
fn passes(mut command: Command) {
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn the_source_of_the_page_is_clean() {
    if let Some(folder) = web_ui() {
        passes(npm(folder, ["run", "check"]));
    }
}

#[test]
fn sessions_in_a_browser() {
    if !askance::web::IS_BUILT {
        test_support::skip("this executable was built without the page");
        return;
    }
    let Some(chromium) = CHROMIUM.iter().find(|path| Path::new(path).exists()) else {
        test_support::skip("there is no Chromium; `cargo xtask setup` installs it");
        return;
    };
    if let Some(folder) = web_ui() {
        let mut command = npm(folder, ["run", "test:browser"]);
        command
            .env("ASKANCE", env!("CARGO_BIN_EXE_askance"))
            .env("ASKANCE_EXAMPLES", repository().join("examples"))
            .env("CHROMIUM", chromium);
        passes(command);
    }
}
