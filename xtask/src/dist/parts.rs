//! The list of parts: every crate that is in the executables, as CycloneDX has it.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use test_support::cargo;

use super::{EXECUTABLES, Release};
use crate::process::said;

/// A library of its own inside the executable, the recorder.
const INSIDE: &str = "jvm-agent";

pub(super) fn list(release: &Release) -> Result<PathBuf> {
    let mut command = cargo(["metadata", "--format-version", "1", "--locked"]);
    command.args(["--filter-platform", &release.target]);
    let metadata: Value = serde_json::from_str(&said(&mut command)?)?;
    let linked = linked(&metadata)?;
    let packages = metadata["packages"].as_array();
    let packages = packages.context("cargo lists packages")?;
    let mut components: Vec<Value> = packages
        .iter()
        .filter(|package| package["id"].as_str().is_some_and(|id| linked.contains(id)))
        .map(component)
        .collect();
    components.sort_by_key(|component| component["bom-ref"].as_str().map(str::to_owned));
    let list = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": "askance",
                "name": "askance",
                "version": release.version,
            },
        },
        "components": components,
    });
    let path = release.folder.join(format!("{}.cdx.json", release.name()));
    fs::write(&path, serde_json::to_string_pretty(&list)? + "\n")?;
    Ok(path)
}

/// The packages that are reached by dependencies which are neither for tests nor for build scripts.
fn linked(metadata: &Value) -> Result<BTreeSet<String>> {
    let nodes = metadata["resolve"]["nodes"].as_array();
    let nodes = nodes.context("cargo resolves dependencies")?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let ours = packages.filter(|package| {
        let mut names = EXECUTABLES.iter().chain([&INSIDE]);
        names.any(|name| package["name"] == *name)
    });
    let mut open: Vec<String> = ours
        .filter_map(|package| package["id"].as_str().map(str::to_owned))
        .collect();
    let mut found = BTreeSet::new();
    while let Some(id) = open.pop() {
        let node = nodes.iter().find(|node| node["id"] == *id);
        let dependencies = node.and_then(|node| node["deps"].as_array());
        let dependencies = dependencies.into_iter().flatten();
        let used = dependencies.filter(|dependency| {
            let kinds = dependency["dep_kinds"].as_array();
            kinds
                .into_iter()
                .flatten()
                .any(|kind| kind["kind"].is_null())
        });
        open.extend(
            used.filter_map(|dependency| dependency["pkg"].as_str())
                .filter(|id| !found.contains(*id))
                .map(str::to_owned),
        );
        found.insert(id);
    }
    Ok(found)
}

fn component(package: &Value) -> Value {
    let name = package["name"].as_str().unwrap_or_default();
    let version = package["version"].as_str().unwrap_or_default();
    let address = format!("pkg:cargo/{name}@{version}");
    let mut component = json!({
        "type": "library",
        "bom-ref": address,
        "name": name,
        "version": version,
        "purl": address,
    });
    if let Some(licence) = package["license"].as_str() {
        // An older way to say "or".
        let licence = licence.replace('/', " OR ");
        component["licenses"] = json!([{"expression": licence}]);
    }
    component
}
