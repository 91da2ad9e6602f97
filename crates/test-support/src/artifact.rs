//! Single jars of Maven's central repository, by their coordinates.
//!
//! A [`Library`](crate::Library) is a version with all that it needs; comparing releases takes many versions of the
//! same library side by side, each jar of them named. They are kept in `target/artifacts`, where a jar appears only
//! when it is complete.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::maven::{FetchError, run_maven};
use crate::target_dir;

/// The coordinates of a jar, written `group:name:version`, with `:classifier` where it has one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Artifact {
    group: String,
    name: String,
    version: String,
    classifier: Option<String>,
}

#[derive(Debug, thiserror::Error)]
#[error("`{0}` are no coordinates of a jar; they are written `group:name:version`")]
pub struct CoordinatesError(String);

impl Artifact {
    /// The release that it is of.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The jar with its sources.
    pub fn sources(&self) -> Artifact {
        Artifact {
            classifier: Some("sources".to_owned()),
            ..self.clone()
        }
    }

    /// Where the jar is, once it was fetched.
    pub fn jar(&self) -> PathBuf {
        folder().join(self.file_name())
    }

    /// As Maven names it, with the group before it.
    fn file_name(&self) -> String {
        let Artifact {
            group,
            name,
            version,
            classifier,
        } = self;
        match classifier {
            Some(classifier) => format!("{group}.{name}-{version}-{classifier}.jar"),
            None => format!("{group}.{name}-{version}.jar"),
        }
    }

    fn write_item(&self, pom: &mut String) -> fmt::Result {
        let Artifact {
            group,
            name,
            version,
            classifier,
        } = self;
        write!(pom, "<artifactItem><groupId>{group}</groupId>")?;
        write!(pom, "<artifactId>{name}</artifactId>")?;
        write!(pom, "<version>{version}</version>")?;
        if let Some(classifier) = classifier {
            write!(pom, "<classifier>{classifier}</classifier>")?;
        }
        writeln!(pom, "</artifactItem>")
    }
}

impl FromStr for Artifact {
    type Err = CoordinatesError;

    fn from_str(text: &str) -> Result<Artifact, CoordinatesError> {
        let is_plain = |part: &&str| {
            let allowed = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
            !part.is_empty() && part.chars().all(allowed)
        };
        let parts: Vec<&str> = text.split(':').collect();
        let plain = parts.iter().all(is_plain);
        let (group, name, version, classifier) = match parts[..] {
            [group, name, version] if plain => (group, name, version, None),
            [group, name, version, classifier] if plain => (group, name, version, Some(classifier)),
            _ => return Err(CoordinatesError(text.to_owned())),
        };
        Ok(Artifact {
            group: group.to_owned(),
            name: name.to_owned(),
            version: version.to_owned(),
            classifier: classifier.map(str::to_owned),
        })
    }
}

impl TryFrom<String> for Artifact {
    type Error = CoordinatesError;

    fn try_from(text: String) -> Result<Artifact, CoordinatesError> {
        text.parse()
    }
}

impl fmt::Display for Artifact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.group, self.name, self.version)?;
        match &self.classifier {
            Some(classifier) => write!(f, ":{classifier}"),
            None => Ok(()),
        }
    }
}

impl From<Artifact> for String {
    fn from(artifact: Artifact) -> String {
        artifact.to_string()
    }
}

/// Fetches those jars that are not there yet, with one run of Maven.
pub fn fetch<'a>(artifacts: impl IntoIterator<Item = &'a Artifact>) -> Result<(), FetchError> {
    let is_missing = |artifact: &&Artifact| !artifact.jar().is_file();
    let missing: BTreeSet<&Artifact> = artifacts.into_iter().filter(is_missing).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let folder = folder();
    fs::create_dir_all(&folder).map_err(at(&folder))?;
    let draft = tempfile::tempdir_in(&folder).map_err(at(&folder))?;
    let pom = draft.path().join("pom.xml");
    fs::write(&pom, project(&missing)).map_err(at(&pom))?;
    let mut maven = Command::new("mvn");
    maven
        .args(["-q", "-B", "dependency:copy", "-Dmdep.prependGroupId=true"])
        .arg(format!("-DoutputDirectory={}", draft.path().display()))
        .current_dir(draft.path());
    run_maven(&mut maven, || {
        let names: Vec<String> = missing.iter().map(ToString::to_string).collect();
        names.join(", ")
    })?;
    for artifact in missing {
        let jar = artifact.jar();
        fs::rename(draft.path().join(artifact.file_name()), &jar).map_err(at(&jar))?;
    }
    Ok(())
}

/// A project that does nothing but to name the jars.
fn project(artifacts: &BTreeSet<&Artifact>) -> String {
    let mut items = String::new();
    for artifact in artifacts {
        // Writing into a string does not fail.
        let _ = artifact.write_item(&mut items);
    }
    format!(
        r#"<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>askance</groupId>
  <artifactId>artifacts</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <build><plugins><plugin>
    <groupId>org.apache.maven.plugins</groupId>
    <artifactId>maven-dependency-plugin</artifactId>
    <version>3.6.1</version>
    <configuration><artifactItems>
{items}    </artifactItems></configuration>
  </plugin></plugins></build>
</project>
"#
    )
}

fn folder() -> PathBuf {
    target_dir().join("artifacts")
}

fn at(path: &Path) -> impl FnOnce(std::io::Error) -> FetchError {
    let path = path.to_path_buf();
    move |source| FetchError::Io { path, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_read_and_written() {
        for text in [
            "com.google.code.gson:gson:2.6.1",
            "org.jsoup:jsoup:1.17.1:sources",
        ] {
            let artifact: Artifact = text.parse().unwrap();
            assert_eq!(artifact.to_string(), text);
        }
        for text in ["", "gson", "gson:2.6", "a:b:c:d:e", "a::1", "a:b:1<2"] {
            assert!(text.parse::<Artifact>().is_err(), "{text}");
        }
    }

    #[test]
    fn jars_of_the_same_name_and_of_two_groups_are_two() {
        let jar = |text: &str| text.parse::<Artifact>().unwrap().jar();
        assert_ne!(jar("a:x:1"), jar("b:x:1"));
        assert!(jar("a:x:1").ends_with("target/artifacts/a.x-1.jar"));
        let sources = "a:x:1".parse::<Artifact>().unwrap().sources();
        assert!(sources.jar().ends_with("a.x-1-sources.jar"));
    }

    #[test]
    fn what_is_there_is_not_fetched() {
        fetch([]).unwrap();
    }

    #[test]
    fn the_project_names_every_jar_once() {
        let one: Artifact = "a.b:x:1".parse().unwrap();
        let sources = one.sources();
        let project = project(&BTreeSet::from([&one, &one.clone(), &sources]));
        assert_eq!(project.matches("<artifactItem>").count(), 2);
        assert_eq!(project.matches("<classifier>sources<").count(), 1);
    }
}
