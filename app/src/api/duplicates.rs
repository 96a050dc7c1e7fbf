//! Asking about tool calls that were held back.

#[cfg(feature = "ssr")]
use crate::view::ConsoleError;
use crate::view::query::Query;
use crate::view::{
    Around, ChannelRef, Cursor, DuplicateFilter, DuplicateRow, GuardFigures, Page, RequestId,
    UnknownCall, Veil,
};
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
pub struct DuplicatesAsked {
    /// Terms such as `verdict:none`; a term goes before the field of its name.
    pub q: Option<String>,
    /// A tool's name.
    pub tool: Option<String>,
    /// A channel's id.
    pub channel: Option<String>,
    /// A verdict, or `none`.
    pub verdict: Option<String>,
    /// Held back at this time or later.
    pub from: Option<String>,
    /// Held back before this time.
    pub to: Option<String>,
    /// Where the list goes on.
    pub after: Option<Cursor>,
    /// The call that a form settled which led here.
    pub settled: Option<String>,
    /// What a form came to that led here.
    pub said: SaidTerms,
}

/// What the page of avoided duplicates shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DuplicatesView {
    /// The rows.
    pub page: Page<DuplicateRow>,
    /// The filter as it was understood.
    pub filter: DuplicateFilter,
    /// The channels that the filter offers.
    pub channels: Vec<ChannelRef>,
    /// The tools that the filter offers.
    pub tools: Vec<String>,
    /// How the guard does, where it was counted in time.
    pub figures: Option<GuardFigures>,
    /// Calls whose outcome nobody knows.
    pub unknown: Vec<UnknownCall>,
    /// Whether the reader may settle them.
    pub may_settle: bool,
    /// Minted with the page, for its forms.
    pub request_id: RequestId,
    /// What came of a form that led here.
    pub told: Option<Told>,
    /// What hides its texts from the reader.
    pub veil: Option<Veil>,
    /// What stands around the list.
    pub around: Around,
}

impl DuplicatesAsked {
    /// Whether everything is wanted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let place = Self {
            after: self.after.clone(),
            settled: self.settled.clone(),
            said: self.said.clone(),
            ..Self::default()
        };
        *self == place
    }

    /// Whether records that arrive belong on this stretch: its first one, without an end.
    #[must_use]
    pub fn is_open(&self, filter: &DuplicateFilter) -> bool {
        self.after.is_none() && filter.to.is_none()
    }

    /// The address of the list with this filter, from `after` on.
    #[must_use]
    pub fn address(&self, after: Option<&Cursor>) -> String {
        let mut query = Query::new();
        query.add("q", self.q.as_deref());
        query.add("tool", self.tool.as_deref());
        query.add("channel", self.channel.as_deref());
        query.add("verdict", self.verdict.as_deref());
        query.add("from", self.from.as_deref());
        query.add("to", self.to.as_deref());
        query.add("after", after.map(Cursor::as_str));
        query.on("/duplicates")
    }

    /// What is asked for, understood.
    #[cfg(feature = "ssr")]
    pub(crate) fn read(
        &self,
        now: crate::view::At,
        zone: &crate::view::Zone,
    ) -> Result<DuplicateFilter, ConsoleError> {
        use super::messages::known_word;
        use crate::view::OpinionWord;
        use crate::view::range::instant;
        use crate::view::terms::Terms;

        let known = ["tool", "channel", "verdict", "from", "to"];
        let terms = Terms::read(self.q.as_deref().unwrap_or_default(), &known)?;
        if let Some(words) = &terms.text {
            return Err(ConsoleError::Invalid {
                field: "q".to_owned(),
                value: words.chars().take(64).collect(),
                allowed: "tool: channel: verdict: from: to:".to_owned(),
            });
        }
        let of = |name: &str, field: &Option<String>| {
            terms
                .last(name)
                .map(str::to_owned)
                .or_else(|| field.clone())
        };
        let word = of("verdict", &self.verdict);
        let unjudged = word.as_deref() == Some(UNJUDGED);
        let words = OpinionWord::ALL.iter().map(|word| word.stored());
        let allowed: Vec<_> = std::iter::once(UNJUDGED).chain(words).collect();
        let verdict = word
            .filter(|_| !unjudged)
            .map(|word| {
                let read = OpinionWord::from_stored;
                known_word("verdict", &word, read, &allowed.join(", "))
            })
            .transpose()?;
        let time = |name: &str, field: &Option<String>| {
            of(name, field)
                .map(|text| instant(name, &text, now, zone))
                .transpose()
        };
        Ok(DuplicateFilter {
            tool: of("tool", &self.tool),
            channel: of("channel", &self.channel),
            verdict,
            unjudged,
            from: time("from", &self.from)?,
            to: time("to", &self.to)?,
        })
    }
}

