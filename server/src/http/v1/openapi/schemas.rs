//! What is sent and answered, by name. The words of statuses and reasons come from the domain, so that the document knows
//! every one.

use replygate_gate::{Author, Decision, DropReason, ParkReason, ReplyStatus, Strategy};
use serde_json::{Map, Value, json};

/// A schema of the document, by its name.
pub(in crate::http::v1) fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// One of these words.
pub(in crate::http::v1) fn one_of<'a>(words: impl IntoIterator<Item = &'a str>) -> Value {
    json!({ "type": "string", "enum": words.into_iter().collect::<Vec<_>>() })
}

/// A page of a list.
pub(in crate::http::v1) fn list_of(name: &str, schema: &str) -> Value {
    closed(&[
        (name, json!({ "type": "array", "items": reference(schema) })),
        (
            "next",
            json!({ "type": ["string", "null"], "description": "Where the list goes on." }),
        ),
    ])
}

/// An object that has these members, all of them.
fn closed(members: &[(&str, Value)]) -> Value {
    object(members, &[])
}

/// An object that has the first members, and may have the others.
fn object(always: &[(&str, Value)], sometimes: &[(&str, Value)]) -> Value {
    let required: Vec<&str> = always.iter().map(|(name, _)| *name).collect();
    let properties: Map<String, Value> = always
        .iter()
        .chain(sometimes)
        .map(|(name, schema)| ((*name).to_owned(), schema.clone()))
        .collect();
    json!({ "type": "object", "required": required, "properties": properties })
}

fn text() -> Value {
    json!({ "type": "string" })
}

fn flag() -> Value {
    json!({ "type": "boolean" })
}

fn whole() -> Value {
    json!({ "type": "integer", "minimum": 0 })
}

fn time() -> Value {
    json!({ "type": "integer", "description": "Milliseconds since 1970." })
}

fn maybe(schema: Value) -> Value {
    let choices = vec![schema, json!({ "type": "null" })];
    json!({ "anyOf": choices })
}

fn many(schema: &Value) -> Value {
    json!({ "type": "array", "items": schema })
}

pub(super) fn all() -> Value {
    json!({
        "Failure": failure(),
        "Session": session(),
        "Conversation": conversation(),
        "State": state(),
        "OpenReply": open_reply(),
        "Message": message(),
        "Reply": reply(),
        "Step": step(),
        "Deed": deed(),
        "Repeated": repeated(),
        "Gone": closed(&[("sessions", whole()), ("messages", whole()), ("replies", whole())]),
        "OnSession": object(&[], &[("reason", text()), ("request_id", text())]),
        "OnReply": object(
            &[("generation", whole())],
            &[("reason", text()), ("request_id", text()), ("override", flag())],
        ),
        "Say": object(&[("text", text())], &[("reason", text()), ("request_id", text())]),
        "Lock": closed(&[("holder", text()), ("lease_ms", whole()), ("ttl_ms", whole())]),
        "Unlock": object(&[], &[("holder", text())]),
        "Whom": object(&[("contact", text())], &[("channel", text())]),
        "Wish": wish(),
        "Leave": leave(),
        "Action": action(),
        "Settled": closed(&[("action", text()), ("state", one_of(["done", "failed", "unknown"])), ("repeated", flag())]),
        "Result": object(&[], &[("result", json!({ "description": "Whatever the tool gave." }))]),
        "Why": object(&[], &[("code", text())]),
    })
}

fn failure() -> Value {
    let running = object(&[], &[("turn", maybe(text())), ("replies", many(&text()))]);
    let first = closed(&[("action", text())]);
    object(
        &[
            (
                "error",
                json!({ "type": "string", "description": "A stable word." }),
            ),
            (
                "message",
                json!({ "type": "string", "description": "For people: what, with its value." }),
            ),
        ],
        &[
            ("allowed", text()),
            ("field", text()),
            ("first", first),
            ("running", running),
        ],
    )
}

fn session() -> Value {
    closed(&[
        ("session", text()),
        ("version", whole()),
        ("channel", text()),
        ("account", text()),
        ("conversation", text()),
        ("contact", text()),
        ("last_activity", time()),
        ("open", flag()),
        ("state", reference("State")),
        ("last_message", maybe(reference("Message"))),
        ("last_reply", maybe(reference("Reply"))),
    ])
}

fn conversation() -> Value {
    let line = json!({ "anyOf": [reference("Message"), reference("Reply")] });
    let more = closed(&[
        (
            "strategy",
            maybe(one_of(Strategy::ALL.iter().map(|word| word.as_str()))),
        ),
        ("conversation_lines", many(&line)),
    ]);
    json!({ "allOf": [reference("Session"), more] })
}

