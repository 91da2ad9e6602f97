//! What the checks look at: crates with their dependencies and sources, and texts.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::Deserialize;

/// Folders with nothing that anybody wrote by hand.
const NOT_OURS: [&str; 6] = [
    "target",
    "node_modules",
    ".git",
    "dist",
    "snapshots",
    "corpus",
];
/// What holds prose or comments.
const TEXTS: [&str; 12] = [
    "rs", "md", "java", "ts", "tsx", "svelte", "css", "toml", "yml", "yaml", "sh", "html",
];

/// The feature with what tests of crates above need of a crate.
const TESTING: &str = "testing";

#[derive(Default)]
pub(super) struct Workspace {
    pub(super) crates: Vec<Crate>,
    /// Every text that a person reads, by its path from the root.
    pub(super) texts: BTreeMap<String, String>,
}

#[derive(Default)]
pub(super) struct Crate {
    pub(super) name: String,
    /// From the repository's root.
    pub(super) manifest: String,
    /// Crates of this workspace that it depends on.
    pub(super) dependencies: Vec<String>,
    /// Those that only its tests, its build script and what it has for tests of others depend on.
    pub(super) test_dependencies: Vec<String>,
    pub(super) sources: Vec<Source>,
}

/// A file below `src`.
pub(super) struct Source {
    /// From the repository's root.
    pub(super) path: String,
    /// From the crate's `src` folder: `a/b.rs`.
    pub(super) below_src: String,
    pub(super) text: String,
    pub(super) syntax: syn::File,
}

#[derive(Debug, Deserialize)]
struct Manifest {
    package: Package,
    #[serde(default)]
    dependencies: BTreeMap<String, toml::Value>,
    #[serde(default, rename = "dev-dependencies")]
    dev_dependencies: BTreeMap<String, toml::Value>,
    #[serde(default, rename = "build-dependencies")]
    build_dependencies: BTreeMap<String, toml::Value>,
    #[serde(default)]
    features: BTreeMap<String, Vec<String>>,
}

impl Manifest {
    /// Whether only the feature that tests of crates above ask for brings a dependency.
    fn is_for_tests(&self, dependency: &str) -> bool {
        let brings =
            |list: &Vec<String>| list.iter().any(|each| *each == format!("dep:{dependency}"));
        let mut bringing = self.features.iter().filter(|(_, list)| brings(list));
        bringing.next().is_some_and(|(name, _)| name == TESTING) && bringing.next().is_none()
    }
}

#[derive(Debug, Deserialize)]
struct Package {
    name: String,
}

impl Workspace {
    pub(super) fn read(root: &Path) -> Result<Workspace> {
        let mut files = Vec::new();
        list(root, &mut files)?;
        let mut texts = BTreeMap::new();
        for file in files {
            let relative = file.strip_prefix(root).unwrap_or(&file);
            let name = relative.to_string_lossy().into_owned();
            let text = fs::read_to_string(&file).with_context(|| format!("cannot read {name}"))?;
            texts.insert(name, text);
        }
        Workspace::of(texts)
    }

    /// The workspace that files make up, by their paths from its root.
    pub(super) fn of(texts: BTreeMap<String, String>) -> Result<Workspace> {
        let mut crates = Vec::new();
        for (path, text) in &texts {
            let Some(folder) = path.strip_suffix("/Cargo.toml") else {
                continue;
            };
            // The fuzz targets of libFuzzer are a workspace of their own, with nothing but calls in it.
            if folder.starts_with("crates/") || folder == "xtask" {
                let made = Crate::of(path, folder, text, &texts);
                crates.push(made.with_context(|| format!("cannot read {path}"))?);
            }
        }
        let ours: Vec<String> = crates.iter().map(|each| each.name.clone()).collect();
        for each in &mut crates {
            each.dependencies.retain(|name| ours.contains(name));
            each.test_dependencies.retain(|name| ours.contains(name));
        }
        Ok(Workspace { crates, texts })
    }

    #[cfg(test)]
    pub(super) fn made_up<const N: usize>(files: [(&str, &str); N]) -> Workspace {
        let texts = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
        Workspace::of(texts.into()).unwrap()
    }
}

impl Crate {
    fn of(
        path: &str,
        folder: &str,
        manifest: &str,
        texts: &BTreeMap<String, String>,
    ) -> Result<Crate> {
        let manifest: Manifest = toml::from_str(manifest)?;
        let names = manifest.dependencies.keys().cloned();
        let (of_tests, dependencies) = names.partition(|name| manifest.is_for_tests(name));
        let mut test_dependencies: Vec<String> = of_tests;
        test_dependencies.extend(manifest.dev_dependencies.into_keys());
        test_dependencies.extend(manifest.build_dependencies.into_keys());
        let mut made = Crate {
            name: manifest.package.name,
            manifest: path.to_owned(),
            dependencies,
            test_dependencies,
            sources: Vec::new(),
        };
        let below = format!("{folder}/src/");
        for (path, text) in texts {
            if let Some(below_src) = path.strip_prefix(&below)
                && below_src.ends_with(".rs")
            {
                made.sources.push(Source {
                    path: path.clone(),
                    below_src: below_src.to_owned(),
                    text: text.clone(),
                    syntax: syn::parse_file(text).with_context(|| format!("in {path}"))?,
                });
            }
        }
        Ok(made)
    }
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        let path = entry.path();
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if entry.file_type()?.is_dir() {
            if !NOT_OURS.contains(&&*name) && !name.ends_with(".askance") {
                list(&path, files)?;
            }
        } else if entry.file_type()?.is_file()
            && path
                .extension()
                .is_some_and(|extension| TEXTS.iter().any(|text| extension == *text))
        {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_is_its_manifest_and_its_sources() {
        let workspace = Workspace::made_up([
            (
                "crates/a/Cargo.toml",
                "[package]\nname = \"a\"\n[dependencies]\nserde = \"1\"\nb.workspace = true\n",
            ),
            ("crates/a/src/lib.rs", "fn a() {}"),
            ("crates/a/tests/a.rs", "fn b() {}"),
            (
                "crates/b/Cargo.toml",
                "[package]\nname = \"b\"\n[dev-dependencies]\na.workspace = true\n",
            ),
        ]);
        let [a, b] = &workspace.crates[..] else {
            panic!("there are two crates");
        };
        assert_eq!(
            (&*a.name, &a.dependencies[..]),
            ("a", &["b".to_owned()][..])
        );
        assert_eq!(b.test_dependencies, ["a"]);
        assert_eq!(a.sources.len(), 1);
        assert_eq!(a.sources[0].below_src, "lib.rs");
    }
    #[test]
    fn what_a_crate_has_for_tests_of_others_is_for_tests() {
        let workspace = Workspace::made_up([
            (
                "crates/a/Cargo.toml",
                "[package]\nname = \"a\"\n[features]\ntesting = [\"dep:b\"]\n\
                 [dependencies]\nb = { workspace = true, optional = true }\nc.workspace = true\n",
            ),
            ("crates/b/Cargo.toml", "[package]\nname = \"b\"\n"),
            ("crates/c/Cargo.toml", "[package]\nname = \"c\"\n"),
        ]);
        let a = &workspace.crates[0];
        assert_eq!(a.dependencies, ["c"]);
        assert_eq!(a.test_dependencies, ["b"]);
    }
}