/// The word for records without a verdict.
pub const UNJUDGED: &str = "none";

/// The records that match, and what stands around them.
#[cfg(feature = "ssr")]
#[server(prefix = "/api", endpoint = "duplicates/list", input = Json)]
pub async fn list_duplicates(asked: DuplicatesAsked) -> Result<DuplicatesView, ConsoleError> {
    use crate::view::{ListWord, PageQuery, Permission, Veiled, VeiledList};
    let (console, who) = (console()?, caller()?);
    let filter = asked.read(console.now(), &crate::plain::viewer().zone)?;
    let here = asked.address(None);
    let back = asked.address(asked.after.as_ref());
    let page = PageQuery::behind(asked.after.clone());
    let page = console.duplicates(&who, filter.clone(), page).await?;
    let channels = console.channels(&who).await?;
    let channels = channels
        .into_iter()
        .map(|channel| channel.channel)
        .collect();
    let settled = match asked.settled {
        Some(call) => console.settlement(&who, call).await?,
        None => None,
    };
    let settled = settled.map(|call| Told {
        done: true,
        text: (crate::words::words().duplicate.settled)(&call),
    });
    Ok(DuplicatesView {
        page,
        filter,
        channels,
        tools: console.tool_names(&who).await?,
        figures: console.guard_figures(&who).await?,
        unknown: console.unknown_calls(&who).await?,
        may_settle: who.may(Permission::ActOnOne),
        request_id: console.mint(),
        told: match settled {
            Some(settled) => Some(settled),
            None => told(&*console, &who, &asked.said).await?,
        },
        veil: veil(&*console, &who, &Veiled::List(VeiledList::Duplicates), back).await?,
        around: around(&*console, &who, ListWord::Duplicates, here).await?,
    })
}

/// The same stretch of the list again, and nothing around it.
#[cfg(feature = "ssr")]
#[server(prefix = "/api", endpoint = "duplicates/again", input = Json)]
pub async fn again_duplicates(asked: DuplicatesAsked) -> Result<Page<DuplicateRow>, ConsoleError> {
    use crate::view::PageQuery;
    let (console, who) = (console()?, caller()?);
    let filter = asked.read(console.now(), &crate::plain::viewer().zone)?;
    let page = PageQuery::behind(asked.after.clone());
    console.duplicates(&who, filter, page).await
}

/// The present rows of these records.
#[cfg(feature = "ssr")]
#[server(prefix = "/api", endpoint = "duplicates/rows", input = Json)]
pub async fn refresh_duplicates(ids: Vec<String>) -> Result<Page<DuplicateRow>, ConsoleError> {
    let (console, who) = (console()?, caller()?);
    console.duplicate_rows(&who, ids).await
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::DuplicatesAsked;
    use crate::view::{At, ConsoleError, OpinionWord, Zone};

    const NOW: At = At(1_709_251_200_000);

    fn asked(q: &str) -> DuplicatesAsked {
        DuplicatesAsked {
            q: Some(q.to_owned()),
            ..DuplicatesAsked::default()
        }
    }

    #[test]
    fn terms_fill_the_filter_and_go_before_fields() {
        let mut asked = asked("verdict:none tool:email.send channel:shop from:now-1h");
        asked.verdict = Some("right".to_owned());
        let filter = asked.read(NOW, &Zone::utc()).unwrap();
        assert!(filter.unjudged && filter.verdict.is_none());
        assert_eq!(filter.tool.as_deref(), Some("email.send"));
        assert_eq!(filter.channel.as_deref(), Some("shop"));
        assert_eq!(filter.from, Some(At(NOW.0 - 3_600_000)));
        assert!(filter.takes(None) && !filter.takes(Some(OpinionWord::Right)));
    }

    #[test]
    fn what_cannot_be_understood_is_named() {
        for (q, field) in [
            ("verdict:maybe", "verdict"),
            ("from:yesterday", "from"),
            ("why:twice", "q"),
            ("psicologia", "q"),
        ] {
            let error = asked(q).read(NOW, &Zone::utc()).unwrap_err();
            assert!(
                matches!(&error, ConsoleError::Invalid { field: own, .. } if own == field),
                "{q}: {error}"
            );
        }
    }
}
