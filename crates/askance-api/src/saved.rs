//! What the page would ask for round some calls, asked beforehand: a page in one file has no server.
//!
//! Each answer is kept under the address that the page asks, with what it wants in the order of the alphabet. What
//! matters most is asked first, and asking ends when there are as many bytes of answers as the file may take.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::{
    ApiError, LiveRun, RunSnapshot, diagnosis, events, history, line_values, node, output, run,
    session, source, suspects, tree, why,
};

/// So many rows of a tree, of events and of output the page asks for at a time.
const TREE_PAGE: u64 = 100;
const EVENT_PAGE: u64 = 200;
/// So many suspects the page lists.
const SUSPECTS: usize = 8;
/// Of a call that matters so many moments can be looked at.
const MOMENTS: u64 = 60;
/// Callers of it, and calls of it.
const NEIGHBOURS: usize = 30;
/// Calls that its values came from.
const ORIGINS: usize = 20;
/// Values of it whose histories are told, and parts of each.
const VARIABLES: usize = 24;
const PARTS: usize = 6;

/// Answers by the addresses that they are asked for at.
#[derive(Debug, Serialize)]
pub struct SavedAnswers {
    answers: BTreeMap<String, Box<RawValue>>,
    /// Whether all that was asked for found room.
    pub whole: bool,
}

/// Asks about a run and the calls that matter, until the answers take so many bytes.
///
/// # Errors
/// If the run itself cannot be told of.
pub fn answers_about(
    live: &LiveRun,
    calls: &[u32],
    most_bytes: usize,
) -> Result<SavedAnswers, ApiError> {
    let known = live.known()?;
    let mut asking = Asking {
        run: &known,
        answers: BTreeMap::new(),
        tried: BTreeSet::new(),
        room: most_bytes,
        whole: true,
    };
    asking.keep("/".to_owned(), &run::info(live)?);
    asking.keep("/session".to_owned(), &session::standing(&known)?);
    if let Ok(found) = diagnosis::report_on(&known) {
        asking.keep("/diagnosis".to_owned(), &found);
    }
    asking.ask(
        "/suspects",
        suspects::of_session,
        &json!({"most": SUSPECTS}),
    );
    asking.ask_named("/output", output::output, &json!({"most": EVENT_PAGE}), &[]);
    asking.children(None, 0);
    for &call in calls {
        asking.call(call);
    }
    for &call in calls {
        asking.neighbours(call);
    }
    for &call in calls {
        asking.values(call);
    }
    for &call in calls {
        asking.moments(call);
    }
    Ok(SavedAnswers {
        answers: asking.answers,
        whole: asking.whole,
    })
}

struct Asking<'r> {
    run: &'r RunSnapshot,
    answers: BTreeMap<String, Box<RawValue>>,
    /// Calls that were asked about.
    tried: BTreeSet<u32>,
    /// Bytes that are left.
    room: usize,
    whole: bool,
}

type Work<W, T> = fn(&RunSnapshot, &W) -> Result<T, ApiError>;

