//! For whom a call is. Must never guess: two people's equal calls are two calls.

use http::HeaderMap;
use replygate_gate::SessionKey;
use replygate_gate::tools::Scope;
use serde_json::Value;

/// The call does not say for whom it is, and its tool needs to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "this tool is guarded and the call does not say for whom it is: send the headers X-Replygate-Channel and \
     X-Replygate-Contact, or replygate/channel and replygate/contact in _meta"
)]
pub(crate) struct NoContact;

/// Reads it from the headers, or from what the client says about the request; a header wins.
pub(crate) fn whom(
    headers: &HeaderMap,
    meta: &Value,
    channel: Option<&str>,
    scope: Scope,
) -> Result<SessionKey, NoContact> {
    let said = |what: &str| {
        let header = headers.get(format!("x-replygate-{what}"));
        let header = header.and_then(|value| std::str::from_utf8(value.as_bytes()).ok());
        let header = header.map(str::trim).filter(|text| !text.is_empty());
        let meta = meta[format!("replygate/{what}")].as_str();
        header.or(meta.filter(|text| !text.is_empty())).map(str::to_owned)
    };
    let channel = said("channel").or_else(|| channel.map(str::to_owned));
    let contact = said("contact");
    let contact = match scope {
        Scope::Channel => contact.unwrap_or_default(),
        Scope::Contact | Scope::Session => contact.ok_or(NoContact)?,
    };
    Ok(SessionKey {
        channel: channel.ok_or(NoContact)?,
        account: said("account").unwrap_or_default(),
        conversation: said("conversation").unwrap_or_else(|| contact.clone()),
        contact,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let pairs = pairs.iter().map(|(name, value)| {
            (name.parse().unwrap(), value.parse().unwrap())
        });
        pairs.collect()
    }

    #[test]
    fn a_header_wins_over_what_the_message_says() {
        let headers = headers(&[("x-replygate-contact", "ana"), ("x-replygate-channel", "shop")]);
        let meta = json!({"replygate/contact": "rui", "replygate/conversation": "group"});
        let key = whom(&headers, &meta, None, Scope::Contact).unwrap();
        assert_eq!((&*key.channel, &*key.contact, &*key.conversation), ("shop", "ana", "group"));
    }

    #[test]
    fn without_a_conversation_it_is_the_contacts_own() {
        let meta = json!({"replygate/contact": "rui"});
        let key = whom(&HeaderMap::new(), &meta, Some("shop"), Scope::Session).unwrap();
        assert_eq!(key.conversation, "rui");
    }

    #[test]
    fn nobody_is_guessed() {
        let nothing = Value::Null;
        let asked = |channel, scope| whom(&HeaderMap::new(), &nothing, channel, scope);
        assert_eq!(asked(Some("shop"), Scope::Contact), Err(NoContact));
        assert_eq!(asked(None, Scope::Channel), Err(NoContact));
        assert!(asked(Some("shop"), Scope::Channel).is_ok());
    }
}
