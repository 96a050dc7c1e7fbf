//! Texts and names that belong to a customer.

use serde::{Deserialize, Serialize};

/// A customer's text or name, as far as the caller may see it.
///
/// Whoever implements the console decides this from the caller's permissions before the value leaves the server; a page
/// shows what it is given.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Personal {
    /// The caller holds [`Permission::Reveal`](super::Permission::Reveal) and asked to see it: the text itself.
    Shown(String),
    /// The caller does not: a stand-in that gives nothing away, for example `+55 •••• 1234` or `42 characters`.
    Masked(String),
    /// Nobody can see it any more: retention or an erasure took it.
    Pruned,
}
