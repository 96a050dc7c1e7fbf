//! The forms of the door. Each answers 303 and says in the address why it said no, never more than that.

use std::sync::Arc;

use axum::Form;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use replygate_ports::accounts::User;
use replygate_ports::activity::ActivityResult;
use replygate_ports::store::StoreError;
use serde::Deserialize;
use tower_sessions::Session;

use super::door::Door;
use super::{LONGEST_BYTES, password, tokens};

#[derive(Deserialize)]
pub(super) struct SignIn {
    name: String,
    password: String,
    #[serde(default)]
    next: String,
}

#[derive(Deserialize)]
pub(super) struct FirstRun {
    token: String,
    password: String,
    repeat: String,
}

pub(super) async fn sign_in(
    State(door): State<Arc<Door>>,
    session: Session,
    headers: HeaderMap,
    Form(form): Form<SignIn>,
) -> Response {
    let next = is_inside(&form.next).then_some(form.next.as_str());
    let again = |why| see("/sign-in", &[("why", Some(why)), ("next", next)]);
    let name = form.name.trim().to_lowercase();
    if !door.throttle.allows(&name, door.clock.now()) {
        return again("throttled");
    }
    if form.password.len() > LONGEST_BYTES || name.len() > LONGEST_BYTES {
        return again("refused");
    }
    let user = match door.accounts.user(&name).await {
        Ok(user) => user,
        Err(error) => return unavailable(&error),
    };
    let phc = user.as_ref().and_then(|user| user.password.clone());
    let is_right = password::is_right(form.password, phc).await;
    let Some(user) = user.filter(|_| is_right) else {
        tracing::info!("a sign-in was refused");
        door.note(&name, "sign_in", ActivityResult::Refused).await;
        return again("refused");
    };
    door.throttle.forget(&name);
    door.note(&user.name, "sign_in", ActivityResult::Done).await;
    let next = next.unwrap_or("/sessions");
    enter(&door, &session, (&user, &headers), next).await
}

pub(super) async fn first_run(
    State(door): State<Arc<Door>>,
    session: Session,
    headers: HeaderMap,
    Form(form): Form<FirstRun>,
) -> Response {
    let again = |why| {
        see(
            "/first-run",
            &[("token", Some(form.token.as_str())), ("why", Some(why))],
        )
    };
    if !door.throttle.allows("/first-run", door.clock.now()) {
        return see("/sign-in", &[("why", Some("throttled"))]);
    }
    if form.password != form.repeat {
        return again("differ");
    }
    if form.password.chars().count() < password::SHORTEST || form.password.len() > LONGEST_BYTES {
        return again("short");
    }
    let user = match set_password(&door, &form).await {
        Ok(Some(user)) => user,
        Ok(None) => return again("used"),
        Err(error) => return unavailable(&error),
    };
    door.throttle.forget("/first-run");
    tracing::info!(user = user.name, "a first password was set");
    door.note(&user.name, "first_password", ActivityResult::Done)
        .await;
    enter(&door, &session, (&user, &headers), "/sessions").await
}

pub(super) async fn sign_out(State(door): State<Arc<Door>>, session: Session) -> Response {
    match door.leave(&session).await {
        Ok(()) => Redirect::to("/sign-in").into_response(),
        Err(error) => unavailable(&error),
    }
}

/// Uses the token up and sets the password; `None` when the token is of no use.
async fn set_password(door: &Door, form: &FirstRun) -> Result<Option<User>, StoreError> {
    let now = door.clock.now();
    let Some(user) = tokens::invited(&*door.accounts, &form.token, now).await? else {
        return Ok(None);
    };
    let Some(phc) = password::hash(form.password.clone(), &*door.entropy).await else {
        return Ok(None);
    };
    if !door.accounts.take_token(&tokens::hash(&form.token)).await? {
        return Ok(None);
    }
    let user = User {
        password: Some(phc),
        ..user
    };
    door.accounts.save_user(user.clone()).await?;
    Ok(Some(user))
}

async fn enter(
    door: &Door,
    session: &Session,
    (user, headers): (&User, &HeaderMap),
    next: &str,
) -> Response {
    let browser = super::browser::family(headers);
    match door.enter(session, user, browser).await {
        Ok(()) => Redirect::to(next).into_response(),
        Err(error) => unavailable(&error),
    }
}

fn see(path: &str, fields: &[(&str, Option<&str>)]) -> Response {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, value) in fields {
        if let Some(value) = value {
            query.append_pair(name, value);
        }
    }
    Redirect::to(&format!("{path}?{}", query.finish())).into_response()
}

fn unavailable(error: &(dyn std::error::Error + 'static)) -> Response {
    tracing::error!(error, "the door cannot reach the store");
    (
        StatusCode::SERVICE_UNAVAILABLE,
        "The server cannot answer now. Please try again.",
    )
        .into_response()
}

/// Whether an address stays on this site.
fn is_inside(address: &str) -> bool {
    address.starts_with('/')
        && !address[1..].starts_with(['/', '\\'])
        && !address.chars().any(char::is_control)
}
