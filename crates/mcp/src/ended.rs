//! How a call ended, read in the server's answer. Must never take for certain what is not: an effect that may have happened
//! is unknown.

use serde::Deserialize;
use serde_json::Value;

/// How a call ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    /// It ran; its result.
    Done(Value),
    /// It is certain that it had no effect, or the tool says that it failed. A short stable word.
    Failed(String),
    /// It may have had its effect. A short stable word.
    Unknown(String),
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
}

impl Ended {
    /// Reads a message that may be the answer to the request of that id; `None` when it is something else.
    #[must_use]
    pub fn by(id: &Value, message: &[u8]) -> Option<Self> {
        let answer: Answer = serde_json::from_slice(message).ok()?;
        if answer.id != *id {
            return None;
        }
        match (answer.result, answer.error) {
            (Some(result), None) => Some(Self::with(result)),
            (None, Some(problem)) => Some(Self::with_error(problem.code)),
            _ => None,
        }
    }

    fn with(result: Value) -> Self {
        // The client answers what it is asked and calls again with the same arguments: nothing happened yet.
        if result["resultType"] == "input_required" {
            return Self::Failed("input_required".to_owned());
        }
        if result["isError"] == true {
            return Self::Failed("tool_error".to_owned());
        }
        Self::Done(result)
    }

    fn with_error(code: i64) -> Self {
        let word = format!("rpc{code}");
        if BEFORE_ANYTHING_RAN.contains(&code) {
            Self::Failed(word)
        } else {
            Self::Unknown(word)
        }
    }

    /// What an HTTP status says that comes without an answer; `None` when an answer is to be expected.
    #[must_use]
    pub fn by_status(status: u16) -> Option<Self> {
        let word = format!("http_{status}");
        match status {
            200..300 => None,
            // A request that timed out on its way may have been complete.
            408 | 500.. => Some(Self::Unknown(word)),
            _ => Some(Self::Failed(word)),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn by(message: &Value) -> Option<Ended> {
        Ended::by(&json!(1), message.to_string().as_bytes())
    }

    #[test]
    fn a_result_is_done_unless_it_says_otherwise() {
        let result = json!({"content": [], "isError": false});
        assert_eq!(
            by(&json!({"id": 1, "result": result})),
            Some(Ended::Done(result))
        );
        let failed = |word: &str| Some(Ended::Failed(word.to_owned()));
        assert_eq!(
            by(&json!({"id": 1, "result": {"isError": true}})),
            failed("tool_error")
        );
        let asks =
            json!({"id": 1, "result": {"resultType": "input_required", "inputRequests": {}}});
        assert_eq!(by(&asks), failed("input_required"));
    }

    #[test]
    fn an_error_is_certain_only_where_nothing_can_have_run() {
        let error = |code: i64| by(&json!({"id": 1, "error": {"code": code, "message": "m"}}));
        assert_eq!(error(-32_602), Some(Ended::Failed("rpc-32602".to_owned())));
        assert_eq!(error(-32_603), Some(Ended::Unknown("rpc-32603".to_owned())));
        assert_eq!(error(-32_001), Some(Ended::Unknown("rpc-32001".to_owned())));
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
        assert_eq!(Ended::by(&json!(1), b"not json"), None);
    }

    #[test]
    fn a_status_without_an_answer_tells_what_it_can() {
        assert_eq!(Ended::by_status(200), None);
        assert_eq!(Ended::by_status(202), None);
        assert_eq!(
            Ended::by_status(404),
            Some(Ended::Failed("http_404".to_owned()))
        );
        for unknown in [408, 500, 502, 503, 504] {
            assert!(matches!(Ended::by_status(unknown), Some(Ended::Unknown(_))));
        }
    }
}
