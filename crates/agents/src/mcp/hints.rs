//! What a server says of its own tools. Must never be believed by itself: the protocol calls these hints, from a server
//! that may be wrong or worse.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::Value;

/// What a server says of one of its tools; a tool of which it says nothing changes things and repeats them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// It changes nothing.
    pub read_only: bool,
    /// Called again with the same arguments it changes nothing further.
    pub idempotent: bool,
}

#[derive(Deserialize)]
struct Listed {
    name: String,
    #[serde(default)]
    annotations: Annotations,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Annotations {
    read_only_hint: Option<bool>,
    idempotent_hint: Option<bool>,
}

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    id: Value,
    result: Page,
}

#[derive(Deserialize)]
struct Page {
    tools: Vec<Value>,
}

/// The hints in an answer to the `tools/list` request of that id; `None` when the message is something else.
#[must_use]
pub fn hints(id: &Value, message: &str) -> Option<HashMap<String, Hints>> {
    let answer: Answer = serde_json::from_str(message).ok()?;
    let tools = answer.result.tools;
    let listed = tools
        .into_iter()
        .filter_map(|tool| serde_json::from_value::<Listed>(tool).ok());
    let of = |tool: Listed| {
        let hints = Hints {
            read_only: tool.annotations.read_only_hint == Some(true),
            idempotent: tool.annotations.idempotent_hint == Some(true),
        };
        (tool.name, hints)
    };
    (answer.id == *id).then(|| listed.map(of).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn hints_are_read_tool_by_tool_and_nothing_is_taken_for_granted() {
        let message = json!({"jsonrpc": "2.0", "id": 4, "result": {"tools": [
            {"name": "look", "annotations": {"readOnlyHint": true}},
            {"name": "set", "annotations": {"idempotentHint": true, "readOnlyHint": false}},
            {"name": "book", "annotations": null},
            {"name": "odd", "annotations": {"readOnlyHint": "yes"}},
            {"name": "bare"}
        ]}});
        let read = hints(&json!(4), &message.to_string()).unwrap();
        assert!(read["look"].read_only && !read["look"].idempotent);
        assert!(read["set"].idempotent && !read["set"].read_only);
        assert_eq!(read["bare"], Hints::default());
        assert!(!read.contains_key("odd"));
    }

    #[test]
    fn another_answer_is_no_list() {
        let message = json!({"id": 4, "result": {"tools": []}}).to_string();
        assert_eq!(hints(&json!(5), &message), None);
        assert_eq!(hints(&json!(4), r#"{"id":4,"result":{}}"#), None);
    }
}
