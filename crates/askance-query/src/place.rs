//! Where exports lie or go to: a folder of this machine, or a place in an object store that a URL names.

use std::fmt;
use std::path::Path as FilePath;
use std::sync::Arc;

use datafusion::execution::object_store::ObjectStoreUrl;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ObjectStore, parse_url_opts};
use url::{Position, Url};

use crate::failure::QueryFailure;

/// What the variables of the environment begin with that say who somebody is to an object store, and where it is.
const VARIABLES: [&str; 3] = ["AWS_", "AZURE_", "GOOGLE_"];

/// See the module's header.
#[derive(Clone)]
pub struct Place {
    /// As it was named.
    name: String,
    /// The store, as plans name it.
    pub(crate) url: ObjectStoreUrl,
    pub(crate) store: Arc<dyn ObjectStore>,
    pub(crate) path: Path,
}

impl Place {
    /// A folder, or what a URL names.
    ///
    /// # Errors
    /// If nothing can be there.
    pub fn named(word: &str) -> Result<Place, QueryFailure> {
        match Place::is_url(word) {
            true => Place::of_url(word),
            false => Place::of_folder(FilePath::new(word)),
        }
    }

    /// Whether a word is a URL and no path.
    #[must_use]
    pub fn is_url(word: &str) -> bool {
        word.split_once("://").is_some_and(|(scheme, _)| {
            let is_sign = |it: char| it.is_ascii_alphanumeric() || "+-.".contains(it);
            !scheme.is_empty() && scheme.chars().all(is_sign)
        })
    }

    fn of_folder(folder: &FilePath) -> Result<Place, QueryFailure> {
        let name = folder.display().to_string();
        let refused = |why: &dyn fmt::Display| {
            QueryFailure::new(format!("{name} cannot hold an export: {why}"))
        };
        let whole = std::path::absolute(folder).map_err(|error| refused(&error))?;
        let path = Path::from_absolute_path(whole).map_err(|error| refused(&error))?;
        Ok(Place {
            url: ObjectStoreUrl::local_filesystem(),
            store: Arc::new(LocalFileSystem::new()),
            path,
            name,
        })
    }

    fn of_url(name: &str) -> Result<Place, QueryFailure> {
        let refused = |why: &dyn fmt::Display| {
            QueryFailure::new(format!("{name} names no place for exports: {why}")).hint(
                "s3://bucket/folder, gs://bucket/folder, az://container/folder or file:///folder",
            )
        };
        let url = Url::parse(name).map_err(|error| refused(&error))?;
        let (store, path) = parse_url_opts(&url, variables()).map_err(|error| {
            // What was left out of this executable is not wrong in the URL.
            match error.to_string().contains("not enabled") {
                true => QueryFailure::new(format!(
                    "this build reaches no store of {}://",
                    url.scheme()
                ))
                .hint(
                    "a release does, and so does `cargo build -p askance-query --features clouds`",
                ),
                false => refused(&error),
            }
        })?;
        let store_url = ObjectStoreUrl::parse(&url[..Position::BeforePath]);
        Ok(Place {
            name: name.to_owned(),
            url: store_url.map_err(|error| refused(&error.strip_backtrace()))?,
            store: Arc::from(store),
            path,
        })
    }
}

/// Those variables of the environment that are about object stores.
fn variables() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os().filter_map(|(name, value)| {
        let name = name.into_string().ok()?;
        let is_wanted = VARIABLES
            .iter()
            .any(|beginning| name.starts_with(beginning));
        is_wanted.then_some((name, value.into_string().ok()?))
    })
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
