//! What a posted message asks for. Must never be laxer than the server behind: what two parsers could read in two ways is
//! refused, or a call could pass the guard as something else.

mod members;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use members::Members;

/// The longest name of a tool, in bytes: longer than any that the protocol advises.
const LONGEST_NAME: usize = 128;

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
    /// It is no JSON, or not of the form that the protocol says.
    #[error("the body is no JSON-RPC message: {0}")]
    Malformed(#[from] serde_json::Error),
    /// A member is there twice, or in another spelling: two servers could read two messages.
    #[error("the member `{0}` is there twice or in another spelling, allowed: once, spelt so")]
    Ambiguous(&'static str),
    /// A call that nobody could answer.
    #[error("a tools/call needs an id that is a string or a number")]
    NoId,
    /// A call of nothing that a tool is called.
    #[error("the tool's name is empty or too long, allowed: 1 to {LONGEST_NAME} bytes")]
    Name,
    /// A call whose arguments have no names.
    #[error("the arguments are no object, allowed: an object")]
    Arguments,
    /// A call among other messages.
    #[error("a tools/call among other messages cannot be guarded; send it on its own")]
    CallInBatch,
}

/// Reads a posted body.
///
/// # Errors
/// When it is no message, or one that could pass the guard as something else.
pub fn read(body: &[u8]) -> Result<Posted, NotMcp> {
    if body.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[') {
        return batch(body);
    }
    let envelope = Envelope::of(&serde_json::from_slice(body)?)?;
    match envelope.method.as_deref() {
        Some("tools/call") => call(envelope).map(Posted::Call),
        Some("tools/list") => Ok(Posted::List(envelope.id)),
        Some("notifications/cancelled") => Ok(cancel(&envelope)),
        _ => Ok(Posted::Other(envelope.method)),
    }
}

/// The parts of a message that decide what it is.
struct Envelope<'a> {
    id: Value,
    method: Option<String>,
    params: Option<&'a RawValue>,
}

impl<'a> Envelope<'a> {
    fn of(members: &Members<'a>) -> Result<Self, NotMcp> {
        members.are_plain(&["jsonrpc", "id", "method", "params", "result", "error"])?;
        Ok(Self {
            id: members.read("id")?.unwrap_or_default(),
            method: members.read("method")?,
            params: members.get("params"),
        })
    }
}

fn call(envelope: Envelope<'_>) -> Result<Call, NotMcp> {
    if !envelope.id.is_string() && !envelope.id.is_number() {
        return Err(NotMcp::NoId);
    }
    let params: Members<'_> = serde_json::from_str(envelope.params.map_or("{}", RawValue::get))?;
    params.are_plain(&["name", "arguments", "_meta"])?;
    let tool: String = params.read("name")?.ok_or(NotMcp::Name)?;
    if !(1..=LONGEST_NAME).contains(&tool.len()) {
        return Err(NotMcp::Name);
    }
    let arguments = match params.read("arguments")? {
        None | Some(Value::Null) => Value::Object(Map::new()),
        Some(arguments @ Value::Object(_)) => arguments,
        Some(_) => return Err(NotMcp::Arguments),
    };
    Ok(Call {
        id: envelope.id,
        tool,
        arguments,
        meta: params.read("_meta")?.unwrap_or_default(),
    })
}

/// One that names no request gives up nothing that is known here.
fn cancel(envelope: &Envelope<'_>) -> Posted {
    let params: Option<Value> = envelope
        .params
        .and_then(|params| serde_json::from_str(params.get()).ok());
    match params.and_then(|mut params| params.get_mut("requestId").map(Value::take)) {
        Some(request) => Posted::Cancel(request),
        None => Posted::Other(envelope.method.clone()),
    }
}

fn batch(body: &[u8]) -> Result<Posted, NotMcp> {
    let messages: Vec<Members<'_>> = serde_json::from_slice(body)?;
    for members in &messages {
        if Envelope::of(members)?.method.as_deref() == Some("tools/call") {
            return Err(NotMcp::CallInBatch);
        }
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
    fn what_two_parsers_could_read_in_two_ways_is_refused() {
        for body in [
            r#"{"id":1,"method":"tools/list","method":"tools/call","params":{"name":"x"}}"#,
            r#"{"id":1,"method":"tools/call","params":{"name":"read","name":"write"}}"#,
            r#"{"id":1,"id":2,"method":"ping"}"#,
            r#"{"id":1,"method":"ping","Method":"tools/call","params":{"name":"x"}}"#,
            r#"{"id":1,"METHOD":"tools/call","params":{"name":"x"}}"#,
            "{\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"x\"},\"param\u{17f}\":{\"name\":\"y\"}}",
            r#"{"id":1,"method":"tools/call","params":{"name":"x","Arguments":{}}}"#,
            r#"[{"id":1,"method":"ping","Method":"tools/call"}]"#,
        ] {
            let refused = read(body.as_bytes());
            assert!(matches!(refused, Err(NotMcp::Ambiguous(_))), "{body}");
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
    fn a_call_needs_a_name_and_named_arguments() {
        let read = |params: Value| {
            let body = json!({"id": 1, "method": "tools/call", "params": params});
            read(body.to_string().as_bytes())
        };
        assert!(matches!(read(json!({})), Err(NotMcp::Name)));
        assert!(matches!(read(json!({"name": ""})), Err(NotMcp::Name)));
        let long = "x".repeat(LONGEST_NAME + 1);
        assert!(matches!(read(json!({"name": long})), Err(NotMcp::Name)));
        let list = json!({"name": "x", "arguments": [1]});
        assert!(matches!(read(list), Err(NotMcp::Arguments)));
        assert!(matches!(
            read(json!({"name": 7})),
            Err(NotMcp::Malformed(_))
        ));
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
    fn a_method_spelt_with_escapes_is_the_same_method() {
        let body = br#"{"id":1,"method":"tools\u002fcall","params":{"name":"x"}}"#;
        assert!(matches!(read(body), Ok(Posted::Call(_))));
        let body = br#"{"id":1,"m\u0065thod":"tools/call","params":{"name":"x"}}"#;
        assert!(matches!(read(body), Ok(Posted::Call(_))));
    }

    #[test]
    fn everything_else_passes_by_name() {
        let body = br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#;
        let named = Posted::Other(Some("initialize".to_owned()));
        assert_eq!(read(body).unwrap(), named);
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
