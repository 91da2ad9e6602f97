//! What went wrong in the engine, as one sentence in the words of our tables, and what to do about it.

use datafusion::common::SchemaError;
use datafusion::error::DataFusionError;

use crate::failure::QueryFailure;
use crate::functions::FUNCTIONS;
use crate::tables::TABLES;
use crate::views::VIEWS;

/// What the engine puts before the names of our tables.
pub(crate) const CATALOG: &str = "askance";
pub(crate) const SCHEMA: &str = "trace";

/// What the engine puts before what it says.
const PREFIXES: [&str; 5] = [
    "Error during planning: ",
    "Execution error: ",
    "External error: ",
    "Arrow error: ",
    "Cast error: ",
];

pub(crate) fn explained(error: &DataFusionError) -> QueryFailure {
    match error.find_root() {
        DataFusionError::SchemaError(error, _) => of_columns(error),
        DataFusionError::ResourcesExhausted(_) => {
            QueryFailure::new("the query needs more memory than it may have")
                .hint("ask for less (a filter, fewer columns, LIMIT), or give it more")
        }
        error => {
            let text = error.strip_backtrace();
            let text = PREFIXES.iter().fold(text.as_str(), |text, prefix| {
                text.strip_prefix(prefix).unwrap_or(text)
            });
            of_text(&text.replace(&format!("{CATALOG}.{SCHEMA}."), ""))
        }
    }
}

/// What the engine says in words only.
fn of_text(text: &str) -> QueryFailure {
    let between = |before: &str, after: &str| {
        let (_, rest) = text.split_once(before)?;
        Some(rest.split_once(after)?.0)
    };
    if let Some(missing) = between("table '", "' not found") {
        return of_tables(missing);
    }
    if let Some(missing) = between("table function '", "' not found") {
        let failure = QueryFailure::new(format!("there is no table function {missing}"));
        return failure.hint(format!("there is {}", form("below").unwrap_or("below")));
    }
    if let Some(missing) = between("Invalid function '", "'") {
        let failure = QueryFailure::new(format!("there is no function {missing}"));
        let there = between("Did you mean '", "'");
        return match closest(missing, names()).or(there) {
            Some(name) => failure.hint(format!("did you mean {name}?")),
            None => failure.hint("SHOW FUNCTIONS lists them"),
        };
    }
    let called = between("satisfy a call to '", "' function");
    if let Some((name, form)) = called.and_then(|name| Some((name, form(name)?))) {
        let sentence = format!("{name}() takes other arguments");
        return QueryFailure::new(sentence).hint(format!("it is {form}"));
    }
    // Only the first line is a sentence; what follows lists what could have been meant.
    let sentence = text.lines().next().unwrap_or_default();
    let failure = QueryFailure::new(sentence.trim_end());
    match text.starts_with("Ambiguous reference") {
        true => failure.hint("say of which table: call.node"),
        false => failure,
    }
}

/// The names of our functions.
fn names() -> impl Iterator<Item = &'static str> {
    let forms = FUNCTIONS.iter().map(|function| function.form);
    forms.filter_map(|form| Some(form.split_once('(')?.0))
}

/// How a function of ours is called.
fn form(name: &str) -> Option<&'static str> {
    let mut forms = FUNCTIONS.iter().map(|function| function.form);
    forms.find(|form| form.split_once('(').is_some_and(|(it, _)| it == name))
}

fn of_tables(missing: &str) -> QueryFailure {
    let tables: Vec<&str> = TABLES.iter().map(|table| table.name).collect();
    let names = tables.iter().copied();
    let names = names.chain(VIEWS.iter().map(|view| view.name));
    let failure = QueryFailure::new(format!("there is no table {missing}"));
    match closest(missing, names) {
        Some(name) => failure.hint(format!("did you mean {name}?")),
        None => failure.hint(format!(
            "there are {}, and the views that --views lists",
            tables.join(", ")
        )),
    }
}

fn of_columns(error: &SchemaError) -> QueryFailure {
    let SchemaError::FieldNotFound {
        field,
        valid_fields,
    } = error
    else {
        return of_text(&error.to_string());
    };
    let names: Vec<&str> = valid_fields.iter().map(|field| field.name()).collect();
    let failure = QueryFailure::new(format!("there is no column {}", field.name()));
    match closest(field.name(), names.iter().copied()) {
        Some(name) => failure.hint(format!("did you mean {name}?")),
        None => failure.hint(format!("there are {}", names.join(", "))),
    }
}

/// The name that is nearest to one that is not there, if one is near.
fn closest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = wanted.to_lowercase();
    let distance =
        |name: &str| datafusion::common::utils::datafusion_strsim::levenshtein(&wanted, name);
    let nearest = names.min_by_key(|name| distance(name))?;
    (distance(nearest) <= wanted.len().div_ceil(3)).then_some(nearest)
}
