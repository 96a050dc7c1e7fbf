//! Reads what comes in on a generic channel. Pure: bytes in, [`Inbound`] or a reason out.

mod transcript;

use replygate_gate::debounce::MessageKind;
use replygate_gate::{At, ReplyId, SessionKey};
use replygate_ports::channel::Inbound;
use serde_json::Value;

use crate::malformed::{Fields, Malformed, Names, class, wrong};
use transcript::{awaits_ms, edit};

const FIELDS: Names = &[
    "message_id",
    "contact",
    "conversation",
    "account",
    "kind",
    "text",
    "sent_at",
    "edited_at",
    "reaction_to",
    "transcript_within_ms",
];

/// Reads the body `{"message_id", "contact", "text"}` with optional `conversation` (the contact, when missing),
/// `account` (empty), `kind` (`text`, `media`, `voice`, `reaction` or `transcript`), `sent_at`, `edited_at`, `reaction_to`
/// and `transcript_within_ms`.
///
/// A `transcript` is the text of the voice message with the same `message_id`.
/// `transcript_within_ms`, with a voice message, says that its transcript comes within so many milliseconds.
/// Identifiers are strings of 1 to 256 bytes without control characters. `text` may be missing or empty except for
/// `text`; a reaction without it was taken away. `reaction_to` is the `reply_id` or `webhook-id` of the reply that a
/// reaction was put on; what it was put on is not ours when it is another name or missing. Times are RFC 3339 strings or whole milliseconds since 1970. `edited_at` makes it an edit of the
/// message with the same `message_id`. A null counts as missing; an unknown field is an error, because it is most likely
/// a misspelt one whose value would be lost.
pub fn parse(channel_id: &str, raw_body: &[u8]) -> Result<Inbound, Malformed> {
    let mut fields = Fields::read(raw_body, FIELDS)?;
    let provider_id = fields.id("message_id")?;
    let contact = fields.id("contact")?;
    let conversation = fields
        .optional_id("conversation")?
        .unwrap_or_else(|| contact.clone());
    let account = fields.optional_id("account")?.unwrap_or_default();
    let (kind, is_transcript) = kind(fields.take("kind"))?;
    let may_be_empty = kind.may_be_empty() && !is_transcript;
    let text = text(fields.take("text"), may_be_empty)?;
    let sent_at = time("sent_at", fields.take("sent_at"))?;
    let edited_at = time("edited_at", fields.take("edited_at"))?;
    let edit = edit(edited_at, is_transcript)?;
    let reaction_to = reaction_to(fields.optional_id("reaction_to")?, kind)?;
    let waits = kind == MessageKind::Voice && edit.is_none() && text.is_empty();
    let awaits_ms = awaits_ms(fields.take("transcript_within_ms"), waits)?;
    let key = SessionKey {
        channel: channel_id.to_owned(),
        account,
        conversation,
        contact,
    };
    Ok(Inbound {
        key,
        provider_id,
        kind,
        text,
        sent_at,
        edit,
        reaction_to,
        awaits_ms,
    })
}

/// The kind, and whether the message is a transcript of an earlier one.
fn kind(value: Option<Value>) -> Result<(MessageKind, bool), Malformed> {
    const ALLOWED: &str = "text, media, voice, reaction, transcript";
    match value {
        None => Ok((MessageKind::Text, false)),
        Some(Value::String(word)) if word == "transcript" => Ok((MessageKind::Voice, true)),
        Some(Value::String(word)) => {
            let kind = word.parse();
            kind.map(|kind| (kind, false))
                .map_err(|_| wrong("kind", "another word", ALLOWED))
        }
        Some(other) => Err(wrong("kind", class(&other), ALLOWED)),
    }
}

fn text(value: Option<Value>, may_be_empty: bool) -> Result<String, Malformed> {
    const ALLOWED: &str =
        "a string; it may be missing or empty only with kind media, voice or reaction";
    match value {
        Some(Value::String(text)) if !text.is_empty() || may_be_empty => Ok(text),
        Some(Value::String(_)) => Err(wrong("text", "an empty string", ALLOWED)),
        Some(other) => Err(wrong("text", class(&other), ALLOWED)),
        None if may_be_empty => Ok(String::new()),
        None => Err(wrong("text", "missing", ALLOWED)),
    }
}

