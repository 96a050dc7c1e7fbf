//! What the live stream says: that something changed, never what it says now.

use super::{OperationId, SessionId};
use serde::{Deserialize, Serialize};

/// What a page wants to hear about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Topic {
    /// Every session.
    Sessions,
    /// One session.
    Session(SessionId),
    /// Sessions in which a reply began or ceased to wait for a person.
    Parked,
    /// One operation.
    Operation(OperationId),
    /// Tool calls that were held back.
    Duplicates,
}

impl Topic {
    /// The topic as it stands in the address of the stream: `sessions`, `session:ses_01J…`.
    #[must_use]
    pub fn stored(&self) -> String {
        match self {
            Self::Sessions => "sessions".to_owned(),
            Self::Session(id) => format!("session:{id}"),
            Self::Parked => "parked".to_owned(),
            Self::Operation(id) => format!("operation:{id}"),
            Self::Duplicates => "duplicates".to_owned(),
        }
    }

    /// The topic with this name.
    #[must_use]
    pub fn from_stored(name: &str) -> Option<Self> {
        let (kind, id) = name.split_once(':').unwrap_or((name, ""));
        match (kind, id) {
            ("sessions", "") => Some(Self::Sessions),
            ("parked", "") => Some(Self::Parked),
            ("duplicates", "") => Some(Self::Duplicates),
            (_, "") => None,
            ("session", id) => Some(Self::Session(id.into())),
            ("operation", id) => Some(Self::Operation(id.into())),
            _ => None,
        }
    }
}

/// One entry of the stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// This session (its messages and replies included) has reached this version.
    Session {
        /// Which.
        id: SessionId,
        /// Its version now.
        version: u64,
    },
    /// This operation has reached this version.
    Operation {
        /// Which.
        id: OperationId,
        /// Its version now.
        version: u64,
    },
    /// This record of a call that was held back is new, or was judged.
    Duplicate {
        /// Its name: `dup_01J…`.
        id: String,
    },
    /// The stream cannot say what was missed: fetch everything shown once.
    Resync,
}

#[cfg(test)]
mod tests {
    use super::Topic;

    #[test]
    fn a_topic_is_read_back_from_its_name() {
        for topic in [
            Topic::Sessions,
            Topic::Session("ses_1".into()),
            Topic::Parked,
            Topic::Operation("op_1".into()),
            Topic::Duplicates,
        ] {
            assert_eq!(Topic::from_stored(&topic.stored()), Some(topic));
        }
        assert_eq!(Topic::from_stored("session:"), None);
        assert_eq!(Topic::from_stored("passwords"), None);
    }
}
