//! Reads what the page posts: JSON from its script, a form where there is none. Pure.

use replygate_gate::debounce::MessageKind;
use replygate_ports::channel::Inbound;
use serde_json::Value;

use super::page::TEXT_CHARS;
use super::visitor::Visitor;
use crate::malformed::{Fields, Malformed, Names, class, wrong};

const FIELDS: Names = &["id", "text"];
const TYPES: &str = "application/json, application/x-www-form-urlencoded";
const TEXT_ALLOWED: &str = "a string of 1 to 10000 characters, not only blanks";

/// Reads `{"id", "text"}` as JSON or as a form, whichever `content_type` says.
///
/// `id` is the page's own id of the message, 1 to 256 bytes without control characters: the same message posted again
/// has the same id. `text` is 1 to 10,000 characters and not only blanks; a form's line ends become `\n`.
pub fn parse(
    channel_id: &str,
    visitor: &Visitor,
    content_type: Option<&str>,
    raw_body: &[u8],
) -> Result<Inbound, Malformed> {
    let mut fields = match media_type(content_type).as_str() {
        "application/json" => Fields::read(raw_body, FIELDS)?,
        "application/x-www-form-urlencoded" => Fields::read(&json_of_form(raw_body), FIELDS)?,
        _ => return Err(Malformed::ContentType { allowed: TYPES }),
    };
    let provider_id = fields.id("id")?;
    let text = text(fields.take("text"))?;
    Ok(Inbound {
        key: visitor.key(channel_id),
        provider_id,
        kind: MessageKind::Text,
        text,
        sent_at: None,
        edit: None,
        reaction_to: None,
        awaits_ms: None,
    })
}

fn media_type(content_type: Option<&str>) -> String {
    let whole = content_type.unwrap_or_default();
    whole
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase()
}

fn json_of_form(raw_body: &[u8]) -> Vec<u8> {
    let fields = form_urlencoded::parse(raw_body)
        .map(|(name, value)| {
            (
                name.into_owned(),
                Value::String(value.replace("\r\n", "\n")),
            )
        })
        .collect();
    Value::Object(fields).to_string().into_bytes()
}

fn text(value: Option<Value>) -> Result<String, Malformed> {
    match value {
        Some(Value::String(text)) if text.trim().is_empty() => {
            Err(wrong("text", "an empty string", TEXT_ALLOWED))
        }
        Some(Value::String(text)) if text.chars().count() > TEXT_CHARS => {
            Err(wrong("text", "a longer string", TEXT_ALLOWED))
        }
        Some(Value::String(text)) => Ok(text),
        Some(other) => Err(wrong("text", class(&other), TEXT_ALLOWED)),
        None => Err(wrong("text", "missing", TEXT_ALLOWED)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const JSON: Option<&str> = Some("application/json; charset=utf-8");
    const FORM: Option<&str> = Some("application/x-www-form-urlencoded");

    fn visitor() -> Visitor {
        "000000000000000000000000000000ab".parse().unwrap()
    }

    fn read(content_type: Option<&str>, body: &str) -> Result<Inbound, Malformed> {
        parse("shop", &visitor(), content_type, body.as_bytes())
    }

    #[test]
    fn script_and_form_say_the_same() {
        let inbound = read(JSON, r#"{"id":"k1","text":"olá,\ntudo bem?"}"#).unwrap();
        assert_eq!(
            inbound,
            read(FORM, "id=k1&text=ol%C3%A1%2C%0D%0Atudo+bem%3F").unwrap()
        );
        assert_eq!(
            (inbound.provider_id.as_str(), inbound.text.as_str()),
            ("k1", "olá,\ntudo bem?")
        );
        assert_eq!(inbound.key.contact, visitor().contact());
        assert!(!inbound.key.is_group());
    }

    #[test]
    fn a_refusal_says_what_is_allowed() {
        let long = format!(r#"{{"id":"k","text":"{}"}}"#, "é".repeat(TEXT_CHARS + 1));
        for (content_type, body, expected) in [
            (
                JSON,
                r#"{"id":"k","text":" \n"}"#,
                format!("`text` is an empty string, allowed: {TEXT_ALLOWED}"),
            ),
            (
                JSON,
                r#"{"id":"k"}"#,
                format!("`text` is missing, allowed: {TEXT_ALLOWED}"),
            ),
            (
                JSON,
                &long,
                format!("`text` is a longer string, allowed: {TEXT_ALLOWED}"),
            ),
            (
                FORM,
                "id=k&text=a&to=b",
                "`to` is no field of the body, allowed: id, text".to_owned(),
            ),
            (
                Some("text/plain"),
                "hi",
                format!("the content type is not known, allowed: {TYPES}"),
            ),
            (
                None,
                "hi",
                format!("the content type is not known, allowed: {TYPES}"),
            ),
        ] {
            assert_eq!(read(content_type, body).unwrap_err().to_string(), expected);
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(body: Vec<u8>, as_form: bool) {
            let _ = parse("shop", &visitor(), if as_form { FORM } else { JSON }, &body);
        }

        #[test]
        fn a_form_carries_any_text(text in "[^\\p{Cc}\\s]{1,40}") {
            let body = form_urlencoded::Serializer::new(String::new())
                .append_pair("id", "k")
                .append_pair("text", &text)
                .finish();
            prop_assert_eq!(read(FORM, &body).unwrap().text, text);
        }
    }
}
