//! Files, addresses, languages, currencies and the like: objects of the JDK that stand for a name.

use trace_format::Value;

use super::super::heap::Heap;
use super::look::{Look, Parts};

/// What an object prints; `None` if it is none of these, or not known as a whole.
pub(super) fn printed<H: Heap + ?Sized>(
    look: &Look<'_, H>,
    parts: &Parts,
    class: &str,
) -> Option<String> {
    let text = |field: &str| look.text(parts.object(field)?);
    match class {
        "java.io.File" | "sun.nio.fs.WindowsPath" => text("path"),
        "sun.nio.fs.UnixPath" => {
            let bytes = look
                .each(parts.object("path")?)
                .map(|value| value.bits() as u8);
            String::from_utf8(bytes.collect()).ok()
        }
        "java.net.URI" => text("string").or_else(|| uri(look, parts)),
        "java.net.URL" => url(look, parts),
        "java.util.Currency" => text("currencyCode"),
        "java.util.Locale" => locale(look, parts),
        _ if class.starts_with("sun.nio.cs.") => text("name"),
        _ => None,
    }
}

/// A part that may be missing: `None` if it is not known whether it is.
fn optional<H: Heap + ?Sized>(
    look: &Look<'_, H>,
    parts: &Parts,
    field: &str,
) -> Option<Option<String>> {
    match parts.get(field)?.object() {
        None => Some(None),
        Some(object) => Some(Some(look.text(object)?)),
    }
}

/// An address that nobody has asked for its text yet.
fn uri<H: Heap + ?Sized>(look: &Look<'_, H>, parts: &Parts) -> Option<String> {
    let part = |field| optional(look, parts, field);
    let mut text = String::new();
    if let Some(scheme) = part("scheme")? {
        text = format!("{scheme}:");
    }
    match part("path")? {
        Some(path) => {
            if let Some(authority) = part("authority")? {
                text += &format!("//{authority}");
            } else if path.starts_with("//") {
                return None;
            }
            text += &path;
            if let Some(query) = part("query")? {
                text += &format!("?{query}");
            }
        }
        None => text += &part("schemeSpecificPart")??,
    }
    if let Some(fragment) = part("fragment")? {
        text += &format!("#{fragment}");
    }
    Some(text)
}

fn url<H: Heap + ?Sized>(look: &Look<'_, H>, parts: &Parts) -> Option<String> {
    let part = |field| optional(look, parts, field);
    let mut text = format!("{}:", part("protocol")??);
    let authority = part("authority")?.filter(|authority| !authority.is_empty());
    if let Some(authority) = authority {
        text += &format!("//{authority}");
    }
    text += &part("file")?.unwrap_or_default();
    if let Some(reference) = part("ref")? {
        text += &format!("#{reference}");
    }
    Some(text)
}

/// `de_CH`; one with extensions has too many names to be told by one.
fn locale<H: Heap + ?Sized>(look: &Look<'_, H>, parts: &Parts) -> Option<String> {
    if parts.get("localeExtensions")? != Value::NULL {
        return None;
    }
    let base = look.parts(parts.object("baseLocale")?);
    let part = |field: &str| look.text(base.object(field)?);
    let [language, script, region, variant] = [
        part("language")?,
        part("script")?,
        part("region")?,
        part("variant")?,
    ];
    let mut text = language;
    if !region.is_empty() || !text.is_empty() && (!variant.is_empty() || !script.is_empty()) {
        text += &format!("_{region}");
    }
    if !variant.is_empty() && !text.is_empty() {
        text += &format!("_{variant}");
    }
    if !script.is_empty() && !text.is_empty() {
        text += &format!("_#{script}");
    }
    Some(text)
}
