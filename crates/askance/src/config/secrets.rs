//! `[secrets]`: whose values are never written into a trace.

use serde::Deserialize;
use trace_format::secret::NamePattern;

/// What is kept out of traces.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Secrets {
    /// Names of fields, variables and keys, besides the usual ones.
    pub mask: Vec<String>,
    /// Whether the usual names count.
    pub defaults: bool,
    /// Whether anything is masked at all.
    pub enabled: bool,
}

impl Default for Secrets {
    fn default() -> Self {
        Secrets {
            mask: Vec::new(),
            defaults: true,
            enabled: true,
        }
    }
}

impl Secrets {
    pub(super) fn check(&self) -> Result<(), String> {
        for pattern in &self.mask {
            NamePattern::new(pattern).map_err(|error| format!("mask {pattern:?}: {error}"))?;
        }
        Ok(())
    }

    /// The patterns that count, those of a command line included.
    #[must_use]
    pub fn patterns(&self, more: &[String]) -> Vec<String> {
        let usual: &[&str] = match self.defaults {
            true => trace_format::secret::USUAL,
            false => &[],
        };
        let mut patterns: Vec<String> = usual.iter().map(|&usual| usual.to_owned()).collect();
        if self.enabled {
            patterns.extend(self.mask.iter().chain(more).cloned());
            patterns
        } else {
            more.to_vec()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_names_can_be_left_out_and_the_command_line_adds() {
        let more = ["pin".to_owned()];
        let secrets = Secrets::default();
        assert!(secrets.patterns(&[]).contains(&"*password*".to_owned()));
        assert!(secrets.patterns(&more).contains(&"pin".to_owned()));
        let own = Secrets {
            mask: vec!["iban".to_owned()],
            defaults: false,
            ..Secrets::default()
        };
        assert_eq!(own.patterns(&more), ["iban", "pin"]);
        let off = Secrets {
            enabled: false,
            ..own
        };
        assert_eq!(off.patterns(&[]), Vec::<String>::new());
        assert_eq!(off.patterns(&more), ["pin"]);
    }
}
