//! For whom a call is, by headers or by what the client says about the request. Must never guess: two people's equal calls are
//! two calls.

use axum::http::HeaderMap;
use replygate_agents::mcp::plain;
use replygate_gate::SessionKey;
use replygate_gate::text::Tongue;
use replygate_gate::tools::Scope;
use serde_json::Value;

/// For whom a call is, as it says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Whom {
    channel: Option<String>,
    account: Option<String>,
    contact: Option<String>,
    conversation: Option<String>,
    /// The language of the notes.
    pub(crate) tongue: Tongue,
}

/// Why a call cannot be guarded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unclear {
    /// It does not say for whom it is, and its tool needs to know.
    #[error(
        "this tool is guarded and the call does not say for whom it is; nothing was done. The client has to send the \
         header x-replygate-{0}, or replygate/{0} in _meta"
    )]
    Missing(&'static str),
    /// It says so twice, and not the same.
    #[error(
        "the header x-replygate-{0} and replygate/{0} in _meta say different things; nothing was done"
    )]
    Disagrees(&'static str),
    /// It is no such text.
    #[error("replygate/{name} is no such text; nothing was done. Allowed: {allowed}")]
    Wrong {
        /// Which.
        name: &'static str,
        /// What is allowed.
        allowed: &'static str,
    },
}

const TEXT: &str = "a text of 1 to 256 bytes";

/// Reads for whom a call is. `channel` is that of calls that do not say theirs.
pub(crate) fn whom(
    headers: &HeaderMap,
    meta: &Value,
    channel: Option<&str>,
) -> Result<Whom, Unclear> {
    let said = |name: &'static str| said(headers, meta, name);
    let tongue = match said("language")? {
        None => Tongue::default(),
        Some(code) => Tongue::ALL
            .into_iter()
            .find(|tongue| tongue.code() == code)
            .ok_or(Unclear::Wrong {
                name: "language",
                allowed: "en, pt, es",
            })?,
    };
    Ok(Whom {
        channel: said("channel")?.or_else(|| channel.map(str::to_owned)),
        account: said("account")?,
        contact: said("contact")?,
        conversation: said("conversation")?,
        tongue,
    })
}

fn said(headers: &HeaderMap, meta: &Value, name: &'static str) -> Result<Option<String>, Unclear> {
    let wrong = || Unclear::Wrong {
        name,
        allowed: TEXT,
    };
    let mut headers = headers.get_all(format!("x-replygate-{name}")).iter();
    let header = match (headers.next(), headers.next()) {
        (None, _) => None,
        (Some(value), None) => Some(plain(value).ok_or_else(wrong)?),
        (Some(_), Some(_)) => return Err(wrong()),
    };
    let meta = match meta.get(format!("replygate/{name}")) {
        None => None,
        Some(value) => Some(value.as_str().ok_or_else(wrong)?.to_owned()),
    };
    let text = match (header, meta) {
        (Some(header), Some(meta)) if header != meta => return Err(Unclear::Disagrees(name)),
        (header, meta) => header.or(meta),
    };
    match text {
        Some(text) if !(1..=256).contains(&text.len()) => Err(wrong()),
        text => Ok(text),
    }
}

impl Whom {
    /// The channel, or nothing.
    pub(crate) fn channel(&self) -> &str {
        self.channel.as_deref().unwrap_or_default()
    }

    /// The chat that a call belongs to, as far as its tool's scope needs to know.
    pub(crate) fn key(&self, scope: Scope) -> Result<SessionKey, Unclear> {
        let channel = self.channel.clone();
        let channel = channel.ok_or(Unclear::Missing("channel"))?;
        let contact = match scope {
            Scope::Channel => self.contact.clone().unwrap_or_default(),
            Scope::Contact | Scope::Session => {
                let contact = self.contact.clone();
                contact.ok_or(Unclear::Missing("contact"))?
            }
        };
        let conversation = self.conversation.clone();
        Ok(SessionKey {
            channel,
            account: self.account.clone().unwrap_or_default(),
            conversation: conversation.unwrap_or_else(|| contact.clone()),
            contact,
        })
    }
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderName, HeaderValue};
    use serde_json::json;

    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let pairs = pairs.iter().map(|(name, value)| {
            let value = HeaderValue::from_bytes(value.as_bytes()).unwrap();
            (HeaderName::from_static(name), value)
        });
        pairs.collect()
    }

    #[test]
    fn it_is_told_by_headers_or_by_the_message() {
        let headers = headers(&[
            ("x-replygate-contact", "Ána"),
            ("x-replygate-channel", "shop"),
        ]);
        let meta = json!({"replygate/conversation": "group", "replygate/language": "es"});
        let whom = whom(&headers, &meta, None).unwrap();
        let key = whom.key(Scope::Contact).unwrap();
        assert_eq!(
            (&*key.channel, &*key.contact, &*key.conversation),
            ("shop", "Ána", "group")
        );
        assert_eq!(whom.tongue, Tongue::Spanish);
    }

    #[test]
    fn without_a_conversation_it_is_the_contacts_own() {
        let meta = json!({"replygate/contact": "rui"});
        let whom = whom(&HeaderMap::new(), &meta, Some("shop")).unwrap();
        let key = whom.key(Scope::Session).unwrap();
        assert_eq!((&*key.channel, &*key.conversation), ("shop", "rui"));
    }

    #[test]
    fn nobody_is_guessed() {
        let nothing = Value::Null;
        let asked = |channel, scope| {
            whom(&HeaderMap::new(), &nothing, channel).and_then(|whom| whom.key(scope))
        };
        assert_eq!(
            asked(Some("shop"), Scope::Contact),
            Err(Unclear::Missing("contact"))
        );
        assert_eq!(
            asked(None, Scope::Channel),
            Err(Unclear::Missing("channel"))
        );
        assert!(asked(Some("shop"), Scope::Channel).is_ok());
    }

    #[test]
    fn what_is_told_twice_must_be_the_same_and_be_a_text() {
        let one = headers(&[("x-replygate-contact", "ana")]);
        let read = |headers: &HeaderMap, meta: Value| whom(headers, &meta, Some("shop"));
        assert!(read(&one, json!({"replygate/contact": "ana"})).is_ok());
        assert_eq!(
            read(&one, json!({"replygate/contact": "rui"})),
            Err(Unclear::Disagrees("contact"))
        );
        let none = HeaderMap::new();
        for meta in [
            json!({"replygate/contact": ""}),
            json!({"replygate/contact": 7}),
            json!({"replygate/contact": "x".repeat(257)}),
            json!({"replygate/language": "fr"}),
        ] {
            assert!(
                matches!(read(&none, meta.clone()), Err(Unclear::Wrong { .. })),
                "{meta}"
            );
        }
    }
}
