//! `askance.toml`: what a project wants of Askance, whoever starts it.
//!
//! The file lies in the folder where the command is given or in one above it, the nearest counts. Each
//! section is a struct in a file of its own, with defaults for all that is left out. A name that
//! nobody knows is a mistake: a misspelt setting that does nothing would be found too late.

mod secrets;

use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use java_model::show::Show;
use java_names::glob::Glob;
pub use secrets::Secrets;

/// The file's name.
pub const NAME: &str = "askance.toml";

/// The settings of a project.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    pub secrets: Secrets,
    /// The first that matches a class counts.
    pub show: Vec<Show>,
    /// Patterns of classes that count as the user's own code, wherever they come from.
    pub suspect: Vec<String>,
}

/// Why the settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("{} cannot be read: {source}", .path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("{}, line {line}: {what}", .path.display())]
    Wrong {
        path: PathBuf,
        line: usize,
        what: String,
    },
}

impl Config {
    /// The settings that hold in a folder: those of the nearest file, or the defaults.
    ///
    /// # Errors
    /// If there is a file and it is not readable as one.
    pub fn nearest(folder: &Path) -> Result<Config, ConfigError> {
        for folder in folder.ancestors() {
            let path = folder.join(NAME);
            match std::fs::read_to_string(&path) {
                Ok(text) => return Config::parse(&path, &text),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(source) => return Err(ConfigError::Unreadable { path, source }),
            }
        }
        Ok(Config::default())
    }

    fn parse(path: &Path, text: &str) -> Result<Config, ConfigError> {
        let wrong = |span: Option<std::ops::Range<usize>>, what: String| ConfigError::Wrong {
            path: path.to_owned(),
            line: 1 + text[..span.map_or(0, |span| span.start.min(text.len()))]
                .matches('\n')
                .count(),
            what,
        };
        let config: Config = toml::from_str(text)
            .map_err(|error| wrong(error.span(), first_line(error.message())))?;
        config.secrets.check().map_err(|what| wrong(None, what))?;
        for pattern in &config.suspect {
            let checked = Glob::new(pattern);
            checked.map_err(|error| wrong(None, format!("suspect {pattern:?}: {error}")))?;
        }
        for show in &config.show {
            show.check().map_err(|what| wrong(None, what))?;
        }
        Ok(config)
    }
}

fn first_line(message: &str) -> String {
    message.lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_file_counts_and_none_means_the_defaults() {
        let root = tempfile::tempdir().unwrap();
        let inner = root.path().join("a/b");
        std::fs::create_dir_all(&inner).unwrap();
        assert_eq!(Config::nearest(&inner).unwrap(), Config::default());
        std::fs::write(root.path().join(NAME), "[secrets]\nmask = [\"outer\"]\n").unwrap();
        assert_eq!(Config::nearest(&inner).unwrap().secrets.mask, ["outer"]);
        std::fs::write(root.path().join("a").join(NAME), "").unwrap();
        assert_eq!(Config::nearest(&inner).unwrap(), Config::default());
    }

    #[test]
    fn a_mistake_is_told_with_its_line() {
        for (text, line, word) in [
            ("[secrets]\n\nmasks = []\n", 3, "masks"),
            ("# fine\n[secret]\n", 2, "secret"),
            ("[secrets]\nmask = \"pin\"\n", 2, "sequence"),
            ("[secrets\n", 1, ""),
            ("[[show]]\nclass = \"a.B\"\n", 1, "fields"),
            (
                "[[show]]\nclass = \"a.B\"\nfields = []\n",
                1,
                "nothing is left",
            ),
        ] {
            let error = Config::parse(Path::new("p/askance.toml"), text).unwrap_err();
            let told = error.to_string();
            let place = format!("p/askance.toml, line {line}: ");
            assert!(told.starts_with(&place) && told.contains(word), "{told}");
        }
    }
}
