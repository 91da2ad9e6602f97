//! What is written in TypeScript: the page in a real browser, the extension for VS Code, and the checks of their
//! sources. All of that is written in its own language, in `web-ui` and `editors/vscode`; here it gets its packages,
//! the executable and a Chromium.
//!
//! A machine that has no npm or no Chromium, and no way to get them, passes them over with a message.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use test_support::{npm, npm_package, workspace_root};

/// `cargo xtask setup` installs it.
const CHROMIUM: [&str; 3] = [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
];

/// The page's source with its packages, unless they cannot be had.
fn web_ui() -> Option<&'static Path> {
    test_support::web_ui()
        .map_err(|why| test_support::skip(&why))
        .ok()
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
fn the_extension_for_vs_code_is_clean_and_can_be_packaged() {
    let beside = ["web-ui/src", "LICENSE-APACHE", "LICENSE-MIT"];
    let folder = match npm_package("vscode", "editors/vscode", &beside) {
        Ok(folder) => folder,
        Err(why) => return test_support::skip(why),
    };
    for script in ["check", "test", "package"] {
        passes(npm(&folder, ["run", script]));
    }
    let packaged = folder.join("dist/askance.vsix").metadata().unwrap().len();
    assert!(packaged > 20_000, "{packaged} bytes");
}

#[test]
fn sessions_in_a_browser() {
    let Some(chromium) = CHROMIUM.iter().find(|path| Path::new(path).exists()) else {
        test_support::skip("there is no Chromium; `cargo xtask setup` installs it");
        return;
    };
    if let Some(folder) = web_ui() {
        let mut command = npm(folder, ["run", "test:browser"]);
        command
            .env("ASKANCE", env!("CARGO_BIN_EXE_askance"))
            .env("ASKANCE_EXAMPLES", workspace_root().join("examples"))
            .env("CHROMIUM", chromium);
        passes(command);
    }
}

/// Every file below a folder, by its name there.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_owned();
                found.insert(name, fs::read(path).unwrap());
            }
        }
    }
    found
}

#[test]
fn the_page_in_the_executable_is_what_its_source_gives() {
    if web_ui().is_none() {
        return;
    }
    let built = files(&test_support::build_page().unwrap());
    let kept = files(&workspace_root().join("crates/askance/page"));
    let names: Vec<&PathBuf> = built.keys().collect();
    assert_eq!(kept.keys().collect::<Vec<_>>(), names);
    for (name, content) in &built {
        let is_same = kept[name] == *content;
        assert!(is_same, "{} is old: `cargo xtask page`", name.display());
    }
}
