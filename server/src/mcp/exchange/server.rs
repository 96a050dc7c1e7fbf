//! The server's side of a call: its answer piece by piece, with what each tells of how the call ended.

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use futures::FutureExt;
use futures::future::BoxFuture;
use replygate_agents::mcp::{Ended, Era, Events, ToolErrors, Unreached, passes_back};
use replygate_gate::ActionId;
use serde_json::Value;

use super::Exchange;
use crate::mcp::ear::is_stream;

/// A document that is longer is not read. Bytes.
const LONGEST: usize = 16 * 1024 * 1024;

const UNREACHABLE: &str =
    "the tool's server cannot be reached; nothing was done, it may be called again";
const ELSEWHERE: &str = "the tool's server says that it is somewhere else now; nothing was done. Its operator has to name the new address";

/// What to tell the client.
pub(super) enum Tells {
    Head(StatusCode, HeaderMap),
    More(Bytes),
    Whole(StatusCode, HeaderMap, Bytes),
    /// Nothing was done; why, in words for a model.
    Refusal(&'static str),
    /// Nobody knows what came of it.
    Lost,
    /// Its stream is over, as the server's is.
    End,
    Nothing,
}

/// What is to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    /// More.
    More,
    /// Nothing.
    Over,
    /// The answer may still come by another stream of the client's session.
    Elsewhere,
}

/// A piece of the answer.
pub(super) struct Piece {
    /// What it tells of how the call ended.
    pub(super) ended: Option<Ended>,
    pub(super) tells: Tells,
    pub(super) then: Then,
}

impl Piece {
    fn last(ended: Ended, tells: Tells) -> Self {
        Self {
            ended: Some(ended),
            tells,
            then: Then::Over,
        }
    }
}

enum Reading {
    /// The answer is one document.
    Document(Vec<u8>),
    /// The answer is among the events of a stream.
    Stream(Box<Events>),
    /// It is known how the call ended, or cannot be learnt.
    Blind,
}

enum State {
    Asked(BoxFuture<'static, Result<reqwest::Response, Unreached>>),
    Answers(reqwest::Response, Reading),
}

/// The server's answer on its way.
pub(super) struct Answering {
    state: State,
    id: Value,
    errors: ToolErrors,
    /// Whether a stream that ends can be taken up again.
    may_resume: bool,
}

impl Answering {
    /// Asks the server. `key` is what the tool's own service is to know the call by.
    pub(super) fn ask(exchange: &Exchange, key: ActionId) -> Self {
        let upstream = exchange.proxy.server.upstream.clone();
        let (mut headers, body) = (exchange.headers.clone(), exchange.body.clone());
        let query = exchange.query.clone();
        let has_session = headers.contains_key("mcp-session-id");
        if let Ok(key) = HeaderValue::from_str(&key.to_string()) {
            headers.insert("idempotency-key", key);
        }
        let asked = async move {
            let query = query.as_deref();
            upstream.pass(Method::POST, query, headers, body).await
        };
        Self {
            state: State::Asked(asked.boxed()),
            id: exchange.id.clone(),
            errors: exchange.proxy.server.errors,
            may_resume: exchange.era == Era::Sessions && has_session,
        }
    }

    /// The next piece; never asked for again after the last.
    pub(super) async fn next(&mut self) -> Piece {
        match &mut self.state {
            State::Asked(asked) => match asked.await {
                Ok(response) => self.answered(response),
                Err(error) => unanswered(&error),
            },
            State::Answers(response, _) => match response.chunk().await {
                Ok(Some(bytes)) => self.more(bytes),
                Ok(None) => self.end(false),
                Err(_) => self.end(true),
            },
        }
    }

    fn answered(&mut self, response: reqwest::Response) -> Piece {
        let (status, headers) = (response.status(), passes_back(response.headers()));
        let ended = Ended::by_status(status.as_u16());
        if let (true, Some(ended)) = (status.is_redirection(), &ended) {
            // Followed by the client it would lead around the guard.
            return Piece::last(ended.clone(), Tells::Refusal(ELSEWHERE));
        }
        let reading = match &ended {
            Some(_) => Reading::Blind,
            None if is_stream(&headers) => Reading::Stream(Box::default()),
            None => Reading::Document(Vec::new()),
        };
        // A document is passed on when it is there: until then it is not known how the call ended.
        let tells = match reading {
            Reading::Document(_) => Tells::Nothing,
            Reading::Stream(_) | Reading::Blind => Tells::Head(status, headers),
        };
        self.state = State::Answers(response, reading);
        Piece {
            ended,
            tells,
            then: Then::More,
        }
    }

    fn more(&mut self, bytes: Bytes) -> Piece {
        let State::Answers(_, reading) = &mut self.state else {
            return Piece::last(Ended::unknown("no_answer"), Tells::Lost);
        };
        let mut ended = None;
        let tells = match reading {
            Reading::Document(document) if document.len() + bytes.len() > LONGEST => {
                return Piece::last(Ended::unknown("answer_too_long"), Tells::Lost);
            }
            Reading::Document(document) => {
                document.extend_from_slice(&bytes);
                Tells::Nothing
            }
            Reading::Stream(events) => {
                ended = match events.push(&bytes) {
                    Ok(messages) => messages
                        .iter()
                        .find_map(|message| Ended::by(&self.id, message, self.errors)),
                    Err(_) => Some(Ended::unknown("answer_too_long")),
                };
                if ended.is_some() {
                    *reading = Reading::Blind;
                }
                Tells::More(bytes)
            }
            Reading::Blind => Tells::More(bytes),
        };
        Piece {
            ended,
            tells,
            then: Then::More,
        }
    }

    /// The body is over, or broke off.
    fn end(&mut self, is_broken: bool) -> Piece {
        let State::Answers(response, reading) = &mut self.state else {
            return Piece::last(Ended::unknown("no_answer"), Tells::Lost);
        };
        match std::mem::replace(reading, Reading::Blind) {
            Reading::Document(_) if is_broken => Piece::last(Ended::unknown("broken"), Tells::Lost),
            Reading::Document(document) => {
                let text = std::str::from_utf8(&document).ok();
                let ended = text.and_then(|text| Ended::by(&self.id, text, self.errors));
                let headers = passes_back(response.headers());
                let whole = Tells::Whole(response.status(), headers, document.into());
                Piece::last(ended.unwrap_or_else(|| Ended::unknown("no_answer")), whole)
            }
            Reading::Stream(_) if self.may_resume => Piece {
                ended: None,
                tells: Tells::End,
                then: Then::Elsewhere,
            },
            Reading::Stream(_) => Piece::last(Ended::unknown("stream_ended"), Tells::Lost),
            Reading::Blind => Piece {
                ended: None,
                tells: Tells::Nothing,
                then: Then::Over,
            },
        }
    }
}

fn unanswered(error: &Unreached) -> Piece {
    let source = error as &dyn std::error::Error;
    match error {
        Unreached::Connect(_) => {
            tracing::info!(error = source, "an MCP server cannot be reached");
            let ended = Ended::Failed {
                code: "connect".to_owned(),
                message: String::new(),
            };
            Piece::last(ended, Tells::Refusal(UNREACHABLE))
        }
        Unreached::Broken(_) => {
            tracing::warn!(error = source, "an MCP server broke off");
            Piece::last(Ended::unknown("connection_lost"), Tells::Lost)
        }
    }
}
