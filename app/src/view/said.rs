//! What a form came to, in the address that it leads to: which request was carried out, or why none was. The page there
//! reads the rest from the store.

use super::query::Query;
use super::{ConsoleError, Permission, RequestId};

/// Why nothing was done, as terms of an address.
pub(crate) fn refused(query: &mut Query, error: &ConsoleError) {
    match error {
        ConsoleError::NotSignedIn => query.add("no", Some("signed_out")),
        ConsoleError::Forbidden { permission } => {
            query.add("no", Some("forbidden"));
            query.add("what", Some(permission.stored()));
        }
        ConsoleError::NotFound { what } => {
            query.add("no", Some("gone"));
            query.add("what", Some(what));
        }
        ConsoleError::Invalid {
            field,
            value,
            allowed,
        } => {
            query.add("no", Some("invalid"));
            query.add("what", Some(field));
            query.add("value", Some(value));
            query.add("allowed", Some(allowed));
        }
        ConsoleError::Conflict { now, by, .. } => {
            query.add("no", Some("conflict"));
            query.add("what", Some(now));
            query.add("by", by.as_deref());
        }
        ConsoleError::Refused { check } => {
            query.add("no", Some("refused"));
            query.add("what", Some(check));
        }
        ConsoleError::TookTooLong => query.add("no", Some("too_long")),
        ConsoleError::Unavailable => query.add("no", Some("unavailable")),
    }
}

/// What a form came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    /// Nothing was sent to this page by a form.
    Nothing,
    /// This request was carried out, or so the form was told: the store says what it did.
    Done(RequestId),
    /// Nothing was done, for this reason.
    Refused(ConsoleError),
}

impl Said {
    /// Reads the terms of an address. Whatever stands there is only words: nothing is believed that the store can say.
    pub(crate) fn read(term: impl Fn(&str) -> Option<String>) -> Self {
        if let Some(request) = term("did") {
            return Self::Done(RequestId(request));
        }
        let what = || term("what").unwrap_or_default();
        let error = match term("no").as_deref() {
            Some("forbidden") => match Permission::from_stored(&what()) {
                Some(permission) => ConsoleError::Forbidden { permission },
                None => return Self::Nothing,
            },
            Some("gone") => ConsoleError::NotFound { what: what() },
            Some("invalid") => ConsoleError::Invalid {
                field: what(),
                value: term("value").unwrap_or_default(),
                allowed: term("allowed").unwrap_or_default(),
            },
            Some("conflict") => ConsoleError::Conflict {
                now: what(),
                by: term("by"),
                at: None,
            },
            Some("refused") => ConsoleError::Refused { check: what() },
            Some("too_long") => ConsoleError::TookTooLong,
            Some("unavailable") => ConsoleError::Unavailable,
            _ => return Self::Nothing,
        };
        Self::Refused(error)
    }
}

#[cfg(test)]
mod tests {
    use super::{Said, refused};
    use crate::view::query::Query;
    use crate::view::{ConsoleError, Permission, RequestId};

    fn read(address: &str) -> Said {
        let query = address.split_once('?').map_or("", |(_, query)| query);
        let pairs: Vec<_> = form_urlencoded::parse(query.as_bytes())
            .into_owned()
            .collect();
        Said::read(|name| {
            let found = pairs.iter().find(|(own, _)| own == name);
            found.map(|(_, value)| value.clone())
        })
    }

    #[test]
    fn a_refusal_is_read_back_from_its_address() {
        let errors = [
            ConsoleError::Forbidden {
                permission: Permission::ActOnOne,
            },
            ConsoleError::NotFound {
                what: "reply".to_owned(),
            },
            ConsoleError::Invalid {
                field: "reason".to_owned(),
                value: "a&b".to_owned(),
                allowed: "why".to_owned(),
            },
            ConsoleError::Conflict {
                now: "DELIVERED".to_owned(),
                by: Some("Ana".to_owned()),
                at: None,
            },
            ConsoleError::Refused {
                check: "same_text".to_owned(),
            },
            ConsoleError::TookTooLong,
            ConsoleError::Unavailable,
        ];
        for error in errors {
            let mut query = Query::new();
            refused(&mut query, &error);
            assert_eq!(read(&query.on("/x")), Said::Refused(error));
        }
    }

    #[test]
    fn an_address_without_such_terms_says_nothing() {
        assert_eq!(read("/x?no=whatever"), Said::Nothing);
        assert_eq!(read("/x?no=forbidden&what=everything"), Said::Nothing);
        assert_eq!(
            read("/x?did=req_1"),
            Said::Done(RequestId("req_1".to_owned()))
        );
    }
}
