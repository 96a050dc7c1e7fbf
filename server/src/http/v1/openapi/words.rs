//! What the document says in words, and what every operation may answer.

use serde_json::{Value, json};

use super::reference;

pub(super) const ABOUT: &str = "Times are milliseconds since 1970 in UTC. Identifiers are opaque texts. Lists are bounded; `next` is where \
     one goes on, and null at its end. Every deed is recorded with who did it; a `request_id` makes it safe to send again.";

pub(super) const TOKEN: &str = "Made by `replygate token create --scope operate` or `--scope actions`, and seen once. `operate` may read, \
     act and lock; `actions` may ask before a tool is called.";

pub(super) fn tags() -> Value {
    json!([
        { "name": "sessions", "description": "Conversations with one person each, and what is open in them." },
        { "name": "replies", "description": "Answers on their way, and those that wait for a person." },
        { "name": "actions", "description": "For agents elsewhere: ask before a tool with an effect is called, tell how it ended." },
        { "name": "people", "description": "Erasing a person." },
    ])
}

/// What stands in the path.
pub(super) fn path_schema(name: &str) -> Value {
    let id = |prefix: &str| json!({ "type": "string", "pattern": format!("^{prefix}_") });
    match name {
        "session" => id("ses"),
        "reply" => id("rep"),
        "action" => id("act"),
        _ => json!({ "type": "string" }),
    }
}

type Answer = (u16, &'static str, Value);

/// What every operation may answer that is asked wrongly or at a bad time, and these besides.
pub(in crate::http::v1) fn failures(besides: &[(u16, &'static str)]) -> Vec<Answer> {
    let always = [
        (401, "There is no valid token."),
        (403, "The token is for something else."),
        (503, "The store cannot answer now; nothing was changed."),
    ];
    let all = always.iter().chain(besides);
    all.map(|(status, when)| (*status, *when, reference("Failure")))
        .collect()
}
