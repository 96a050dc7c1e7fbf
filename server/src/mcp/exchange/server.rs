//! The server's side of a call: its answer piece by piece, with what each tells of how the call ended.

use bytes::{Bytes, BytesMut};
use futures::future::BoxFuture;
use futures::stream::BoxStream;
use futures::{FutureExt, StreamExt};
use http::{HeaderMap, Method, StatusCode, header};
use replygate_mcp::{Ended, Era, Events, Unreached, passes_back};
use serde_json::Value;

use super::Exchange;

/// An answer that is longer is passed on without being read. Bytes.
const LONGEST: usize = 16 * 1024 * 1024;

/// What to tell the client.
pub(super) enum Tells {
    Head(StatusCode, HeaderMap),
    More(Bytes),
    Whole(StatusCode, HeaderMap, Bytes),
    /// It was never asked.
    Unreachable,
    /// It gave no answer.
    Lost,
    Nothing,
}

/// A piece of the answer.
pub(super) struct Piece {
    /// What it tells of how the call ended.
    pub(super) ended: Option<Ended>,
    pub(super) tells: Tells,
    pub(super) is_last: bool,
}

type Asked = BoxFuture<'static, Result<reqwest::Response, Unreached>>;

enum Reading {
    /// The answer is one document.
    Document(BytesMut),
    /// The answer is among the events of a stream.
    Stream(Events),
    /// It is known how the call ended, or cannot be learnt.
    Blind,
}

enum State {
    Asked(Asked),
    Answers {
        status: StatusCode,
        headers: HeaderMap,
        body: BoxStream<'static, reqwest::Result<Bytes>>,
        reading: Reading,
    },
}

/// The server's answer on its way.
pub(super) struct Answering {
    state: State,
    id: Value,
    /// Whether the answer may still come by another stream of the client's session.
    may_resume: bool,
}

fn unknown(word: &str) -> Option<Ended> {
    Some(Ended::Unknown(word.to_owned()))
}

impl Answering {
    pub(super) fn ask(exchange: &Exchange) -> Self {
        let upstream = exchange.proxy.upstream.clone();
        let (headers, body) = (exchange.headers.clone(), exchange.body.clone());
        let query = exchange.query.clone();
        let has_session = headers.contains_key("mcp-session-id");
        let asked = async move {
            let query = query.as_deref();
            upstream.pass(Method::POST, query, headers, body).await
        };
        Self {
            state: State::Asked(asked.boxed()),
            id: exchange.id.clone(),
            may_resume: exchange.era == Era::Sessions && has_session,
        }
    }

    /// The next piece; never asked again after the last.
    pub(super) async fn next(&mut self) -> Piece {
        match &mut self.state {
            State::Asked(asked) => match asked.await {
                Ok(response) => self.answered(response),
                Err(Unreached::Connect(error)) => {
                    tracing::info!(error = &error as &dyn std::error::Error, "an MCP server cannot be reached");
                    Piece {
                        ended: Some(Ended::Failed("unreachable".to_owned())),
                        tells: Tells::Unreachable,
                        is_last: true,
                    }
                }
                Err(Unreached::Broken(error)) => {
                    tracing::warn!(error = &error as &dyn std::error::Error, "an MCP server broke off");
                    Piece {
                        ended: unknown("broken"),
                        tells: Tells::Lost,
                        is_last: true,
                    }
                }
            },
            State::Answers { body, .. } => {
                let piece = body.next().await;
                self.more(piece)
            }
        }
    }

    fn answered(&mut self, response: reqwest::Response) -> Piece {
        let (status, headers) = (response.status(), passes_back(response.headers()));
        let ended = Ended::by_status(status.as_u16());
        let is_stream = headers
            .get(header::CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .is_some_and(|kind| kind.starts_with("text/event-stream"));
        let reading = match (&ended, is_stream) {
            (None, true) => Reading::Stream(Events::default()),
            (None, false) => Reading::Document(BytesMut::new()),
            (Some(_), _) => Reading::Blind,
        };
        // A document is passed on when it is there: until then it is not known how the call ended.
        let tells = match reading {
            Reading::Document(_) => Tells::Nothing,
            _ => Tells::Head(status, headers.clone()),
        };
        self.state = State::Answers {
            status,
            headers,
            body: response.bytes_stream().boxed(),
            reading,
        };
        Piece {
            ended,
            tells,
            is_last: false,
        }
    }

    fn more(&mut self, piece: Option<reqwest::Result<Bytes>>) -> Piece {
        let State::Answers {
            status,
            headers,
            reading,
            ..
        } = &mut self.state
        else {
            unreachable!("a body comes after its head");
        };
        let Some(Ok(bytes)) = piece else {
            let is_broken = piece.is_some();
            return end(&self.id, (*status, headers), reading, is_broken, self.may_resume);
        };
        let mut ended = None;
        let tells = match reading {
            Reading::Document(document) if document.len() + bytes.len() > LONGEST => {
                ended = unknown("answer_too_long");
                document.extend_from_slice(&bytes);
                let whole = std::mem::take(document).freeze();
                *reading = Reading::Blind;
                // The rest is cut: nobody reads a tool's result of this length.
                Tells::Whole(StatusCode::BAD_GATEWAY, headers.clone(), whole.slice(..0))
            }
            Reading::Document(document) => {
                document.extend_from_slice(&bytes);
                Tells::Nothing
            }
            Reading::Stream(events) => {
                match events.push(&bytes) {
                    Ok(complete) => {
                        ended = complete.iter().find_map(|data| Ended::by(&self.id, data));
                    }
                    Err(_) => ended = unknown("answer_too_long"),
                }
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
            is_last: false,
        }
    }
}

/// The body is over, or broke off.
fn end(
    id: &Value,
    (status, headers): (StatusCode, &HeaderMap),
    reading: &mut Reading,
    is_broken: bool,
    may_resume: bool,
) -> Piece {
    let (ended, tells) = match std::mem::replace(reading, Reading::Blind) {
        Reading::Document(_) if is_broken => (unknown("broken"), Tells::Lost),
        Reading::Document(document) => {
            let ended = Ended::by(id, &document).or_else(|| unknown("no_answer"));
            let whole = Tells::Whole(status, headers.clone(), document.freeze());
            (ended, whole)
        }
        // The client may take the stream up again; until the reservation is over the answer is looked for there.
        Reading::Stream(_) if may_resume => (None, Tells::Nothing),
        Reading::Stream(_) => (unknown("stream_ended"), Tells::Lost),
        Reading::Blind => (None, Tells::Nothing),
    };
    Piece {
        ended,
        tells,
        is_last: true,
    }
}