/// The reply that a reaction was put on: by its id, or by the `webhook-id` under which a part of it was delivered.
fn reaction_to(name: Option<String>, kind: MessageKind) -> Result<Option<ReplyId>, Malformed> {
    let Some(name) = name else { return Ok(None) };
    if kind != MessageKind::Reaction {
        return Err(wrong(
            "reaction_to",
            "set",
            "nothing, except with kind reaction",
        ));
    }
    let reply = name
        .split_once(':')
        .map_or(name.as_str(), |(reply, _)| reply);
    Ok(reply.parse().ok())
}

/// 1973 in milliseconds: a smaller number is most likely in seconds, and would make every message decades late.
const LEAST_MS: i64 = 100_000_000_000;
/// The end of the year 9999.
const MOST_MS: i64 = 253_402_300_799_999;

fn time(field: &'static str, value: Option<Value>) -> Result<Option<At>, Malformed> {
    const ALLOWED: &str =
        "a time such as \"2026-01-31T12:00:00Z\" (RFC 3339), or whole milliseconds since 1970";
    let ms = match value {
        None => return Ok(None),
        Some(Value::String(text)) => text
            .parse::<jiff::Timestamp>()
            .map(jiff::Timestamp::as_millisecond)
            .map_err(|_| wrong(field, "a string that is no RFC 3339 time", ALLOWED))?,
        Some(Value::Number(number)) => number
            .as_i64()
            .ok_or_else(|| wrong(field, "not a whole number of milliseconds", ALLOWED))?,
        Some(other) => return Err(wrong(field, class(&other), ALLOWED)),
    };
    if !(LEAST_MS..=MOST_MS).contains(&ms) {
        return Err(wrong(
            field,
            "a time before 1973 or after 9999, such as seconds in place of milliseconds",
            ALLOWED,
        ));
    }
    Ok(Some(At(ms)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn parsed(body: &Value) -> Result<Inbound, Malformed> {
        parse("shop", body.to_string().as_bytes())
    }

    fn refused(body: &Value) -> String {
        parsed(body).unwrap_err().to_string()
    }

    #[test]
    fn the_shortest_body_is_a_direct_chat() {
        let inbound = parsed(&json!({"message_id": "m1", "contact": "c1", "text": "oi"})).unwrap();
        let key = SessionKey {
            channel: "shop".into(),
            account: String::new(),
            conversation: "c1".into(),
            contact: "c1".into(),
        };
        let expected = Inbound {
            key,
            provider_id: "m1".into(),
            kind: MessageKind::Text,
            text: "oi".into(),
            sent_at: None,
            edit: None,
            reaction_to: None,
            awaits_ms: None,
        };
        assert_eq!(inbound, expected);
    }

    #[test]
    fn every_optional_field_is_read() {
        let inbound = parsed(&json!({
            "message_id": "m1", "contact": "c1", "conversation": "g1", "account": "5511", "kind": "voice",
            "sent_at": "2023-11-14T19:13:20-03:00", "edited_at": 1_700_000_004_000_i64,
        }))
        .unwrap();
        assert_eq!(
            (
                inbound.key.conversation.as_str(),
                inbound.key.account.as_str()
            ),
            ("g1", "5511")
        );
        assert_eq!(
            (inbound.kind, inbound.text.as_str()),
            (MessageKind::Voice, "")
        );
        assert_eq!(
            (inbound.sent_at, inbound.edit),
            (Some(At(1_700_000_000_000)), Some(1_700_000_004_000))
        );
    }

    #[test]
    fn a_reaction_names_the_reply_by_its_id_or_by_what_it_was_delivered_as() {
        let on = |name: &str| {
            let body = json!({
                "message_id": "m", "contact": "c", "kind": "reaction", "text": "👍", "reaction_to": name,
            });
            parsed(&body).unwrap().reaction_to
        };
        let reply = ReplyId(7);
        assert_eq!(on(&reply.to_string()), Some(reply));
        assert_eq!(on(&format!("{reply}:1")), Some(reply));
        assert_eq!(on("wamid.77"), None, "not one of ours");
        let taken_away = json!({"message_id": "m", "contact": "c", "kind": "reaction"});
        assert_eq!(parsed(&taken_away).unwrap().text, "");
    }

    #[test]
    fn null_counts_as_missing() {
        let body = json!({"message_id": "m", "contact": "c", "text": "a", "conversation": null, "sent_at": null});
        assert!(parsed(&body).is_ok());
    }

    #[test]
    fn texts_come_through_as_they_are() {
        let text = "a\u{0}b\u{200F}\n \u{1F44D}\u{1F3FD} ";
        let inbound = parsed(&json!({"message_id": "m", "contact": "c", "text": text})).unwrap();
        assert_eq!(inbound.text, text);
    }

    #[test]
    fn a_refusal_names_field_class_and_what_is_allowed() {
        let id = "a string of 1 to 256 bytes without control characters";
        let text = "a string; it may be missing or empty only with kind media, voice or reaction";
        let time =
            "a time such as \"2026-01-31T12:00:00Z\" (RFC 3339), or whole milliseconds since 1970";
        let late = "a time before 1973 or after 9999, such as seconds in place of milliseconds";
        let cases = [
            (
                json!({"contact": "c", "text": "a"}),
                "message_id",
                "missing",
                id,
            ),
            (
                json!({"message_id": 7, "contact": "c", "text": "a"}),
                "message_id",
                "a number",
                id,
            ),
            (
                json!({"message_id": "", "contact": "c", "text": "a"}),
                "message_id",
                "an empty string",
                id,
            ),
            (
                json!({"message_id": "m", "contact": "a\nb", "text": "a"}),
                "contact",
                "a string with control characters",
                id,
            ),
            (
                json!({"message_id": "m", "contact": "c".repeat(257), "text": "a"}),
                "contact",
                "a string of more than 256 bytes",
                id,
            ),
            (
                json!({"message_id": "m", "contact": "c"}),
                "text",
                "missing",
                text,
            ),
            (
                json!({"message_id": "m", "contact": "c", "text": ""}),
                "text",
                "an empty string",
                text,
            ),
            (
                json!({"message_id": "m", "contact": "c", "text": ["a"]}),
                "text",
                "a list",
                text,
            ),
            (
                json!({"message_id": "m", "contact": "c", "kind": "sticker"}),
                "kind",
                "another word",
                "text, media, voice, reaction, transcript",
            ),
            (
                json!({"message_id": "m", "contact": "c", "text": "a", "reaction_to": "r"}),
                "reaction_to",
                "set",
                "nothing, except with kind reaction",
            ),
            (
                json!({"message_id": "m", "contact": "c", "text": "a", "sent_at": "yesterday"}),
                "sent_at",
                "a string that is no RFC 3339 time",
                time,
            ),
            (
                json!({"message_id": "m", "contact": "c", "text": "a", "sent_at": 1_700_000_000}),
                "sent_at",
                late,
                time,
            ),
            (
                json!({"message_id": "m", "contact": "c", "text": "a", "sent_at": 1.5}),
                "sent_at",
                "not a whole number of milliseconds",
                time,
            ),
        ];
        for (body, field, found, allowed) in cases {
            assert_eq!(
                refused(&body),
                format!("`{field}` is {found}, allowed: {allowed}")
            );
        }
    }

    #[test]
    fn an_unknown_field_is_named_with_the_known_ones() {
        let body =
            json!({"message_id": "m", "contact": "c", "text": "a", "mesage": "secret words"});
        assert_eq!(
            refused(&body),
            "`mesage` is no field of the body, allowed: message_id, contact, conversation, account, kind, text, \
             sent_at, edited_at, reaction_to, transcript_within_ms"
        );
    }

    #[test]
    fn what_is_no_object_is_refused_with_its_place() {
        assert_eq!(
            parse("shop", b"{\"text\": x").unwrap_err(),
            Malformed::Syntax {
                line: 1,
                column: 10
            }
        );
        assert_eq!(
            parse("shop", b"[]").unwrap_err().to_string(),
            "the body is a list, allowed: an object"
        );
        assert!(matches!(
            parse("shop", b"{\"text\":\"\xff\"}").unwrap_err(),
            Malformed::Syntax { .. }
        ));
        assert!(matches!(
            parse("shop", b"").unwrap_err(),
            Malformed::Syntax { .. }
        ));
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(body: Vec<u8>) {
            let _ = parse("shop", &body);
        }

        #[test]
        fn no_refusal_repeats_the_words(word in "[a-z]{12}", field in 0..10usize) {
            let mut body = json!({"message_id": "m", "contact": "c", "text": word.clone()});
            body[FIELDS[field]] = json!([word.clone()]);
            if let Err(error) = parsed(&body) {
                prop_assert!(!error.to_string().contains(&word));
            }
        }

        #[test]
        fn identifiers_and_texts_survive(id in "[^\\p{Cc}]{1,40}", contact in "[^\\p{Cc}]{1,40}", text in "(?s).{1,80}") {
            let inbound = parsed(&json!({"message_id": id.clone(), "contact": contact.clone(), "text": text.clone()})).unwrap();
            prop_assert_eq!((inbound.provider_id, inbound.key.contact, inbound.text), (id, contact, text));
        }
    }
}
