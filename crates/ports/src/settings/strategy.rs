//! What happens to messages that come while a reply is on its way.

use serde::{Deserialize, Serialize};

/// What happens to messages that come while a reply is on its way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// An evaluator judges held replies against the newer messages.
    #[default]
    Triage,
}
