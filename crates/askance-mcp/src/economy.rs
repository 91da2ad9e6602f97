//! An agent reads through a small window, and pays for every word in it: the list of tools says what a tool takes
//! in as few words as that needs, and nothing that a tool gives is sent twice.

use std::sync::Arc;

use rmcp::model::{CallToolResult, ContentBlock, JsonObject, ProtocolVersion, Tool};
use serde_json::{Map, Value, json};

/// What a schema says beside what an agent has to know: for whom it was written, how a number is stored.
const NEEDLESS: [&str; 3] = ["$schema", "title", "format"];

/// A tool as it is listed. What it gives is told by its names, and by its description; a schema of it would be longer
/// than most of what it gives.
pub(super) fn listed(tool: Tool) -> Tool {
    let mut tool = tool;
    let mut input = Value::Object((*tool.input_schema).clone());
    shorten(&mut input);
    if let Value::Object(input) = input {
        tool.input_schema = Arc::new(input);
    }
    tool.output_schema = Some(Arc::new(any_object()));
    tool
}

fn any_object() -> JsonObject {
    let mut object = Map::new();
    object.insert("type".to_owned(), json!("object"));
    object
}

fn shorten(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            let is_schema = object.contains_key("type") || object.contains_key("$schema");
            if is_schema {
                NEEDLESS.iter().for_each(|name| drop(object.remove(*name)));
                if object.get("minimum") == Some(&json!(0)) {
                    object.remove("minimum");
                }
                if object.get("default").is_some_and(Value::is_null) {
                    object.remove("default");
                }
                // What may be left out need not be null.
                if let Some(Value::Array(types)) = object.get("type")
                    && let [kind, Value::String(null)] = &types[..]
                    && null == "null"
                {
                    let kind = kind.clone();
                    object.insert("type".to_owned(), kind);
                }
            }
            object.values_mut().for_each(shorten);
        }
        Value::Array(values) => values.iter_mut().for_each(shorten),
        _ => {}
    }
}

/// What a tool gives, once: as data for clients that know such data, as text for older ones.
pub(super) fn once(
    mut result: CallToolResult,
    protocol: Option<&ProtocolVersion>,
) -> CallToolResult {
    let knows_data = protocol.is_some_and(|version| *version >= ProtocolVersion::V_2025_06_18);
    if knows_data {
        if let Some(data) = &result.structured_content {
            result.content = vec![ContentBlock::text(headline(data))];
        }
    } else {
        result.structured_content = None;
    }
    result
}

/// What there is, in one line that is not in the data.
fn headline(data: &Value) -> String {
    let Some(state) = data.get("state").and_then(Value::as_str) else {
        return "see the structured content".to_owned();
    };
    let number = |name: &str| data.get(name).and_then(Value::as_u64).unwrap_or_default();
    let (session, revision) = (number("session"), number("revision"));
    let what = match state {
        "question" => "a question is open",
        "found" => "the call to blame is found",
        "found_method" => "the method to blame is found",
        "suspects" => "some suspects are left",
        _ => inquiry::finding::NO_CALL_LEFT,
    };
    format!("session {session}, revision {revision}: {what}; see the structured content")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_lose_what_nobody_needs() {
        let mut schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "PageWanted",
            "type": "object",
            "properties": {
                "from": {"type": "integer", "format": "uint", "minimum": 0, "default": 0},
                "title": {"type": ["string", "null"], "description": "A title."},
            },
        });
        shorten(&mut schema);
        assert_eq!(
            schema,
            json!({
                "type": "object",
                "properties": {
                    "from": {"type": "integer", "default": 0},
                    "title": {"type": "string", "description": "A title."},
                },
            })
        );
    }

    #[test]
    fn a_result_is_sent_once() {
        let data = json!({"state": "found", "session": 1, "revision": 7, "found": "#3 merge"});
        let result = CallToolResult::structured(data.clone());
        let new = once(result.clone(), Some(&ProtocolVersion::V_2025_06_18));
        assert_eq!(new.structured_content, Some(data));
        let text = new.content[0].as_text().map(|text| text.text.clone());
        assert_eq!(
            text.as_deref(),
            Some("session 1, revision 7: the call to blame is found; see the structured content")
        );
        let old = once(result, Some(&ProtocolVersion::V_2024_11_05));
        assert_eq!(old.structured_content, None);
        assert!(
            old.content[0]
                .as_text()
                .is_some_and(|text| text.text.contains("#3 merge"))
        );
    }
}
