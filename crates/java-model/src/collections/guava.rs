//! What Guava's objects stand for that never change, and its multimaps.

use trace_format::Value;

use super::super::heap::Heap;
use super::LibraryContent;
use super::look::{Look, Parts, present};

/// The package of its classes.
pub(super) const PACKAGE: &str = "com.google.common.";

pub(super) fn content<H: Heap + ?Sized>(
    look: &Look<'_, H>,
    parts: &Parts,
    class: &str,
) -> Option<LibraryContent> {
    let (package, simple) = class.strip_prefix(PACKAGE)?.split_once('.')?;
    let one = |field: &str| Some(LibraryContent::sequence(vec![parts.get(field)?], true));
    Some(match (package, simple) {
        ("base", "Present") => LibraryContent::Optional(Some(parts.get("reference")?)),
        ("base", "Absent") => LibraryContent::Optional(None),
        ("collect", "Range") => LibraryContent::Printed(look.range(parts)?),
        ("collect", "RegularImmutableList") => look.whole_array(parts.object("array")?)?,
        ("collect", "RegularImmutableSet") => look.whole_array(parts.object("elements")?)?,
        ("collect", "RegularImmutableSortedSet") => look.inner(parts, "elements")?,
        ("collect", "SingletonImmutableList" | "SingletonImmutableSet") => one("element")?,
        ("collect", "RegularImmutableMap") => look.array_of_entries(parts)?,
        ("collect", "SingletonImmutableBiMap") => {
            let entry = (parts.get("singleKey")?, parts.get("singleValue")?);
            LibraryContent::map(vec![entry], true)
        }
        ("collect", "ImmutableEntry" | "ImmutableMapEntry") => {
            LibraryContent::Entry(parts.get("key")?, parts.get("value")?)
        }
        ("collect", name) if name.ends_with("Multimap") => look.inner(parts, "map")?,
        _ => return None,
    })
}

impl<H: Heap + ?Sized> Look<'_, H> {
    /// `[0..12]`, `(12..+∞)`
    fn range(&self, parts: &Parts) -> Option<String> {
        let lower = self.cut(parts, "lowerBound", ["[", "("])?;
        let upper = self.cut(parts, "upperBound", [")", "]"])?;
        Some(format!("{}{}..{}{}", lower.0, lower.1, upper.1, upper.0))
    }

    /// The bracket, for a cut below a value and for one above it, and the value.
    fn cut(
        &self,
        parts: &Parts,
        field: &str,
        brackets: [&'static str; 2],
    ) -> Option<(&'static str, String)> {
        let cut = parts.object(field)?;
        let class = self.class(cut)?;
        let endpoint = || self.short_text(self.parts(cut).object("endpoint")?);
        Some(match class.rsplit('$').next()? {
            "BelowAll" => ("(", "-∞".to_owned()),
            "AboveAll" => (")", "+∞".to_owned()),
            "BelowValue" => (brackets[0], endpoint()?),
            "AboveValue" => (brackets[1], endpoint()?),
            _ => return None,
        })
    }

    /// A map whose entries stand in an array.
    fn array_of_entries(&self, parts: &Parts) -> Option<LibraryContent> {
        let entries = parts.object("entries")?;
        let entry = |value: Value| {
            let parts = self.parts(value.object()?);
            Some((parts.get("key")?, parts.get("value")?))
        };
        let all = self.each(entries).filter_map(present);
        let known: Vec<_> = all.take(self.limit).map(entry).collect::<Option<_>>()?;
        Some(LibraryContent::Map {
            entries: known,
            total: self.length(entries) as u64,
            ordered: true,
        })
    }
}
