//! Voice messages whose words come later. Must never take a number for a promise that none was made for.

use replygate_gate::At;
use replygate_ports::channel::TRANSCRIPT;
use serde_json::Value;

use crate::malformed::{Malformed, class, wrong};

/// The number of an edit; a message has one transcript, so that its time tells nothing.
pub(super) fn edit(edited_at: Option<At>, is_transcript: bool) -> Result<Option<i64>, Malformed> {
    match edited_at {
        Some(_) if is_transcript => Err(wrong("edited_at", "set", "nothing with kind transcript")),
        None if is_transcript => Ok(Some(TRANSCRIPT)),
        edited_at => Ok(edited_at.map(|at| at.0)),
    }
}

/// The longest wait for a transcript: what a channel may wait for anything, in milliseconds.
const LONGEST_WAIT_MS: u64 = 120_000;

/// How long the transcript of a message that `waits` for one is waited for.
pub(super) fn awaits_ms(value: Option<Value>, waits: bool) -> Result<Option<u64>, Malformed> {
    const FIELD: &str = "transcript_within_ms";
    const ALLOWED: &str = "1 to 120000 milliseconds, for a new voice message without text";
    let Some(value) = value else { return Ok(None) };
    if !waits {
        return Err(wrong(FIELD, "set", ALLOWED));
    }
    let number = match &value {
        Value::Number(number) => number.as_u64(),
        other => return Err(wrong(FIELD, class(other), ALLOWED)),
    };
    number
        .filter(|ms| (1..=LONGEST_WAIT_MS).contains(ms))
        .map(Some)
        .ok_or_else(|| wrong(FIELD, "another number", ALLOWED))
}

#[cfg(test)]
mod tests {
    use replygate_gate::debounce::MessageKind;
    use replygate_ports::channel::Inbound;
    use serde_json::json;

    use super::*;
    use crate::generic::parse::parse;

    fn parsed(body: &Value) -> Result<Inbound, Malformed> {
        parse("shop", body.to_string().as_bytes())
    }

    fn refused(body: &Value) -> String {
        parsed(body).unwrap_err().to_string()
    }

    #[test]
    fn a_transcript_is_an_edit_of_a_voice_message_that_may_announce_it() {
        let note = json!({"message_id": "m", "contact": "c", "kind": "voice", "transcript_within_ms": 9_000});
        let note = parsed(&note).unwrap();
        assert_eq!((note.edit, note.awaits_ms), (None, Some(9_000)));
        let body = json!({"message_id": "m", "contact": "c", "kind": "transcript", "text": "olá"});
        let transcript = parsed(&body).unwrap();
        assert_eq!(
            (transcript.kind, transcript.text.as_str()),
            (MessageKind::Voice, "olá")
        );
        assert_eq!(
            (transcript.edit, transcript.awaits_ms),
            (Some(TRANSCRIPT), None)
        );
        let body = json!({"message_id": "m", "contact": "c", "kind": "transcript"});
        assert!(refused(&body).starts_with("`text` is missing"));
    }

    #[test]
    fn what_says_nothing_of_a_transcript_is_refused() {
        let allowed = "1 to 120000 milliseconds, for a new voice message without text";
        for (kind, text, within, found) in [
            ("voice", "oi", json!(9_000), "set"),
            ("media", "", json!(9_000), "set"),
            ("transcript", "oi", json!(9_000), "set"),
            ("voice", "", json!(0), "another number"),
            ("voice", "", json!(120_001), "another number"),
            ("voice", "", json!(1.5), "another number"),
            ("voice", "", json!("9 s"), "a string"),
        ] {
            let body = json!({
                "message_id": "m", "contact": "c", "kind": kind, "text": text, "transcript_within_ms": within,
            });
            let expected = format!("`transcript_within_ms` is {found}, allowed: {allowed}");
            assert_eq!(refused(&body), expected);
        }
        let edited = json!({
            "message_id": "m", "contact": "c", "kind": "transcript", "text": "oi", "edited_at": 1_700_000_000_000_i64,
        });
        assert_eq!(
            refused(&edited),
            "`edited_at` is set, allowed: nothing with kind transcript"
        );
    }
}
