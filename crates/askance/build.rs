//! Builds the browser page in `web-ui` with npm and makes a table of its files, which become a part of
//! the executable.
//!
//! A machine without npm, or one that cannot get the packages, builds everything but the page: that is a
//! warning here and a sentence in `askance serve`. Nothing is written outside cargo's own folder, and
//! packages are got anew only if the list of them has changed.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// What the page is made of.
const SOURCES: [&str; 6] = [
    "index.html",
    "package.json",
    "package-lock.json",
    "src",
    "tsconfig.json",
    "vite.config.ts",
];

/// Set to leave the page out.
const WITHOUT_PAGE: &str = "ASKANCE_WITHOUT_PAGE";

fn main() -> io::Result<()> {
    let web_ui = Path::new("../../web-ui");
    println!("cargo::rerun-if-env-changed={WITHOUT_PAGE}");
    println!("cargo::rerun-if-changed=build.rs");
    for source in SOURCES {
        println!("cargo::rerun-if-changed={}", web_ui.join(source).display());
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let built = if env::var_os(WITHOUT_PAGE).is_some() {
        None
    } else {
        match build(web_ui, &out.join("web-ui")) {
            Ok(built) => Some(built),
            Err(why) => {
                println!("cargo::warning=built without the browser page: {why}");
                None
            }
        }
    };
    fs::write(out.join("page.rs"), table(built.as_deref())?)
}

/// Builds the page in a copy of its folder and gives the folder of the result.
fn build(from: &Path, copy: &Path) -> Result<PathBuf, String> {
    let lock = fs::read(from.join("package-lock.json")).map_err(|error| error.to_string())?;
    let installed = copy.join("installed");
    let is_installed = fs::read(&installed).is_ok_and(|old| old == lock);
    let _ = fs::remove_dir_all(copy.join("src"));
    fs::create_dir_all(copy).map_err(|error| error.to_string())?;
    for source in SOURCES {
        copy_all(&from.join(source), &copy.join(source)).map_err(|error| error.to_string())?;
    }
    if !is_installed {
        let _ = fs::remove_file(&installed);
        let options = ["--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"];
        let patience = [
            "--prefer-offline",
            "--fetch-retries=1",
            "--fetch-timeout=30000",
        ];
        npm(copy, ["ci"].iter().chain(&options).chain(&patience))?;
        fs::write(installed, lock).map_err(|error| error.to_string())?;
    }
    npm(copy, ["run", "build"])?;
    Ok(copy.join("dist"))
}

fn npm(
    folder: &Path,
    arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
) -> Result<(), String> {
    let mut command = Command::new("npm");
    let output = command.args(arguments).current_dir(folder).output();
    let output = output.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => "npm is not installed".to_owned(),
        _ => format!("npm cannot be started: {error}"),
    })?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let mut said = said.lines().filter(|line| line.contains("error"));
    let reason = said.next().unwrap_or("no reason given").trim();
    Err(format!("npm failed ({}): {reason}", output.status))
}

fn copy_all(from: &Path, to: &Path) -> io::Result<()> {
    if !from.is_dir() {
        return fs::copy(from, to).map(drop);
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy_all(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

/// The source of the table of files.
fn table(folder: Option<&Path>) -> io::Result<String> {
    let mut files = Vec::new();
    if let Some(folder) = folder {
        list(folder, "", &mut files)?;
    }
    files.sort();
    let mut text = format!(
        "/// Whether the page is in this executable.\npub const IS_BUILT: bool = {};\n\nconst FILES: &[File] = &[\n",
        !files.is_empty()
    );
    for (name, path) in files {
        let media_type = media_type(&name);
        let _ = writeln!(
            text,
            "({name:?}, {media_type:?}, include_bytes!({path:?})),"
        );
    }
    text.push_str("];\n");
    Ok(text)
}

fn list(folder: &Path, prefix: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            list(&entry.path(), &format!("{name}/"), files)?;
        } else {
            files.push((name, entry.path()));
        }
    }
    Ok(())
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}
