//! Tokens: for programs, and in one-time links. Only their hashes are stored, so a lost one is replaced, never read.

use replygate_gate::At;
use replygate_ports::accounts::{Accounts, Token, User};
use replygate_ports::clock::{Clock, Entropy};
use replygate_ports::store::StoreError;
use sha2::{Digest, Sha256};

/// The scope of programs that operate: read, act, lock.
pub(crate) const OPERATE: &str = "operate";
/// The scope of agents elsewhere: ask before a tool is called, and tell how it ended.
pub(crate) const ACTIONS: &str = "actions";
/// The scopes that programs may have.
pub(crate) const SCOPES: [&str; 2] = [OPERATE, ACTIONS];
/// The scope of a link with which a person sets the first password.
const FIRST_RUN: &str = "first-run";
/// A link that was sent to somebody is good for a week.
pub(crate) const LINK_LIFE_MS: u64 = 7 * 86_400_000;
/// The name of the first account.
pub(crate) const ADMIN: &str = "admin";

/// The hash under which a token is stored: SHA-256, hex. A token has 256 random bits, so it needs no salt.
pub(crate) fn hash(token: &str) -> String {
    use std::fmt::Write as _;
    let digest = Sha256::digest(token.as_bytes());
    digest
        .iter()
        .fold(String::with_capacity(64), |mut hex, byte| {
            // Writing to a string cannot fail.
            let _ = write!(hex, "{byte:02x}");
            hex
        })
}

/// Makes and stores a token for programs; the only time it is seen.
pub(crate) async fn create(
    accounts: &dyn Accounts,
    entropy: &dyn Entropy,
    scope: &str,
    subject: &str,
) -> Result<String, StoreError> {
    store(accounts, entropy, "rgt_", scope, subject, None).await
}

/// Makes a link's token with which `name` sets a password, as long as there is none.
pub(crate) async fn invite(
    accounts: &dyn Accounts,
    entropy: &dyn Entropy,
    name: &str,
    until: Option<At>,
) -> Result<String, StoreError> {
    store(accounts, entropy, "rgf_", FIRST_RUN, name, until).await
}

async fn store(
    accounts: &dyn Accounts,
    entropy: &dyn Entropy,
    prefix: &str,
    scope: &str,
    subject: &str,
    expires_at: Option<At>,
) -> Result<String, StoreError> {
    let token = format!("{prefix}{:032x}{:032x}", entropy.bits(), entropy.bits());
    let stored = Token {
        hash: hash(&token),
        scope: scope.to_owned(),
        subject: subject.to_owned(),
        expires_at,
    };
    accounts.save_token(stored).await?;
    Ok(token)
}

/// Adds an account without a password and makes the token of the link that sets it.
pub(crate) async fn add_user(
    accounts: &dyn Accounts,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
    name: &str,
    role: &str,
) -> Result<String, StoreError> {
    let now = clock.now();
    let user = User {
        name: name.to_owned(),
        role: role.to_owned(),
        password: None,
        created_at: now,
    };
    accounts.save_user(user).await?;
    invite(accounts, entropy, name, Some(now.plus(LINK_LIFE_MS))).await
}

/// The token of the first administrator's link, while no password is set; makes the account where it is missing.
///
/// Each start makes a fresh token, because only hashes are kept; earlier ones go on working until the password is set.
pub(crate) async fn first_run(
    accounts: &dyn Accounts,
    clock: &dyn Clock,
    entropy: &dyn Entropy,
) -> Result<Option<String>, StoreError> {
    let users = accounts.users().await?;
    if users.iter().any(|user| user.password.is_some()) {
        return Ok(None);
    }
    if !users.iter().any(|user| user.name == ADMIN) {
        let admin = User {
            name: ADMIN.to_owned(),
            role: "owner".to_owned(),
            password: None,
            created_at: clock.now(),
        };
        accounts.save_user(admin).await?;
    }
    invite(accounts, entropy, ADMIN, None).await.map(Some)
}

/// Whose first password this link's token may set; `None` when it was used, is over or was never given.
pub(crate) async fn invited(
    accounts: &dyn Accounts,
    token: &str,
    now: At,
) -> Result<Option<User>, StoreError> {
    let Some(found) = accounts.token(&hash(token), now).await? else {
        return Ok(None);
    };
    if found.scope != FIRST_RUN {
        return Ok(None);
    }
    let user = accounts.user(&found.subject).await?;
    Ok(user.filter(|user| user.password.is_none()))
}
