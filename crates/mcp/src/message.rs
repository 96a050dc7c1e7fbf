//! What a posted message asks for. Must never be laxer than the server behind: what two parsers could read in two ways is
//! refused, or a call could pass the guard as something else.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// A call of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The request's id: a string or a number.
    pub id: Value,
    /// The tool's name on its server.
    pub tool: String,
    /// Its arguments; an empty object when there are none.
    pub arguments: Value,
    /// What the client says about the request, such as for whom it is.
    pub meta: Value,
}

/// What a posted message asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Posted {
    /// To call a tool.
    Call(Call),
    /// To give a request up that is under way; its id.
    Cancel(Value),
    /// To list the tools; the request's id.
    List(Value),
    /// Anything else: a request, a notification, an answer to the server. The method, where there is one.
    Other(Option<String>),
    /// Several messages at once, as the revision 2025-03-26 has it, without a call among them.
    Batch,
}

/// A body is no message that can be passed on.
#[derive(Debug, thiserror::Error)]
pub enum NotMcp {
    /// It is no JSON, or has a member twice.
    #[error("the body is no JSON-RPC message: {0}")]
    Malformed(#[from] serde_json::Error),
    /// A call that nobody could answer.
    #[error("a tools/call needs an id that is a string or a number")]
    NoId,
    /// A call among other messages.
    #[error("a tools/call among other messages cannot be guarded; send it on its own")]
    CallInBatch,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(default)]
    id: Value,
    #[serde(default)]
    method: Option<String>,
    #[serde(borrow, default)]
    params: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct CallParams {
    name: String,
    #[serde(default)]
    arguments: Option<Value>,
    #[serde(default, rename = "_meta")]
    meta: Value,
}

#[derive(Deserialize)]
struct CancelParams {
    #[serde(rename = "requestId")]
    request: Value,
}

/// Reads a posted body.
pub fn read(body: &[u8]) -> Result<Posted, NotMcp> {
    if body.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[') {
        return batch(body);
    }
    let envelope: Envelope<'_> = serde_json::from_slice(body)?;
    let has_id = envelope.id.is_string() || envelope.id.is_number();
    match envelope.method.as_deref() {
        Some("tools/call") if !has_id => Err(NotMcp::NoId),
        Some("tools/call") => {
            let params: CallParams = params(&envelope)?;
            Ok(Posted::Call(Call {
                id: envelope.id,
                tool: params.name,
                arguments: params
                    .arguments
                    .unwrap_or_else(|| Value::Object(serde_json::Map::new())),
                meta: params.meta,
            }))
        }
        Some("notifications/cancelled") => {
            let params: CancelParams = params(&envelope)?;
            Ok(Posted::Cancel(params.request))
        }
        Some("tools/list") => Ok(Posted::List(envelope.id)),
        _ => Ok(Posted::Other(envelope.method)),
    }
}

fn params<'a, T: Deserialize<'a>>(envelope: &Envelope<'a>) -> Result<T, serde_json::Error> {
    serde_json::from_str(envelope.params.map_or("null", RawValue::get))
}

fn batch(body: &[u8]) -> Result<Posted, NotMcp> {
    let messages: Vec<Envelope<'_>> = serde_json::from_slice(body)?;
    let is_call = |one: &Envelope<'_>| one.method.as_deref() == Some("tools/call");
    if messages.iter().any(is_call) {
        return Err(NotMcp::CallInBatch);
    }
    Ok(Posted::Batch)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_call_is_read_with_all_that_decides() {
        let body = br#" {"jsonrpc":"2.0","id":"a","method":"tools/call",
            "params":{"name":"book","arguments":{"at":1},"_meta":{"k":2},"more":true}} "#;
        let call = Call {
            id: json!("a"),
            tool: "book".to_owned(),
            arguments: json!({"at": 1}),
            meta: json!({"k": 2}),
        };
        assert_eq!(read(body).unwrap(), Posted::Call(call));
    }

    #[test]
    fn a_call_without_arguments_has_an_empty_object() {
        let body = br#"{"id":1,"method":"tools/call","params":{"name":"now"}}"#;
        let Ok(Posted::Call(call)) = read(body) else {
            panic!("a call");
        };
        assert_eq!((call.arguments, call.meta), (json!({}), Value::Null));
    }

    #[test]
    fn a_member_that_is_there_twice_is_refused_whoever_reads_which() {
        for body in [
            r#"{"id":1,"method":"tools/list","method":"tools/call","params":{"name":"x"}}"#,
            r#"{"id":1,"method":"tools/call","params":{"name":"read","name":"write"}}"#,
            r#"{"id":1,"id":2,"method":"ping"}"#,
        ] {
            assert!(
                matches!(read(body.as_bytes()), Err(NotMcp::Malformed(_))),
                "{body}"
            );
        }
    }

    #[test]
    fn a_call_that_wants_no_answer_is_refused() {
        for body in [
            r#"{"method":"tools/call","params":{"name":"x"}}"#,
            r#"{"id":null,"method":"tools/call","params":{"name":"x"}}"#,
        ] {
            assert!(matches!(read(body.as_bytes()), Err(NotMcp::NoId)), "{body}");
        }
    }

    #[test]
    fn a_call_does_not_hide_among_others() {
        let ping = r#"{"id":1,"method":"ping"}"#;
        let call = r#"{"id":2,"method":"tools/call","params":{"name":"x"}}"#;
        assert_eq!(read(format!("[{ping}]").as_bytes()).unwrap(), Posted::Batch);
        let both = format!("[{ping},{call}]");
        assert!(matches!(read(both.as_bytes()), Err(NotMcp::CallInBatch)));
    }

    #[test]
    fn a_method_spelled_with_escapes_is_the_same_method() {
        let body = br#"{"id":1,"method":"tools\u002fcall","params":{"name":"x"}}"#;
        assert!(matches!(read(body), Ok(Posted::Call(_))));
    }

    #[test]
    fn everything_else_passes_by_name() {
        let body = br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#;
        assert_eq!(
            read(body).unwrap(),
            Posted::Other(Some("initialize".to_owned()))
        );
        assert_eq!(
            read(br#"{"id":1,"result":{}}"#).unwrap(),
            Posted::Other(None)
        );
        let body = br#"{"method":"notifications/cancelled","params":{"requestId":7}}"#;
        assert_eq!(read(body).unwrap(), Posted::Cancel(json!(7)));
        assert_eq!(
            read(br#"{"id":3,"method":"tools/list"}"#).unwrap(),
            Posted::List(json!(3))
        );
    }
}
