//! Who a program is, and what for: the bearer token it brings. Must never log one.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::auth::tokens;
use crate::http::failure::Failure;
use crate::service::Service;

/// The program behind a request: what its token is called.
#[derive(Clone, Debug)]
pub(super) struct Program(pub(super) String);

/// Lets requests pass whose token is to operate, and says whose it is.
pub(super) async fn for_operators(
    State(service): State<Arc<Service>>,
    request: Request,
    next: Next,
) -> Response {
    check(&service, tokens::OPERATE, request, next).await
}

/// Lets requests pass whose token is to ask before tools are called.
pub(in crate::http) async fn for_actions(
    State(service): State<Arc<Service>>,
    request: Request,
    next: Next,
) -> Response {
    check(&service, tokens::ACTIONS, request, next).await
}

async fn check(
    service: &Service,
    scope: &'static str,
    mut request: Request,
    next: Next,
) -> Response {
    match program(service, scope, request.headers()).await {
        Ok(program) => {
            request.extensions_mut().insert(program);
            next.run(request).await
        }
        Err(failure) => failure.into_response(),
    }
}

async fn program(
    service: &Service,
    scope: &'static str,
    headers: &HeaderMap,
) -> Result<Program, Failure> {
    let header = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok());
    let Some((scheme, secret)) = header.and_then(|value| value.split_once(' ')) else {
        return Err(no_token(format!(
            "a bearer token is needed; make one with `replygate token create --scope {scope}`"
        )));
    };
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(no_token(
            "the authorization is of another kind, allowed: Bearer",
        ));
    }
    let now = service.stores.clock.now();
    let found = service
        .stores
        .accounts
        .token(&tokens::hash(secret.trim()), now)
        .await?;
    match found {
        Some(token) if token.scope == scope => Ok(Program(token.subject)),
        Some(token) if tokens::SCOPES.contains(&token.scope.as_str()) => {
            let message = format!("the token's scope is {}, allowed: {scope}", token.scope);
            Err(Failure::new(StatusCode::FORBIDDEN, "scope", message))
        }
        Some(_) | None => Err(no_token("the token is not known, or is over")),
    }
}

fn no_token(message: impl Into<String>) -> Failure {
    Failure::new(StatusCode::UNAUTHORIZED, "no_token", message)
}
