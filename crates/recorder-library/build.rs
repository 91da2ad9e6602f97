//! Builds the recorder with a cargo of its own, into this crate's folder, and gives the library's path and fingerprint
//! to the compiler.
//!
//! The recorder is built as this crate is: for the same machine, with debug assertions where tests are built. What
//! only a debugger could read is left out, because every executable carries the library.

use std::hash::{DefaultHasher, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The crates that the library is made of.
const CRATES: [&str; 5] = [
    "classfile",
    "java-launcher",
    "java-names",
    "jvm-agent",
    "trace-format",
];

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let workspace = Path::new("../..").canonicalize()?;
    println!("cargo::rerun-if-changed=build.rs");
    for name in CRATES {
        let folder = workspace.join("crates").join(name);
        for part in ["src", "Cargo.toml"] {
            println!("cargo::rerun-if-changed={}", folder.join(part).display());
        }
    }
    let classes = workspace.join("java-runtime/classes");
    println!("cargo::rerun-if-changed={}", classes.display());

    let library = build(&workspace, &variable("OUT_DIR")?)?;
    let mut hasher = DefaultHasher::new();
    hasher.write(&fs::read(&library)?);
    println!("cargo::rustc-env=ASKANCE_RECORDER={}", library.display());
    let fingerprint = hasher.finish();
    println!("cargo::rustc-env=ASKANCE_RECORDER_FINGERPRINT={fingerprint:016x}");
    Ok(())
}

fn build(workspace: &Path, out: &str) -> Result<PathBuf, Failure> {
    let (target, host) = (variable("TARGET")?, variable("HOST")?);
    let is_release = variable("PROFILE")? == "release";
    let profile = if is_release { "release" } else { "dev" };
    let folder = Path::new(out).join("cargo");

    let mut cargo = Command::new(variable("CARGO")?);
    cargo.current_dir(workspace);
    cargo.args(["rustc", "--lib", "--package", "jvm-agent"]);
    cargo.args(["--profile", profile, "--crate-type", "cdylib"]);
    cargo.arg("--target-dir").arg(&folder);
    // Lints are those of whoever builds the recorder itself.
    cargo.env_remove("RUSTC_WORKSPACE_WRAPPER");
    // They tell a cargo that it works for this crate.
    for inherited in [
        "CARGO_MANIFEST_DIR",
        "CARGO_MANIFEST_PATH",
        "OUT_DIR",
        "TARGET",
    ] {
        cargo.env_remove(inherited);
    }
    let mut built = folder;
    if target != host {
        cargo.args(["--target", &target]);
        built.push(&target);
    }
    cargo.args(["--", "-C", "strip=symbols"]);
    let output = cargo.output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("the recorder cannot be built ({}):\n{said}", output.status).into());
    }
    let suffix = match variable("CARGO_CFG_TARGET_OS")?.as_str() {
        "macos" => "dylib",
        _ => "so",
    };
    let folder = if is_release { "release" } else { "debug" };
    Ok(built.join(folder).join(format!("libjvm_agent.{suffix}")))
}

fn variable(name: &str) -> Result<String, Failure> {
    env::var(name).map_err(|error| format!("{name}: {error}").into())
}
