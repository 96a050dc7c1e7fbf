//! A form as it arrived, and where it leads.

use crate::console::{Console, ConsoleHandle};
use crate::pages::plain::sign_in_address;
use crate::plain::refused;
use crate::view::query::Query;
use crate::view::{Caller, ConsoleError, RequestId, said};
use axum::body::Body;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Form, RequestExt};
use leptos::config::LeptosOptions;
use std::sync::Arc;

/// A posted form of a person who is signed in.
pub(crate) struct Posted {
    /// The console.
    pub(crate) console: Arc<dyn Console>,
    /// Who sent it.
    pub(crate) caller: Caller,
    fields: Vec<(String, String)>,
    headers: HeaderMap,
}

impl<S: Send + Sync> FromRequest<S> for Posted {
    type Rejection = Response;

    async fn from_request(mut request: Request, state: &S) -> Result<Self, Response> {
        let caller = request.extensions().get::<Caller>().cloned();
        let Some(caller) = caller else {
            return Err(Redirect::to(&sign_in_address(None)).into_response());
        };
        let headers = request.headers().clone();
        let console = request.extensions_mut().remove::<ConsoleHandle>();
        let console = console.ok_or_else(|| StatusCode::INTERNAL_SERVER_ERROR.into_response())?;
        let Form(fields) = request
            .extract_with_state::<Form<Vec<(String, String)>>, S, _>(state)
            .await
            .map_err(IntoResponse::into_response)?;
        Ok(Self {
            console: console.0,
            caller,
            fields,
            headers,
        })
    }
}

impl Posted {
    /// A field that is not empty.
    pub(crate) fn field(&self, name: &str) -> Option<String> {
        self.all(name)
            .find(|value| !value.trim().is_empty())
            .map(str::to_owned)
    }

    /// Every value of a field.
    pub(crate) fn all<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> {
        let name = name.to_owned();
        self.fields
            .iter()
            .filter(move |(own, _)| *own == name)
            .map(|(_, value)| value.as_str())
    }

    /// Every field besides these, also the empty ones.
    pub(crate) fn others(&self, besides: &[&str]) -> Vec<(String, String)> {
        self.fields
            .iter()
            .filter(|(name, _)| !besides.contains(&name.as_str()))
            .cloned()
            .collect()
    }

    /// The same person asking for a page, and whom to ask.
    pub(crate) fn again(&self, address: &str) -> (Request, ConsoleHandle) {
        let mut request = Request::new(Body::empty());
        *request.headers_mut() = self.headers.clone();
        // Our own addresses are well formed; a page asked for under another one would only lose its query.
        *request.uri_mut() = address.parse().unwrap_or_default();
        request.extensions_mut().insert(self.caller.clone());
        (request, ConsoleHandle(self.console.clone()))
    }

    /// A field that has to be a number.
    pub(crate) fn number<N: std::str::FromStr>(
        &self,
        name: &str,
        allowed: &str,
    ) -> Result<N, ConsoleError> {
        let value = self.field(name).unwrap_or_default();
        value
            .trim()
            .parse()
            .map_err(|_| invalid(name, &value, allowed))
    }

    /// The request id that was minted with the page.
    pub(crate) fn request_id(&self) -> Result<RequestId, ConsoleError> {
        let id = self.field("request_id").map(RequestId);
        id.ok_or_else(|| invalid("request_id", "", "the one that came with the page"))
    }
}

/// A field with a value that is not allowed.
pub(crate) fn invalid(field: &str, value: &str, allowed: &str) -> ConsoleError {
    ConsoleError::Invalid {
        field: field.to_owned(),
        value: value.chars().take(64).collect(),
        allowed: allowed.to_owned(),
    }
}

/// The answer to a form that asked for a deed: look at `address`, which shows what this request did, or why nothing was
/// done. Who may not do it is told so at once.
pub(crate) fn came<T>(address: &str, form: &Posted, result: Result<T, ConsoleError>) -> Response {
    match result {
        Ok(_) => {
            let mut query = Query::new();
            query.add("did", form.field("request_id").as_deref());
            see(&query.on(address))
        }
        Err(error) => refusal(address, &error),
    }
}

/// The answer to a form that did nothing: look at `address`, which says why.
pub(crate) fn refusal(address: &str, error: &ConsoleError) -> Response {
    if matches!(error, ConsoleError::Forbidden { .. }) {
        return forbidden(error);
    }
    let mut query = Query::new();
    said::refused(&mut query, error);
    see(&query.on(address))
}

/// For whoever asks for what they may not do: no page of ours offers it. [`in_frame`] makes a page of it.
fn forbidden(error: &ConsoleError) -> Response {
    let mut response = StatusCode::FORBIDDEN.into_response();
    response.extensions_mut().insert(error.clone());
    response
}

/// Makes the answer to a form a page, where it is that the sender may not do it.
pub(super) async fn in_frame(
    Extension(options): Extension<LeptosOptions>,
    Extension(console): Extension<ConsoleHandle>,
    request: Request,
    next: Next,
) -> Response {
    let mut asked = Request::new(Body::empty());
    *asked.headers_mut() = request.headers().clone();
    *asked.uri_mut() = request.uri().clone();
    if let Some(caller) = request.extensions().get::<Caller>() {
        asked.extensions_mut().insert(caller.clone());
    }
    let mut response = next.run(request).await;
    match response.extensions_mut().remove::<ConsoleError>() {
        Some(error) => refused(&options, (asked, console), error).await,
        None => response,
    }
}

/// The answer to every form: look there.
pub(crate) fn see(address: &str) -> Response {
    Redirect::to(address).into_response()
}
