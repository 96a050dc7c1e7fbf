//! Why the console could not do what was asked. Fit for a person to read; never holds an internal text.

use super::{At, Permission};
#[cfg(feature = "ssr")]
use leptos::server_fn::codec::JsonEncoding;
#[cfg(feature = "ssr")]
use leptos::server_fn::error::{FromServerFnError, ServerFnErrorErr};
use serde::{Deserialize, Serialize};

/// Every way in which the seam says no.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum ConsoleError {
    /// Nobody is signed in, or the sign-in is over.
    #[error("nobody is signed in")]
    NotSignedIn,
    /// The caller may not do this.
    #[error("the permission {permission:?} is missing")]
    Forbidden {
        /// What is missing.
        permission: Permission,
    },
    /// There is no such thing, or it is gone.
    #[error("{what} was not found")]
    NotFound {
        /// What sort of thing: `session`, `message`, `reply`, `channel`, `version`.
        what: String,
    },
    /// A value is not allowed. Nothing was changed.
    #[error("{field} is {value:?}; allowed is {allowed}")]
    Invalid {
        /// The field or filter term, as the form names it.
        field: String,
        /// What was given.
        value: String,
        /// What would be allowed.
        allowed: String,
    },
    /// What was seen is no longer so: somebody was faster. Nothing was changed.
    #[error("it changed meanwhile: {now}")]
    Conflict {
        /// How it stands now, as a stored word: a status, `generation 3`, `version 8`.
        now: String,
        /// Who changed it, where known.
        by: Option<String>,
        /// When, where known.
        at: Option<At>,
    },
    /// A check speaks against the command, and it was not overruled. Nothing was changed.
    #[error("a check refused it: {check}")]
    Refused {
        /// The check, as a stored word, for example `another_reply_delivered`.
        check: String,
    },
    /// Reading took longer than one question to the store may. Nothing was changed.
    #[error("it took too long to read")]
    TookTooLong,
    /// The store or the server cannot answer now. Whether a command was done is not known.
    #[error("the server cannot answer now")]
    Unavailable,
}

#[cfg(feature = "ssr")]
impl FromServerFnError for ConsoleError {
    type Encoder = JsonEncoding;

    /// What goes wrong between the browser and the server is all one to the reader: the answer did not come. A broken
    /// argument is the exception, it can be named.
    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        match error {
            ServerFnErrorErr::Args(_) | ServerFnErrorErr::MissingArg(_) => Self::Invalid {
                field: "request".to_owned(),
                value: String::new(),
                allowed: "what this page sends".to_owned(),
            },
            _ => Self::Unavailable,
        }
    }
}
