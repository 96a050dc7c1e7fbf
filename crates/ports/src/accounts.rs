//! People who may use the console, their sign-ins, and tokens for programs. Must never see a password or a token in
//! clear: it keeps hashes.

use async_trait::async_trait;
use replygate_gate::At;

use crate::store::StoreError;

/// A person who may use the console.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// Name to sign in with, unique, as typed at creation; compared case-folded.
    pub name: String,
    /// `viewer`, `support`, `operator`, `admin` or `owner`.
    pub role: String,
    /// PHC string of the password's hash; `None` until it is set for the first time.
    pub password: Option<String>,
    /// When the account was made.
    pub created_at: At,
}

/// What a one-time or program token is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// SHA-256 of the token, hex.
    pub hash: String,
    /// `first-run` or a scope such as `operate`.
    pub scope: String,
    /// Whose, or what it is called.
    pub subject: String,
    /// Not valid from then on; `None` never ends.
    pub expires_at: Option<At>,
}

/// One browser's sign-in, as the session middleware stores it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignIn {
    /// The cookie's value, hashed.
    pub id: String,
    /// Whose: a user's name; empty where nobody has signed in yet.
    pub person: String,
    /// What the middleware keeps, opaque here.
    pub data: Vec<u8>,
    /// Not valid from then on.
    pub expires_at: At,
}

/// What somebody had shown to them in one sign-in that is hidden otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reveal {
    /// The sign-in, by its [`SignIn::id`].
    pub sign_in: String,
    /// What: a list's word, or the id of a session.
    pub scope: String,
    /// Why, in their words.
    pub reason: String,
    /// When.
    pub at: At,
}

/// Users, tokens, sign-ins, and what is revealed in them.
#[async_trait]
pub trait Accounts: Send + Sync {
    /// All users, by name.
    async fn users(&self) -> Result<Vec<User>, StoreError>;

    /// The user of that name, compared case-folded.
    async fn user(&self, name: &str) -> Result<Option<User>, StoreError>;

    /// Adds the user, or replaces role and password of the one with that name.
    async fn save_user(&self, user: User) -> Result<(), StoreError>;

    /// Removes the user of that name, compared case-folded, with the `first-run` tokens that would set their password.
    async fn remove_user(&self, name: &str) -> Result<(), StoreError>;

    /// Adds a token.
    async fn save_token(&self, token: Token) -> Result<(), StoreError>;

    /// The token with that hash, unless it expired before `now`.
    async fn token(&self, hash: &str, now: At) -> Result<Option<Token>, StoreError>;

    /// Removes the token; tells whether it was there, so that a one-time token is used once.
    async fn take_token(&self, hash: &str) -> Result<bool, StoreError>;

    /// Adds or replaces a sign-in.
    async fn save_sign_in(&self, sign_in: SignIn) -> Result<(), StoreError>;

    /// The sign-in, unless it expired before `now`.
    async fn sign_in(&self, id: &str, now: At) -> Result<Option<SignIn>, StoreError>;

    /// A person's sign-ins that have not expired before `now`, in no order.
    async fn sign_ins_of(&self, person: &str, now: At) -> Result<Vec<SignIn>, StoreError>;

    /// Removes a sign-in, with what is revealed in it.
    async fn end_sign_in(&self, id: &str) -> Result<(), StoreError>;

    /// Adds a reveal to a sign-in that is there; one of the same scope stays as it is.
    async fn save_reveal(&self, reveal: Reveal) -> Result<(), StoreError>;

    /// The reveal of that scope in that sign-in; without a scope the earliest one.
    async fn reveal(
        &self,
        sign_in: &str,
        scope: Option<&str>,
    ) -> Result<Option<Reveal>, StoreError>;
}