fn state() -> Value {
    let lock = closed(&[
        ("holder", text()),
        ("lease_until", time()),
        ("expires", time()),
    ]);
    let takeover = closed(&[("by", text()), ("since", time())]);
    closed(&[
        ("epoch", whole()),
        ("waiting", many(&text())),
        ("window_due", maybe(time())),
        ("turn", maybe(text())),
        ("lock", maybe(lock)),
        ("takeover", maybe(takeover)),
        ("replies", many(&reference("OpenReply"))),
    ])
}

fn statuses() -> Value {
    one_of(ReplyStatus::ALL.iter().map(|word| word.as_str()))
}

fn park_reasons() -> Value {
    maybe(one_of(ParkReason::ALL.iter().map(|word| word.as_str())))
}

fn open_reply() -> Value {
    closed(&[
        ("reply", text()),
        ("seq", whole()),
        ("status", statuses()),
        ("generation", whole()),
        ("held", flag()),
        ("due_at", time()),
        ("park_reason", park_reasons()),
    ])
}

fn message() -> Value {
    closed(&[
        ("message", text()),
        ("session", text()),
        ("provider_id", text()),
        ("kind", text()),
        ("text", text()),
        ("sent_at", maybe(time())),
        ("received_at", time()),
        ("state", one_of(["waiting", "covered", "dropped"])),
        ("reply", maybe(text())),
        (
            "drop_reason",
            maybe(one_of(DropReason::ALL.iter().map(|word| word.as_str()))),
        ),
        ("edit_of", maybe(text())),
    ])
}

fn reply() -> Value {
    closed(&[
        ("reply", text()),
        ("session", text()),
        ("seq", whole()),
        ("status", statuses()),
        ("generation", whole()),
        ("parts", many(&text())),
        ("parts_sent", whole()),
        ("covers", many(&text())),
        (
            "author",
            one_of(Author::ALL.iter().map(|word| word.as_str())),
        ),
        ("effects", flag()),
        ("created_at", time()),
        ("due_at", time()),
        ("changed_at", time()),
        ("attempts", whole()),
        ("park_reason", park_reasons()),
        ("code", maybe(text())),
        ("superseded_by", maybe(text())),
        ("receipt", maybe(text())),
        ("cut", flag()),
    ])
}

fn step() -> Value {
    let decision = one_of(Decision::ALL.iter().map(|word| word.as_str()));
    let mut event = object(
        &[("event", text())],
        &[("reply", text()), ("decision", decision)],
    );
    // Each kind of event has members of its own.
    event["additionalProperties"] = true.into();
    closed(&[
        ("version", whole()),
        ("at", time()),
        ("actor", text()),
        ("events", many(&event)),
    ])
}

fn deed() -> Value {
    let done = object(
        &[
            ("session", text()),
            ("version", whole()),
            ("events", many(&text())),
            ("repeated", json!({ "const": false })),
        ],
        &[("reply", text())],
    );
    json!({ "anyOf": [done, reference("Repeated")] })
}

fn repeated() -> Value {
    let first = closed(&[
        ("verb", text()),
        ("by", text()),
        ("at", time()),
        ("reply", maybe(text())),
    ]);
    closed(&[
        ("session", text()),
        ("repeated", json!({ "const": true })),
        ("first", first),
    ])
}

fn wish() -> Value {
    object(
        &[
            ("tool", text()),
            ("arguments", json!({ "type": "object" })),
            ("channel", text()),
            ("contact", text()),
        ],
        &[
            ("effect", one_of(["read", "write"])),
            ("account", text()),
            ("conversation", text()),
            ("language", one_of(["en", "pt", "es"])),
        ],
    )
}

fn leave() -> Value {
    let reserved = closed(&[
        ("action", text()),
        ("state", json!({ "const": "reserved" })),
        (
            "key",
            json!({ "type": "string", "description": "For the tool's own service, as its idempotency key." }),
        ),
        ("lease_seconds", whole()),
    ]);
    let first = object(
        &[("action", text()), ("at", time())],
        &[("result", json!({}))],
    );
    let duplicate = closed(&[
        ("action", text()),
        ("state", json!({ "const": "duplicate" })),
        ("first", first.clone()),
        ("note", text()),
    ]);
    let unknown = closed(&[
        ("action", text()),
        ("state", json!({ "const": "unknown" })),
        ("first", first),
        ("note", text()),
    ]);
    let unguarded = closed(&[("state", json!({ "const": "unguarded" }))]);
    json!({ "oneOf": [reserved, duplicate, unknown, unguarded] })
}

fn action() -> Value {
    object(
        &[
            ("action", text()),
            ("state", one_of(["reserved", "done", "failed", "unknown"])),
            ("tool", text()),
            ("channel", text()),
            ("contact", text()),
            ("reserved_at", time()),
        ],
        &[
            ("settled_at", time()),
            ("result", json!({})),
            ("code", text()),
            ("lease_seconds", whole()),
        ],
    )
}
