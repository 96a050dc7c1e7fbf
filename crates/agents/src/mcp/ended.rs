//! How a call ended, read in the server's answer. Must never take for certain what is not: an effect that may have happened
//! is unknown.

use serde::Deserialize;
use serde_json::Value;

/// So much of a refusal's words is told, in characters.
const WORDS: usize = 500;

/// What a tool's own word that it failed says of its effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ToolErrors {
    /// It had none: the same call may be made again.
    #[default]
    Failed,
    /// It may have had one: the tool fails in the middle, or passes on the failures of others.
    Unknown,
}

/// How a call ended. Codes are short stable words.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    /// It ran; its result.
    Done(Value),
    /// It is certain that it had no effect, as far as the server can be believed.
    Failed {
        /// What went wrong.
        code: String,
        /// The same in the server's words, for a model; may hold what a user wrote.
        message: String,
    },
    /// It may have had its effect.
    Unknown {
        /// What went wrong.
        code: String,
    },
}

/// JSON-RPC errors that are found before anything runs: no JSON, no request, no such method or tool, wrong arguments, and
/// headers, capabilities or a version that do not fit.
const BEFORE_ANYTHING_RAN: [i64; 7] = [
    -32_700, -32_600, -32_601, -32_602, -32_020, -32_021, -32_022,
];

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    id: Value,
    #[serde(default)]
    result: Option<Value>,
    #[serde(default)]
    error: Option<Problem>,
}

#[derive(Deserialize)]
struct Problem {
    code: i64,
    #[serde(default)]
    message: String,
}

impl Ended {
    /// Reads a message that may be the answer to the request of that id; `None` when it is something else.
    #[must_use]
    pub fn by(id: &Value, message: &str, errors: ToolErrors) -> Option<Self> {
        let answer: Answer = serde_json::from_str(message).ok()?;
        if answer.id != *id {
            return None;
        }
        match (answer.result, answer.error) {
            (Some(result), None) => Some(Self::with(result, errors)),
            (None, Some(problem)) => Some(Self::with_error(&problem)),
            _ => None,
        }
    }

    fn with(result: Value, errors: ToolErrors) -> Self {
        // The client answers what it is asked and calls again with the same arguments: nothing happened yet.
        if result["resultType"] == "input_required" {
            let message = "the tool asks for more before it does anything".to_owned();
            let code = "input_required".to_owned();
            return Self::Failed { code, message };
        }
        if result["isError"] != true {
            return Self::Done(result);
        }
        let code = "tool_error".to_owned();
        match errors {
            ToolErrors::Failed => Self::Failed {
                code,
                message: words(&result),
            },
            ToolErrors::Unknown => Self::Unknown { code },
        }
    }

    fn with_error(problem: &Problem) -> Self {
        let code = format!("rpc{}", problem.code);
        if BEFORE_ANYTHING_RAN.contains(&problem.code) {
            let message = problem.message.chars().take(WORDS).collect();
            Self::Failed { code, message }
        } else {
            Self::Unknown { code }
        }
    }

    /// What an HTTP status says that comes without an answer; `None` when an answer is to be expected.
    #[must_use]
    pub fn by_status(status: u16) -> Option<Self> {
        let code = format!("http_{status}");
        match status {
            200..300 => None,
            // A request that timed out on its way may have been complete.
            408 | 500.. => Some(Self::Unknown { code }),
            _ => Some(Self::Failed {
                code,
                message: format!("the server refused with status {status}"),
            }),
        }
    }

    /// It may have had its effect.
    #[must_use]
    pub fn unknown(code: &str) -> Self {
        Self::Unknown {
            code: code.to_owned(),
        }
    }
}

/// What a result says in words.
fn words(result: &Value) -> String {
    let content = result["content"].as_array().into_iter().flatten();
    let texts: Vec<&str> = content.filter_map(|block| block["text"].as_str()).collect();
    texts.join("\n").chars().take(WORDS).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn by(message: &Value) -> Option<Ended> {
        Ended::by(&json!(1), &message.to_string(), ToolErrors::Failed)
    }

    fn failed(code: &str, message: &str) -> Ended {
        let (code, message) = (code.to_owned(), message.to_owned());
        Ended::Failed { code, message }
    }

    #[test]
    fn a_result_is_done_unless_it_says_otherwise() {
        let result = json!({"content": [], "isError": false});
        assert_eq!(
            by(&json!({"id": 1, "result": result})),
            Some(Ended::Done(result))
        );
        let error = json!({"id": 1, "result": {
            "isError": true, "content": [{"type": "text", "text": "no room"}, {"type": "image"}]
        }});
        assert_eq!(by(&error), Some(failed("tool_error", "no room")));
        assert_eq!(
            Ended::by(&json!(1), &error.to_string(), ToolErrors::Unknown),
            Some(Ended::unknown("tool_error"))
        );
        let asks =
            json!({"id": 1, "result": {"resultType": "input_required", "inputRequests": {}}});
        let Some(Ended::Failed { code, .. }) = by(&asks) else {
            panic!("nothing happened yet");
        };
        assert_eq!(code, "input_required");
    }

    #[test]
    fn an_error_is_certain_only_where_nothing_can_have_run() {
        let error = |code: i64| by(&json!({"id": 1, "error": {"code": code, "message": "m"}}));
        assert_eq!(error(-32_602), Some(failed("rpc-32602", "m")));
        assert_eq!(error(-32_603), Some(Ended::unknown("rpc-32603")));
        assert_eq!(error(-32_001), Some(Ended::unknown("rpc-32001")));
    }

    #[test]
    fn other_messages_of_the_stream_are_no_answer() {
        assert_eq!(by(&json!({"id": 2, "result": {}})), None);
        assert_eq!(by(&json!({"id": "1", "result": {}})), None);
        assert_eq!(
            by(&json!({"method": "notifications/progress", "params": {}})),
            None
        );
        assert_eq!(
            by(&json!({"id": 1, "method": "sampling/createMessage"})),
            None
        );
        assert_eq!(Ended::by(&json!(1), "not json", ToolErrors::Failed), None);
    }

    #[test]
    fn a_status_without_an_answer_tells_what_it_can() {
        assert_eq!(Ended::by_status(200), None);
        assert_eq!(Ended::by_status(202), None);
        for refused in [307, 400, 401, 404, 409, 413, 429] {
            assert!(matches!(
                Ended::by_status(refused),
                Some(Ended::Failed { .. })
            ));
        }
        for unknown in [408, 500, 502, 503, 504] {
            let code = format!("http_{unknown}");
            assert_eq!(Ended::by_status(unknown), Some(Ended::unknown(&code)));
        }
    }
}
