//! What a program is told when the answer is no: `{"error", "message", "allowed"?, "field"?, "first"?, "running"?}`. Must
//! never hold an internal text or a person's words.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use replygate_engine::{Rejection, StepError};
use replygate_gate::{ActionId, Refusal};
use replygate_ports::store::StoreError;
use serde_json::{Map, Value, json};

/// An answer that is no.
#[derive(Debug)]
pub(crate) struct Failure {
    status: StatusCode,
    error: &'static str,
    message: String,
    allowed: Option<String>,
    /// What some answers tell besides, by name: the `field` that is wrong, the `first` call that is in the way, what is
    /// `running` in a session that is busy.
    more: Map<String, Value>,
}

impl Failure {
    pub(crate) fn new(status: StatusCode, error: &'static str, message: impl Into<String>) -> Self {
        Self {
            status,
            error,
            message: message.into(),
            allowed: None,
            more: Map::new(),
        }
    }

    fn with(mut self, name: &str, value: Value) -> Self {
        self.more.insert(name.to_owned(), value);
        self
    }

    /// A message that came while the session was busy, on a channel whose strategy is to reject.
    pub(crate) fn rejected(rejection: &Rejection) -> Self {
        let why = match rejection.turn {
            Some(_) => "an earlier message is being answered",
            None => "the answer to an earlier message is on its way",
        };
        let message = format!(
            "{why} and the channel's strategy is reject; nothing was stored, send it again when the answer is there"
        );
        let running = json!({ "turn": rejection.turn, "replies": rejection.replies });
        Self::conflict("rejected", message).with("running", running)
    }

    pub(crate) fn not_found(what: &str, name: &str) -> Self {
        let name: String = name.chars().take(64).collect();
        let message = format!("there is no {what} `{name}`");
        Self::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    /// A value that is well formed and not allowed.
    pub(crate) fn unprocessable(message: impl Into<String>, allowed: impl Into<String>) -> Self {
        Self {
            allowed: Some(allowed.into()),
            ..Self::new(StatusCode::UNPROCESSABLE_ENTITY, "not_allowed", message)
        }
    }

    /// A field of the body, or a parameter, with what it is and what is allowed.
    pub(crate) fn field(name: &str, value: &str, allowed: &str) -> Self {
        let name: String = name.chars().take(64).collect();
        let message = format!("`{name}` is `{value}`, allowed: {allowed}");
        let failure = Self {
            allowed: Some(allowed.to_owned()),
            ..Self::new(StatusCode::BAD_REQUEST, "wrong_field", message)
        };
        failure.with("field", name.into())
    }

    /// The same call is running.
    pub(crate) fn in_progress(first: ActionId, message: String) -> Self {
        Self::conflict("in_progress", message).with("first", json!({ "action": first }))
    }

    pub(crate) fn malformed(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "malformed", message)
    }

    fn conflict(error: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, error, message)
    }

    fn unavailable() -> Self {
        let message = "the store cannot answer now; nothing was stored, try again";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", message)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        tracing::error!(error = &error as &dyn std::error::Error, "the store failed");
        Self::unavailable()
    }
}

impl From<StepError> for Failure {
    fn from(error: StepError) -> Self {
        match error {
            StepError::Refused(refusal) => Self::conflict(word(&refusal), refusal.to_string()),
            StepError::NoSession => {
                Self::new(StatusCode::NOT_FOUND, "not_found", error.to_string())
            }
            StepError::NoChannel { channel } => Self::not_found("channel", &channel),
            StepError::Duplicate { .. } | StepError::Repeated(_) => {
                Self::conflict("repeated", error.to_string())
            }
            StepError::Busy => Self::unavailable(),
            StepError::Store(error) => error.into(),
        }
    }
}

/// The stable word for a refusal.
pub(crate) const fn word(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::Stale { .. } => "stale",
        Refusal::NotRipe => "not_ripe",
        Refusal::Fenced { .. } => "fenced",
        Refusal::Stopping => "stopping",
        Refusal::TooLate { .. } => "too_late",
        Refusal::Final => "final",
        Refusal::Held => "held",
        Refusal::NotHead => "not_head",
        Refusal::NotDue { .. } => "not_due",
        Refusal::Locked { .. } => "locked",
        Refusal::Parked => "parked",
        Refusal::Claimed => "claimed",
        Refusal::StaleClaim => "stale_claim",
        Refusal::Changed { .. } => "changed",
        Refusal::NotParked { .. } => "not_parked",
        Refusal::AnsweredElsewhere { .. } => "answered_elsewhere",
        Refusal::BeingRerun => "being_rerun",
        Refusal::Empty => "empty",
        Refusal::LockHeld { .. } => "lock_held",
        Refusal::NoLock => "no_lock",
        Refusal::TakenOver { .. } => "taken_over",
        Refusal::NotTakenOver => "not_taken_over",
        Refusal::Nothing => "nothing_to_do",
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut body = json!({ "error": self.error, "message": self.message });
        if let Some(allowed) = self.allowed {
            body["allowed"] = allowed.into();
        }
        for (name, value) in self.more {
            body[name] = value;
        }
        let mut response = (self.status, Json(body)).into_response();
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            let one_second = HeaderValue::from_static("1");
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, one_second);
        }
        if self.status == StatusCode::UNAUTHORIZED && self.error == "no_token" {
            let bearer = HeaderValue::from_static("Bearer");
            response
                .headers_mut()
                .insert(header::WWW_AUTHENTICATE, bearer);
        }
        response
    }
}
