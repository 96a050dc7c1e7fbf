//! Sign-ins as the session middleware stores them, over the accounts port. Must never store a cookie's value, only its
//! hash.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use replygate_gate::At;
use replygate_ports::accounts::{Accounts, SignIn};
use replygate_ports::clock::Clock;
use serde_json::Value;
use tower_sessions::SessionStore;
use tower_sessions::session::{Id, Record};
use tower_sessions::session_store::{Error, Result};

use super::door::{KEY, Person};
use super::tokens;

/// Where sign-ins live.
#[derive(Clone)]
pub(super) struct SignIns {
    accounts: Arc<dyn Accounts>,
    clock: Arc<dyn Clock>,
}

impl SignIns {
    pub(super) fn new(accounts: Arc<dyn Accounts>, clock: Arc<dyn Clock>) -> Self {
        Self { accounts, clock }
    }
}

impl fmt::Debug for SignIns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SignIns(…)")
    }
}

/// The name under which a cookie's sign-in is stored.
pub(super) fn key(id: &Id) -> String {
    tokens::hash(&id.to_string())
}

/// Who signed in there.
pub(super) fn person(sign_in: &SignIn) -> Option<Person> {
    let record: Record = serde_json::from_slice(&sign_in.data).ok()?;
    serde_json::from_value(record.data.get(KEY)?.clone()).ok()
}

fn backend(error: impl fmt::Display) -> Error {
    Error::Backend(error.to_string())
}

#[async_trait]
impl SessionStore for SignIns {
    async fn create(&self, record: &mut Record) -> Result<()> {
        // 128 random bits; a second draw is for the sake of the contract.
        while self.load(&record.id).await?.is_some() {
            record.id = Id::default();
        }
        self.save(record).await
    }

    async fn save(&self, record: &Record) -> Result<()> {
        let data = serde_json::to_vec(record).map_err(|error| Error::Encode(error.to_string()))?;
        let ends = record.expiry_date.unix_timestamp_nanos() / 1_000_000;
        let person = record.data.get(KEY).and_then(|value| value.get("name"));
        let sign_in = SignIn {
            id: key(&record.id),
            person: person
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned(),
            data,
            expires_at: At(i64::try_from(ends).unwrap_or(i64::MAX)),
        };
        self.accounts.save_sign_in(sign_in).await.map_err(backend)
    }

    async fn load(&self, id: &Id) -> Result<Option<Record>> {
        let now = self.clock.now();
        let found = self
            .accounts
            .sign_in(&key(id), now)
            .await
            .map_err(backend)?;
        found
            .map(|sign_in| serde_json::from_slice(&sign_in.data))
            .transpose()
            .map_err(|error| Error::Decode(error.to_string()))
    }

    async fn delete(&self, id: &Id) -> Result<()> {
        self.accounts.end_sign_in(&key(id)).await.map_err(backend)
    }
}
