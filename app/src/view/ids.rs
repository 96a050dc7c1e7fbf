//! Names of things as they appear in addresses. The console compares and prints them and never looks inside.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl $name {
            /// The id as text, as it stands in an address.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }
    };
}

id!(
    /// One conversation with one human, for example `ses_01J…`.
    SessionId
);
id!(
    /// One message from a customer, for example `msg_01J…`.
    MessageId
);
id!(
    /// One reply to a customer, for example `rep_01J…`.
    ReplyId
);
id!(
    /// One entry of a session's event log.
    EventId
);
id!(
    /// A channel as it is named in the configuration, for example `shop-webchat`.
    ChannelId
);
id!(
    /// A person who may sign in to the console.
    UserId
);
id!(
    /// One run over many replies, for example `op_01J…`.
    OperationId
);
id!(
    /// Minted with each rendered form; a command that arrives twice under one request id happens once.
    RequestId
);
id!(
    /// Where a list goes on. Made and read by the server only; opaque to everyone else.
    Cursor
);

impl SessionId {
    /// The address of its page.
    #[must_use]
    pub fn address(&self) -> String {
        format!("/sessions/{}", super::query::segment(&self.0))
    }
}

impl MessageId {
    /// The address of its page.
    #[must_use]
    pub fn address(&self) -> String {
        format!("/messages/{}", super::query::segment(&self.0))
    }
}

impl ReplyId {
    /// The address of the page on which a reply that waits is decided.
    #[must_use]
    pub fn decide_address(&self) -> String {
        format!("/parked/{}/reprocess", super::query::segment(&self.0))
    }

    /// The address of the reply in its conversation.
    #[must_use]
    pub fn address_in(&self, session: &SessionId) -> String {
        format!("{}#r-{}", session.address(), self.0)
    }
}

impl ChannelId {
    /// The address of its settings.
    #[must_use]
    pub fn address(&self) -> String {
        format!("/channels/{}", super::query::segment(&self.0))
    }

    /// The address of its debounce lab.
    #[must_use]
    pub fn lab_address(&self) -> String {
        format!("{}/debounce", self.address())
    }

    /// The address of one version of its settings.
    #[must_use]
    pub fn version_address(&self, number: u32) -> String {
        format!("{}/versions/{number}", self.address())
    }
}

impl OperationId {
    /// The address of its page.
    #[must_use]
    pub fn address(&self) -> String {
        format!("/operations/{}", super::query::segment(&self.0))
    }
}
