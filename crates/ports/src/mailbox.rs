//! The built-in mailbox: mails that agents sent, kept and not sent further, for demonstrations and tests. Must never
//! decide whether two mails are the same: that is the guard's business.

use async_trait::async_trait;
use replygate_gate::{ActionId, At, SessionKey};
use serde::{Deserialize, Serialize};

use crate::store::StoreError;

/// A mail in the mailbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mail {
    /// The call that sent it, so that a call that is repeated sends none twice.
    pub id: ActionId,
    /// In whose conversation.
    pub whom: SessionKey,
    /// To whom.
    pub to: Vec<String>,
    /// What it is about.
    pub subject: String,
    /// What it says.
    pub body: String,
    /// When it was sent.
    pub sent_at: At,
}

/// Which mails.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MailQuery {
    /// Only on this channel.
    pub channel: Option<String>,
    /// Only of this contact.
    pub contact: Option<String>,
    /// Only behind this key: sending and id of the last row seen.
    pub after: Option<(At, ActionId)>,
    /// At most so many.
    pub limit: u32,
}

/// The built-in mailbox.
#[async_trait]
pub trait Mailbox: Send + Sync {
    /// Adds a mail durably; one whose id is known changes nothing.
    async fn send_mail(&self, mail: Mail) -> Result<(), StoreError>;

    /// Removes mails that were sent before `before`, at most `limit`; how many.
    async fn prune_mails(&self, before: At, limit: u32) -> Result<u64, StoreError>;

    /// Mails, newest first.
    async fn mails(&self, query: &MailQuery) -> Result<Vec<Mail>, StoreError>;
}