impl Asking<'_> {
    /// Asks for what is wanted; it is found again by all of that.
    fn ask<W: DeserializeOwned, T: Serialize>(
        &mut self,
        address: &str,
        work: Work<W, T>,
        wanted: &Value,
    ) -> Option<Value> {
        let names: Vec<&str> = wanted.as_object()?.keys().map(String::as_str).collect();
        self.ask_named(address, work, wanted, &names)
    }

    /// Asks for what is wanted; it is found again by the parts that are named.
    fn ask_named<W: DeserializeOwned, T: Serialize>(
        &mut self,
        address: &str,
        work: Work<W, T>,
        wanted: &Value,
        names: &[&str],
    ) -> Option<Value> {
        let key = key(address, wanted, names);
        if let Some(known) = self.answers.get(&key) {
            return serde_json::from_str(known.get()).ok();
        }
        let request: W = serde_json::from_value(wanted.clone()).ok()?;
        // What cannot be told is not in the file, and the page says so.
        let answer = work(self.run, &request).ok()?;
        let answer = serde_json::to_value(answer).ok()?;
        self.keep(key, &answer);
        Some(answer)
    }

    fn keep(&mut self, key: String, answer: &impl Serialize) {
        let Ok(text) = serde_json::value::to_raw_value(answer) else {
            return;
        };
        let bytes = key.len() + text.get().len() + 8;
        if bytes > self.room {
            self.whole = false;
            return;
        }
        self.room -= bytes;
        self.answers.insert(key, text);
    }

    /// A page of the calls below one, or of the roots.
    fn children(&mut self, of: Option<u32>, page: u64) -> Vec<u32> {
        let from = page * TREE_PAGE;
        let key = key(
            "/children",
            &json!({"of": of, "from": from}),
            &["from", "of"],
        );
        if self.answers.contains_key(&key) {
            return Vec::new();
        }
        let mut all = json!(null);
        let mut rows: Vec<Value> = Vec::new();
        // What takes long to write comes in parts.
        while (rows.len() as u64) < TREE_PAGE {
            let next = from + rows.len() as u64;
            let most = TREE_PAGE - rows.len() as u64;
            let wanted = json!({"of": of, "from": next, "most": most});
            let Ok(wanted) = serde_json::from_value(wanted) else {
                return Vec::new();
            };
            let part = tree::children_of(self.run, &wanted).map(serde_json::to_value);
            let Ok(Ok(part)) = part else {
                return Vec::new();
            };
            let told = part["rows"].as_array().cloned().unwrap_or_default();
            let is_last = told.is_empty();
            all = part;
            rows.extend(told);
            if is_last {
                break;
            }
        }
        let numbers = rows.iter().filter_map(|row| number(&row["node"])).collect();
        all["from"] = json!(from);
        all["rows"] = json!(rows);
        self.keep(key, &all);
        numbers
    }

    /// All that is shown of a call when it is chosen; its values.
    fn call(&mut self, call: u32) -> Option<Value> {
        let of = json!({"node": call});
        if !self.tried.insert(call) {
            return self.ask("/node", node::at, &of);
        }
        let shown = self.ask("/node", node::at, &of)?;
        self.ask("/source", source::source, &of);
        self.ask("/lines", line_values::lines, &of);
        let page = json!({"node": call, "from": 0, "most": EVENT_PAGE});
        self.ask_named("/events", events::events, &page, &["node"]);
        let path = self.ask("/path", tree::path, &of)?;
        let mut above = number(&path["below"]);
        for step in path["steps"].as_array().into_iter().flatten() {
            let place = step["place"].as_u64().unwrap_or_default();
            self.children(above, 0);
            self.children(above, place / TREE_PAGE);
            above = number(&step["node"]);
        }
        self.children(Some(call), 0);
        Some(shown)
    }

    /// The calls above and below one that matters.
    fn neighbours(&mut self, call: u32) {
        let of = json!({"node": call});
        let path = self.ask("/path", tree::path, &of).unwrap_or_default();
        let steps = path["steps"].as_array().cloned().unwrap_or_default();
        let above = steps.iter().rev().filter_map(|step| number(&step["node"]));
        let above: Vec<u32> = above.take(NEIGHBOURS).collect();
        let page = json!({"of": call, "from": 0});
        let page = key("/children", &page, &["from", "of"]);
        let page: Option<Value> = self
            .answers
            .get(&page)
            .and_then(|page| serde_json::from_str(page.get()).ok());
        let below = page.unwrap_or_default();
        let below = below["rows"].as_array().into_iter().flatten();
        let below: Vec<u32> = below.filter_map(|row| number(&row["node"])).collect();
        for call in above.into_iter().chain(below.into_iter().take(NEIGHBOURS)) {
            self.call(call);
        }
    }

    /// Where the values of a call came from, and what was written to its variables.
    fn values(&mut self, call: u32) {
        let Some(shown) = self.call(call) else {
            return;
        };
        let mut origins = Vec::new();
        for path in paths(&shown).into_iter().take(VARIABLES) {
            for control in [false, true] {
                let wanted = json!({"node": call, "path": path, "control": control});
                let told = self.ask("/why", why::why, &wanted).unwrap_or_default();
                let steps = told["steps"].as_array().cloned().unwrap_or_default();
                origins.extend(steps.iter().filter_map(|step| number(&step["node"])));
            }
            if !matches!(path.as_str(), "return" | "throws" | "this") {
                let wanted = json!({"node": call, "variable": path, "at": call});
                let names = ["node", "variable"];
                self.ask_named("/history", history::history, &wanted, &names);
            }
        }
        origins.retain(|call| !self.tried.contains(call));
        origins.dedup();
        for call in origins.into_iter().take(ORIGINS) {
            self.call(call);
        }
    }

    /// A call at its first moments, and the steps between them.
    fn moments(&mut self, call: u32) {
        let page = json!({"node": call});
        let Some(page) = self.answers.get(&key("/events", &page, &["node"])) else {
            return;
        };
        let page: Value = serde_json::from_str(page.get()).unwrap_or_default();
        let events = page["events"].as_array().cloned().unwrap_or_default();
        let events = events.iter().filter_map(|event| event["event"].as_u64());
        for event in events.take_while(|&event| event < MOMENTS) {
            let at = json!({"node": call, "event": event});
            self.ask("/node", node::at, &at);
            self.ask("/lines", line_values::lines, &at);
            for to in ["next", "back", "into", "out"] {
                let step = json!({"node": call, "event": event, "to": to});
                self.ask("/step", node::step, &step);
            }
        }
        self.ask("/step", node::step, &json!({"node": call, "to": "back"}));
    }
}

