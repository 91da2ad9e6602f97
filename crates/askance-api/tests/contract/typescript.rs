//! JSON schemas as the types of TypeScript: as much of the schema language as the interface's own types use.

use std::fmt::Write as _;

use serde_json::{Map, Value};

/// The columns of a line of comment.
const COLUMNS: usize = 110;

/// All definitions, in the order of their names.
pub(crate) fn declarations(definitions: &Map<String, Value>) -> String {
    let mut text = String::new();
    for (name, schema) in definitions {
        text.push('\n');
        comment(&mut text, schema, 0);
        match schema.get("properties") {
            Some(Value::Object(_)) if !has_alternatives(schema) => {
                writeln!(text, "export interface {name} {}", members(schema, 0))
            }
            _ => writeln!(text, "export type {name} = {};", type_of(schema, 0)),
        }
        .expect("a string takes everything");
    }
    text
}

fn has_alternatives(schema: &Value) -> bool {
    ["oneOf", "anyOf"]
        .iter()
        .any(|name| schema.get(name).is_some())
}

/// A schema as a type.
fn type_of(schema: &Value, depth: usize) -> String {
    let Value::Object(object) = schema else {
        // `true` allows everything.
        return "unknown".to_owned();
    };
    if let Some(name) = object.get("$ref").and_then(Value::as_str) {
        return name.rsplit('/').next().unwrap_or(name).to_owned();
    }
    if let Some(value) = object.get("const") {
        return value.to_string();
    }
    if let Some(Value::Array(values)) = object.get("enum") {
        return union(values.iter().map(Value::to_string).collect());
    }
    for name in ["oneOf", "anyOf"] {
        if let Some(Value::Array(alternatives)) = object.get(name) {
            let types = alternatives
                .iter()
                .flat_map(|alternative| words_or_type(alternative, depth));
            let either = union(types.collect());
            // What all alternatives have in common stands beside them.
            return match object.get("properties") {
                Some(_) => format!("{} & ({either})", members(schema, depth)),
                None => either,
            };
        }
    }
    match object.get("type") {
        Some(Value::String(name)) => named(name, schema, depth),
        Some(Value::Array(names)) => {
            let names = names.iter().filter_map(Value::as_str);
            union(names.map(|name| named(name, schema, depth)).collect())
        }
        _ => "unknown".to_owned(),
    }
}

/// An alternative that is one of several words is as many alternatives.
fn words_or_type(schema: &Value, depth: usize) -> Vec<String> {
    match schema.get("enum") {
        Some(Value::Array(words)) => words.iter().map(Value::to_string).collect(),
        _ => vec![type_of(schema, depth)],
    }
}

fn named(name: &str, schema: &Value, depth: usize) -> String {
    match name {
        "integer" | "number" => "number".to_owned(),
        "array" => match schema.get("prefixItems") {
            Some(Value::Array(items)) => {
                let items: Vec<_> = items.iter().map(|item| type_of(item, depth)).collect();
                format!("[{}]", items.join(", "))
            }
            _ => list(schema, depth),
        },
        "object" => match (schema.get("properties"), schema.get("additionalProperties")) {
            (Some(_), _) => members(schema, depth),
            (None, Some(values @ Value::Object(_))) => {
                format!("Record<string, {}>", type_of(values, depth))
            }
            _ => "Record<string, never>".to_owned(),
        },
        // `string`, `boolean` and `null` are called the same.
        same => same.to_owned(),
    }
}

/// A list, or, of a number of elements that is fixed, a tuple.
fn list(schema: &Value, depth: usize) -> String {
    let of = schema
        .get("items")
        .map_or("unknown".to_owned(), |items| type_of(items, depth));
    let bound = |name: &str| schema.get(name).and_then(Value::as_u64);
    match (bound("minItems"), bound("maxItems")) {
        (Some(least), Some(most)) if least == most => {
            format!(
                "[{}]",
                vec![of; usize::try_from(most).unwrap_or(0)].join(", ")
            )
        }
        _ if of.contains(' ') => format!("({of})[]"),
        _ => format!("{of}[]"),
    }
}

fn members(schema: &Value, depth: usize) -> String {
    let none = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object);
    let required = schema.get("required").and_then(Value::as_array);
    let mut text = "{\n".to_owned();
    for (name, property) in properties.unwrap_or(&none) {
        let is_required = required.is_some_and(|names| names.iter().any(|each| each == name));
        let mut kind = type_of(property, depth + 1);
        // What can be left out is left out instead of being nothing.
        if !is_required {
            kind = kind.replace(" | null", "");
        }
        comment(&mut text, property, depth + 1);
        let mark = if is_required { "" } else { "?" };
        writeln!(text, "{}{name}{mark}: {kind};", indentation(depth + 1))
            .expect("a string takes everything");
    }
    text.push_str(&indentation(depth));
    text.push('}');
    text
}

fn union(mut types: Vec<String>) -> String {
    let mut seen = Vec::new();
    types.retain(|each| {
        !seen.contains(each) && {
            seen.push(each.clone());
            true
        }
    });
    types.join(" | ")
}

fn indentation(depth: usize) -> String {
    "  ".repeat(depth)
}

fn comment(text: &mut String, schema: &Value, depth: usize) {
    let Some(said) = schema.get("description").and_then(Value::as_str) else {
        return;
    };
    let indentation = indentation(depth);
    let said = said.replace('\n', " ");
    if said.len() + indentation.len() + 7 <= COLUMNS {
        writeln!(text, "{indentation}/** {said} */").expect("a string takes everything");
        return;
    }
    writeln!(text, "{indentation}/**").expect("a string takes everything");
    let mut line = String::new();
    for word in said.split(' ') {
        if !line.is_empty() && indentation.len() + 4 + line.len() + word.len() > COLUMNS {
            writeln!(text, "{indentation} * {line}").expect("a string takes everything");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    writeln!(text, "{indentation} * {line}\n{indentation} */").expect("a string takes everything");
}
