//! Answers in the server's place. A call that is not passed on is answered by a result that the model can read and react
//! to, never by a protocol error: the protocol worked.

use serde_json::{Value, json};

use super::Era;

/// Where the result of a repeated call says so, for programs.
const REPLAYED: &str = "replygate/replayed";

/// An answer to the request of that id.
#[must_use]
pub fn result(id: &Value, result: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

/// A protocol error; `id` is null where the request has none that can be read.
#[must_use]
pub fn error(id: &Value, code: i64, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

/// The result of a call that was not carried out and that the model must not take for done.
#[must_use]
pub fn refusal(era: Era, text: &str) -> Value {
    let result = json!({ "content": [{ "type": "text", "text": text }], "isError": true });
    complete(era, result)
}

/// The first call's result, as the result of one that was not carried out again. What a program reads in it is unchanged;
/// the note is for the model.
#[must_use]
pub fn replay(era: Era, first: &Value, action: &str, age_ms: u64, note: &str) -> Value {
    let mut result = if is_tool_result(first) {
        first.clone()
    } else {
        told(first)
    };
    let said = json!({ "type": "text", "text": note });
    match result["content"].as_array_mut() {
        Some(content) => content.push(said),
        None => result["content"] = json!([said]),
    }
    if !result["_meta"].is_object() {
        result["_meta"] = json!({});
    }
    result["_meta"][REPLAYED] = json!({ "first": action, "done_seconds_ago": age_ms / 1_000 });
    complete(era, result)
}

/// Whether it was a server of this protocol that answered so.
fn is_tool_result(first: &Value) -> bool {
    first["content"].is_array()
        || first["structuredContent"].is_object()
        || first["task"].is_object()
}

/// The result of another kind of call, or of one that a person settled.
fn told(first: &Value) -> Value {
    match first {
        Value::Null => json!({}),
        Value::Object(_) => json!({
            "content": [{ "type": "text", "text": first.to_string() }],
            "structuredContent": first,
        }),
        other => json!({ "content": [{ "type": "text", "text": other.to_string() }] }),
    }
}

/// Results say since 2026-07-28 of which kind they are; the first one may be of another revision.
fn complete(era: Era, mut result: Value) -> Value {
    match era {
        Era::Stateless => result["resultType"] = json!("complete"),
        Era::Sessions => {
            if let Some(result) = result.as_object_mut() {
                result.remove("resultType");
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replayed_result_is_the_first_with_a_note() {
        let first = json!({
            "content": [{"type": "text", "text": "booked"}],
            "structuredContent": {"event": 7},
            "isError": false,
            "_meta": {"k": 1},
        });
        let again = replay(Era::Stateless, &first, "act_1", 12_300, "Already done.");
        assert_eq!(again["content"][0], first["content"][0]);
        assert_eq!(again["content"][1]["text"], "Already done.");
        assert_eq!(again["structuredContent"], first["structuredContent"]);
        assert_eq!(again["resultType"], "complete");
        assert_eq!(again["_meta"]["k"], 1);
        assert_eq!(again["_meta"][REPLAYED]["done_seconds_ago"], 12);
    }

    #[test]
    fn a_result_of_one_revision_fits_a_client_of_another() {
        let first = json!({"content": [], "resultType": "complete"});
        assert!(
            replay(Era::Sessions, &first, "a", 0, "n")
                .get("resultType")
                .is_none()
        );
        let bare = json!({"structuredContent": {}});
        assert_eq!(
            replay(Era::Sessions, &bare, "a", 0, "n")["content"][0]["text"],
            "n"
        );
        let other = replay(Era::Sessions, &json!([1]), "a", 0, "n");
        assert_eq!(other["content"][0]["text"], "[1]");
    }

    #[test]
    fn what_another_kind_of_call_brought_is_told_in_words_and_for_programs() {
        let first = json!({"event": 7});
        let again = replay(Era::Sessions, &first, "a", 0, "n");
        assert_eq!(again["content"][0]["text"], first.to_string());
        assert_eq!(again["content"][1]["text"], "n");
        assert_eq!(again["structuredContent"], first);
        let nothing = replay(Era::Sessions, &Value::Null, "a", 0, "n");
        assert_eq!(nothing["content"].as_array().unwrap().len(), 1);
    }

    #[test]
    fn a_refusal_is_an_error_that_the_model_reads() {
        let refused = refusal(Era::Stateless, "not again");
        assert_eq!(refused["isError"], true);
        assert_eq!(refused["content"][0]["text"], "not again");
        assert!(refusal(Era::Sessions, "no").get("resultType").is_none());
    }
}
