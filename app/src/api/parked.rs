//! Asking about what waits for a person.

use crate::view::query::Query;
use crate::view::{Around, ChannelRef, Cursor, Inbox, ParkedFilter, RequestId, Veil};
#[cfg(feature = "ssr")]
use crate::view::{ConsoleError, Page, ParkedRow, ReplyId};
#[cfg(feature = "ssr")]
use leptos::prelude::*;
#[cfg(feature = "ssr")]
use leptos::server_fn::codec::Json;
use serde::{Deserialize, Serialize};

use super::{SaidTerms, Told};
#[cfg(feature = "ssr")]
use super::{
    around::around,
    asking::{caller, console},
    told::told,
    veil::veil,
};

/// A filter as its form writes it into an address: words that nobody has read yet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ParkedAsked {
    /// Words, and terms such as `why:lock_stuck`; a term goes before the field of its name.
    pub q: Option<String>,
    /// A reason, by stored word.
    pub why: Option<String>,
    /// A channel's id.
    pub channel: Option<String>,
    /// Waits at least so long: `15m`.
    pub age: Option<String>,
    /// A ready-made view.
    pub view: Option<String>,
    /// Where the list goes on.
    pub after: Option<Cursor>,
    /// What a form came to that led here.
    pub said: SaidTerms,
}

/// What the inbox shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParkedView {
    /// What waits.
    pub inbox: Inbox,
    /// The filter as it was understood.
    pub filter: ParkedFilter,
    /// The channels that the filter offers.
    pub channels: Vec<ChannelRef>,
    /// Whether the reader may act on many at once.
    pub may_act: bool,
    /// Minted with the page, for the form around the list.
    pub request_id: RequestId,
    /// What came of a form that led here.
    pub told: Option<Told>,
    /// What hides its texts from the reader.
    pub veil: Option<Veil>,
    /// What stands around the list.
    pub around: Around,
}

impl ParkedAsked {
    /// Whether everything is wanted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let place = Self {
            after: self.after.clone(),
            said: self.said.clone(),
            ..Self::default()
        };
        *self == place
    }

    /// The address of the list with this filter, from `after` on.
    #[must_use]
    pub fn address(&self, after: Option<&Cursor>) -> String {
        let mut query = Query::new();
        query.add("q", self.q.as_deref());
        query.add("why", self.why.as_deref());
        query.add("channel", self.channel.as_deref());
        query.add("age", self.age.as_deref());
        query.add("view", self.view.as_deref());
        query.add("after", after.map(Cursor::as_str));
        query.on("/parked")
    }

    /// What is asked for, understood.
    #[cfg(feature = "ssr")]
    pub(crate) fn read(&self) -> Result<ParkedFilter, ConsoleError> {
        use super::messages::known_word;
        use crate::view::range::span;
        use crate::view::terms::Terms;

        let terms = Terms::read(
            self.q.as_deref().unwrap_or_default(),
            &["why", "channel", "age", "view"],
        )?;
        let of = |name: &str, field: &Option<String>| {
            terms
                .last(name)
                .map(str::to_owned)
                .or_else(|| field.clone())
        };
        let age = |text: &str| span(text.trim_start_matches('>'));
        let waited = of("age", &self.age)
            .map(|text| known_word("age", &text, age, "15m, 2h, 1d"))
            .transpose()?;
        let views = crate::view::InboxView::ALL;
        let allowed: Vec<_> = views.iter().map(|view| view.stored()).collect();
        let view = of("view", &self.view)
            .map(|word| {
                let read = crate::view::InboxView::from_stored;
                known_word("view", &word, read, &allowed.join(", "))
            })
            .transpose()?;
        let reasons = WHY.join(", ");
        let why = of("why", &self.why)
            .map(|word| {
                let known = |word: &str| WHY.contains(&word).then(|| word.to_owned());
                known_word("why", &word, known, &reasons)
            })
            .transpose()?;
        Ok(ParkedFilter {
            why,
            channel: of("channel", &self.channel).map(Into::into),
            waited_ms: waited,
            q: terms.text.clone(),
            view,
        })
    }
}

/// The reasons for which a reply may wait, by stored word. A test holds them against the domain's.
pub const WHY: [&str; 9] = [
    "lock_stuck",
    "channel_refused",
    "channel_failed",
    "agent_failed",
    "replacement_failed",
    "human_takeover",
    "too_old",
    "text_unreadable",
    "unknown",
];

/// What waits and matches.
#[cfg(feature = "ssr")]
#[server(prefix = "/api", endpoint = "parked/list", input = Json)]
pub async fn list_parked(asked: ParkedAsked) -> Result<ParkedView, ConsoleError> {
    use crate::view::{ListWord, PageQuery, Permission, Veiled, VeiledList};
    let (console, who) = (console()?, caller()?);
    let filter = asked.read()?;
    let here = asked.address(None);
    let back = asked.address(asked.after.as_ref());
    let page = PageQuery::behind(asked.after.clone());
    let inbox = console.parked(&who, filter.clone(), page).await?;
    let channels = console.channels(&who).await?;
    let channels = channels
        .into_iter()
        .map(|channel| channel.channel)
        .collect();
    Ok(ParkedView {
        inbox,
        filter,
        channels,
        may_act: who.may(Permission::ActOnMany),
        request_id: console.mint(),
        told: told(&*console, &who, &asked.said).await?,
        veil: veil(&*console, &who, &Veiled::List(VeiledList::Parked), back).await?,
        around: around(&*console, &who, ListWord::Parked, here).await?,
    })
}

/// The present rows of these replies.
#[cfg(feature = "ssr")]
#[server(prefix = "/api", endpoint = "parked/rows", input = Json)]
pub async fn refresh_parked(ids: Vec<ReplyId>) -> Result<Page<ParkedRow>, ConsoleError> {
    let (console, who) = (console()?, caller()?);
    console.parked_rows(&who, ids).await
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::{ParkedAsked, WHY};
    use crate::view::{ConsoleError, InboxView};
    use replygate_gate::ParkReason;

    fn asked(q: &str) -> ParkedAsked {
        ParkedAsked {
            q: Some(q.to_owned()),
            ..ParkedAsked::default()
        }
    }

    #[test]
    fn every_reason_of_the_domain_can_be_asked_for() {
        for reason in ParkReason::ALL {
            assert!(WHY.contains(&reason.as_str()), "{reason}");
        }
        assert_eq!(WHY.len(), ParkReason::ALL.len() + 1);
    }

    #[test]
    fn terms_fill_the_filter() {
        let filter = asked("why:lock_stuck age:>15m view:late pix")
            .read()
            .unwrap();
        assert_eq!(filter.why.as_deref(), Some("lock_stuck"));
        assert_eq!(filter.waited_ms, Some(900_000));
        assert_eq!(filter.view, Some(InboxView::Late));
        assert_eq!(filter.q.as_deref(), Some("pix"));
    }

    #[test]
    fn what_cannot_be_understood_is_named() {
        for (q, field) in [
            ("why:bored", "why"),
            ("age:long", "age"),
            ("view:mine", "view"),
            ("status:PARKED", "q"),
        ] {
            let error = asked(q).read().unwrap_err();
            assert!(
                matches!(&error, ConsoleError::Invalid { field: own, .. } if own == field),
                "{q}: {error}"
            );
        }
    }
}
