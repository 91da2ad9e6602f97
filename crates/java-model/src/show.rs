//! `[[show]]`: what is shown of objects of a class.

use serde::Deserialize;

use java_names::glob::Glob;

/// What questions show of objects whose class matches.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Show {
    /// A pattern of class names, e.g. `shop.*`.
    pub class: String,
    /// The fields that are shown; others only where a call changed them.
    #[serde(default)]
    pub fields: Vec<String>,
    /// Whether their `toString` is called while the program is recorded, and what it gives is shown.
    #[serde(default)]
    pub to_string: bool,
}

impl Show {
    /// Whether it makes sense.
    ///
    /// # Errors
    /// What is wrong with it, as a fragment.
    pub fn check(&self) -> Result<(), String> {
        Glob::new(&self.class).map_err(|error| format!("class {:?}: {error}", self.class))?;
        if self.fields.is_empty() && !self.to_string {
            return Err(format!(
                "class {:?}: nothing is left to show; name fields, or say to_string = true",
                self.class
            ));
        }
        Ok(())
    }
}
