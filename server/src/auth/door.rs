//! The door: from a cookie to the person behind it. Must never let a sign-in outlive the account, its password or a week.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use replygate_app::view::{Caller, Role, UserId};
use replygate_gate::At;
use replygate_ports::accounts::{Accounts, User};
use replygate_ports::activity::{Activity, ActivityLog, ActivityResult};
use replygate_ports::clock::{Clock, Entropy};
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;
use tower_sessions::Session;

use super::cookie::CookieStyle;
use super::sign_ins::{self, SignIns};
use super::throttle::Throttle;
use super::tokens;
use crate::http::Failure;

/// Whatever happens, a sign-in is over after a week.
const LONGEST_MS: u64 = 7 * 86_400_000;
/// How often use is written down: each write makes a sign-in last eight hours more.
const NOTE_EVERY_MS: u64 = 300_000;
/// The one value in a session.
pub(super) const KEY: &str = "person";

/// What a session remembers.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Person {
    pub(super) name: String,
    /// The browser's family, where it is known.
    #[serde(default)]
    pub(super) browser: String,
    /// When they signed in.
    pub(super) since: At,
    /// When use was written down last.
    pub(super) noted: At,
    /// A digest of the password's hash: a new password ends every sign-in.
    password: String,
}

impl Person {
    /// Whether this sign-in still lets its account in.
    pub(super) fn is_let_in(&self, user: &User, now: At) -> bool {
        let is_over = now.since(self.since) > LONGEST_MS || stamp(user) != self.password;
        user.password.is_some() && !is_over
    }
}

/// Everything that knows who may enter.
pub(crate) struct Door {
    pub(super) accounts: Arc<dyn Accounts>,
    activity: Arc<dyn ActivityLog>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) entropy: Arc<dyn Entropy>,
    pub(super) throttle: Throttle,
    pub(super) cookies: CookieStyle,
    /// Names of people who sign out.
    left: broadcast::Sender<String>,
}

impl Door {
    pub(crate) fn new(
        accounts: Arc<dyn Accounts>,
        activity: Arc<dyn ActivityLog>,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        cookies: CookieStyle,
    ) -> Self {
        Self {
            accounts,
            activity,
            clock,
            entropy,
            throttle: Throttle::default(),
            cookies,
            left: broadcast::Sender::new(64),
        }
    }

    pub(super) fn sign_ins(&self) -> SignIns {
        SignIns::new(self.accounts.clone(), self.clock.clone())
    }

    /// Names of people who sign out from now on.
    pub(crate) fn departures(&self) -> broadcast::Receiver<String> {
        self.left.subscribe()
    }

    /// Writes down that somebody came, was refused, or left. A fault is told to the log of the process.
    pub(super) async fn note(&self, name: &str, verb: &str, result: ActivityResult) {
        let user = self.accounts.user(name).await.ok().flatten();
        let activity = Activity {
            at: self.clock.now(),
            by: name.chars().take(64).collect(),
            role: user.map(|user| user.role).unwrap_or_default(),
            verb: verb.to_owned(),
            object: String::new(),
            before: None,
            after: None,
            reason: None,
            request_id: None,
            result,
        };
        if let Err(error) = self.activity.record(activity).await {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                "a sign-in is not in the activity log"
            );
        }
    }

    /// Ends every stream of somebody who is no longer to read.
    pub(crate) fn left(&self, name: &str) {
        // Nobody listening is no fault.
        let _ = self.left.send(name.to_owned());
    }

    /// Begins a sign-in under a fresh cookie.
    pub(super) async fn enter(
        &self,
        session: &Session,
        user: &User,
        browser: &str,
    ) -> Result<(), tower_sessions::session::Error> {
        let now = self.clock.now();
        let person = Person {
            name: user.name.clone(),
            browser: browser.to_owned(),
            since: now,
            noted: now,
            password: stamp(user),
        };
        session.cycle_id().await?;
        session.insert(KEY, person).await
    }

    /// Ends the sign-in and every stream of that person.
    pub(super) async fn leave(
        &self,
        session: &Session,
    ) -> Result<(), tower_sessions::session::Error> {
        if let Some(person) = session.get::<Person>(KEY).await? {
            self.note(&person.name, "sign_out", ActivityResult::Done)
                .await;
            self.left(&person.name);
        }
        session.flush().await
    }

    /// The person behind a session, as they are now.
    async fn caller(&self, session: &Session) -> Option<Caller> {
        let person: Person = session.get(KEY).await.ok()??;
        let now = self.clock.now();
        let user = self.accounts.user(&person.name).await.ok()??;
        if !person.is_let_in(&user, now) {
            // What cannot be removed now ends by its own time.
            let _ = session.flush().await;
            return None;
        }
        if now.since(person.noted) > NOTE_EVERY_MS {
            let noted = Person {
                noted: now,
                ..person
            };
            // A use that is not written down only shortens the sign-in.
            let _ = session.insert(KEY, noted).await;
        }
        let role = Role::from_stored(&user.role)?;
        let sign_in = session.id().map(|id| sign_ins::key(&id));
        Some(Caller {
            sign_in: sign_in.unwrap_or_default(),
            ..Caller::with_role(UserId(user.name.clone()), user.name, role)
        })
    }
}

fn stamp(user: &User) -> String {
    let mut hash = tokens::hash(user.password.as_deref().unwrap_or_default());
    hash.truncate(32);
    hash
}

/// Puts the signed-in person into the request. A browser that nobody is signed in with is led to the form; a program that
/// cannot follow there is told so.
pub(super) async fn identify(
    State(door): State<Arc<Door>>,
    session: Session,
    mut request: Request,
    next: Next,
) -> Response {
    if let Some(caller) = door.caller(&session).await {
        request.extensions_mut().insert(caller);
        return next.run(request).await;
    }
    let is_page = !request.uri().path().starts_with("/api/");
    let response = next.run(request).await;
    // The pages' framework leads only browsers on: whoever asks for no HTML would take the empty frame for the page.
    let leads_on = response.headers().contains_key(header::LOCATION);
    if is_page && leads_on && response.status().is_success() {
        return not_signed_in();
    }
    response
}

fn not_signed_in() -> Response {
    let message = "sign in, or use /v1 with a token";
    Failure::new(StatusCode::UNAUTHORIZED, "not_signed_in", message).into_response()
}
