//! Asking about messages.

use crate::view::query::Query;
use crate::view::{Around, ChannelRef, Cursor, MessageFilter, MessageRow, Page, Veil};
#[cfg(feature = "ssr")]
use crate::view::{ConsoleError, MessageId};
#[cfg(feature = "ssr")]
use leptos::prelude::*;
#[cfg(feature = "ssr")]
use leptos::server_fn::codec::Json;
use serde::{Deserialize, Serialize};

#[cfg(feature = "ssr")]
use super::{
    around::around,
    asking::{caller, console},
    veil::veil,
};

/// A filter as its form writes it into an address: words that nobody has read yet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MessagesAsked {
    /// Words, and terms such as `status:PARKED`; a term goes before the field of its name.
    pub q: Option<String>,
    /// A channel's id.
    pub channel: Option<String>,
    /// A status.
    pub status: Option<String>,
    /// A verdict.
    pub decision: Option<String>,
    /// Received at this time or later.
    pub from: Option<String>,
    /// Received before this time.
    pub to: Option<String>,
    /// Where the list goes on.
    pub after: Option<Cursor>,
}

/// What the messages page shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessagesView {
    /// The rows.
    pub page: Page<MessageRow>,
    /// The filter as it was understood.
    pub filter: MessageFilter,
    /// The channels that the filter offers.
    pub channels: Vec<ChannelRef>,
    /// What hides its texts from the reader.
    pub veil: Option<Veil>,
    /// What stands around the list.
    pub around: Around,
}

impl MessagesAsked {
    /// Whether everything is wanted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let place = Self {
            after: self.after.clone(),
            ..Self::default()
        };
        *self == place
    }

    /// Whether rows that arrive belong on this stretch: its first one, without an end.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.after.is_none() && self.to.is_none()
    }

    /// The address of the list with this filter, from `after` on.
    #[must_use]
    pub fn address(&self, after: Option<&Cursor>) -> String {
        let mut query = Query::new();
        query.add("q", self.q.as_deref());
        query.add("channel", self.channel.as_deref());
        query.add("status", self.status.as_deref());
        query.add("decision", self.decision.as_deref());
        query.add("from", self.from.as_deref());
        query.add("to", self.to.as_deref());
        query.add("after", after.map(Cursor::as_str));
        query.on("/messages")
    }

    /// What is asked for, understood.
    #[cfg(feature = "ssr")]
    pub(crate) fn read(
        &self,
        now: crate::view::At,
        zone: &crate::view::Zone,
    ) -> Result<MessageFilter, ConsoleError> {
        use crate::view::range::instant;
        use crate::view::terms::Terms;
        use crate::view::{StatusWord, VerdictWord};

        let known = ["channel", "status", "decision", "from", "to"];
        let terms = Terms::read(self.q.as_deref().unwrap_or_default(), &known)?;
        let of = |name: &str, field: &Option<String>| {
            terms
                .last(name)
                .map(str::to_owned)
                .or_else(|| field.clone())
        };
        let status = of("status", &self.status)
            .map(|word| {
                known_word(
                    "status",
                    &word,
                    StatusWord::from_any,
                    &StatusWord::allowed(),
                )
            })
            .transpose()?;
        let decision = of("decision", &self.decision)
            .map(|word| {
                known_word(
                    "decision",
                    &word,
                    VerdictWord::from_any,
                    &VerdictWord::allowed(),
                )
            })
            .transpose()?;
        let time = |name: &str, field: &Option<String>| {
            of(name, field)
                .map(|text| instant(name, &text, now, zone))
                .transpose()
        };
        Ok(MessageFilter {
            channel: of("channel", &self.channel).map(Into::into),
            status,
            decision,
            q: terms.text.clone(),
            from: time("from", &self.from)?,
            to: time("to", &self.to)?,
        })
    }
}

/// The value of a word, or what would be allowed.
#[cfg(feature = "ssr")]
pub(crate) fn known_word<T>(
    field: &str,
    word: &str,
    read: impl Fn(&str) -> Option<T>,
    allowed: &str,
) -> Result<T, ConsoleError> {
    read(word).ok_or_else(|| ConsoleError::Invalid {
        field: field.to_owned(),
        value: word.chars().take(64).collect(),
        allowed: allowed.to_owned(),
    })
}

/// The messages that match.
#[cfg(feature = "ssr")]
#[server(prefix = "/api", endpoint = "messages/list", input = Json)]
pub async fn list_messages(asked: MessagesAsked) -> Result<MessagesView, ConsoleError> {
    use crate::view::{ListWord, Veiled, VeiledList};
    let (console, who) = (console()?, caller()?);
    let filter = asked.read(console.now(), &crate::plain::viewer().zone)?;
    let here = asked.address(None);
    let back = asked.address(asked.after.as_ref());
    let page = crate::view::PageQuery::behind(asked.after);
    let page = console.messages(&who, filter.clone(), page).await?;
    let channels = console.channels(&who).await?;
    let channels = channels
        .into_iter()
        .map(|channel| channel.channel)
        .collect();
    Ok(MessagesView {
        page,
        filter,
        channels,
        veil: veil(&*console, &who, &Veiled::List(VeiledList::Messages), back).await?,
        around: around(&*console, &who, ListWord::Messages, here).await?,
    })
}

/// The present rows of these messages.
#[cfg(feature = "ssr")]
#[server(prefix = "/api", endpoint = "messages/rows", input = Json)]
pub async fn refresh_messages(ids: Vec<MessageId>) -> Result<Page<MessageRow>, ConsoleError> {
    let (console, who) = (console()?, caller()?);
    console.message_rows(&who, ids).await
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::MessagesAsked;
    use crate::view::{At, ConsoleError, StatusWord, VerdictWord, Zone};

    const NOW: At = At(1_709_251_200_000);

    fn asked(q: &str) -> MessagesAsked {
        MessagesAsked {
            q: Some(q.to_owned()),
            ..MessagesAsked::default()
        }
    }

    #[test]
    fn terms_fill_the_filter_and_go_before_fields() {
        let mut asked = asked("status:merged decision:cancel channel:shop from:now-1h pix");
        asked.status = Some("PARKED".to_owned());
        let filter = asked.read(NOW, &Zone::utc()).unwrap();
        assert_eq!(filter.status, Some(StatusWord::Superseded));
        assert_eq!(filter.decision, Some(VerdictWord::CancelFirst));
        assert_eq!(filter.channel.unwrap().as_str(), "shop");
        assert_eq!(filter.from, Some(At(NOW.0 - 3_600_000)));
        assert_eq!(filter.q.as_deref(), Some("pix"));
    }

    #[test]
    fn what_cannot_be_understood_is_named() {
        for (q, field) in [
            ("status:sent", "status"),
            ("decision:maybe", "decision"),
            ("from:yesterday", "from"),
            ("age:3m", "q"),
        ] {
            let error = asked(q).read(NOW, &Zone::utc()).unwrap_err();
            assert!(
                matches!(&error, ConsoleError::Invalid { field: own, .. } if own == field),
                "{q}: {error}"
            );
        }
    }
}