/// An address with what is wanted, as the page puts it together.
fn key(address: &str, wanted: &Value, names: &[&str]) -> String {
    let mut words = Vec::new();
    for name in names {
        match &wanted[name] {
            Value::Null => {}
            Value::String(text) => words.push(format!("{name}={text}")),
            other => words.push(format!("{name}={other}")),
        }
    }
    words.sort();
    match words.is_empty() {
        true => address.to_owned(),
        false => format!("{address}?{}", words.join("&")),
    }
}

fn number(value: &Value) -> Option<u32> {
    u32::try_from(value.as_u64()?).ok()
}

/// The paths of a call's values, as the page writes them: what came out first.
fn paths(shown: &Value) -> Vec<String> {
    let mut paths = Vec::new();
    let outcome = &shown["outcome"];
    for (kind, name) in [("returned", "return"), ("thrown", "throws")] {
        if outcome[kind].is_object() {
            parts(name, &outcome[kind], &mut paths);
        }
    }
    let this = &shown["this"];
    if this.is_object() {
        of_state("this", this, &mut paths);
    }
    for list in ["arguments", "statics", "elsewhere"] {
        for named in shown[list].as_array().into_iter().flatten() {
            of_state(
                named["name"].as_str().unwrap_or_default(),
                named,
                &mut paths,
            );
        }
    }
    for local in shown["locals"].as_array().into_iter().flatten() {
        parts(
            local["name"].as_str().unwrap_or_default(),
            &local["value"],
            &mut paths,
        );
    }
    let mut seen = BTreeSet::new();
    paths.retain(|path| !path.is_empty() && seen.insert(path.clone()));
    paths
}

fn of_state(name: &str, state: &Value, paths: &mut Vec<String>) {
    let after = &state["after"];
    let value = if after.is_object() {
        after
    } else {
        &state["before"]
    };
    parts(name, value, paths);
}

/// A value and what it holds; what changed comes first.
fn parts(name: &str, value: &Value, paths: &mut Vec<String>) {
    paths.push(name.to_owned());
    let mut children: Vec<&Value> = value["children"].as_array().into_iter().flatten().collect();
    children.sort_by_key(|child| child["value"]["changed"].is_null());
    for child in children.into_iter().take(PARTS) {
        let label = &child["label"];
        if let Some(field) = label["field"].as_str() {
            paths.push(format!("{name}.{field}"));
        } else if let Some(index) = label["index"].as_u64() {
            paths.push(format!("{name}[{index}]"));
        } else if let Some(key) = label["key"].as_str() {
            paths.push(format!("{name}[{key}]"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_its_words_in_the_order_of_the_alphabet() {
        let wanted = json!({"node": 3, "event": null, "path": "a[1]", "control": false});
        let all = ["node", "path", "event", "control"];
        assert_eq!(
            key("/why", &wanted, &all),
            "/why?control=false&node=3&path=a[1]"
        );
        assert_eq!(key("/why", &wanted, &["node"]), "/why?node=3");
        assert_eq!(key("/why", &wanted, &[]), "/why");
    }

    #[test]
    fn paths_begin_with_what_came_out() {
        let shown = json!({
            "outcome": {"returned": {"text": "7"}},
            "this": {"before": {"children": [
                {"label": {"field": "kept"}, "value": {}},
                {"label": {"field": "size"}, "value": {"changed": "changed"}},
            ]}, "after": null},
            "arguments": [{"name": "a", "before": {"children": [{"label": {"index": 2}, "value": {}}]}, "after": null}],
            "statics": [],
            "locals": [{"name": "a", "value": {}}, {"name": "i", "value": {}}],
        });
        let expected = ["return", "this", "this.size", "this.kept", "a", "a[2]", "i"];
        assert_eq!(paths(&shown), expected);
    }
}
