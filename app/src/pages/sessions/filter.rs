//! What the address of the sessions page asks for, and the form that writes it.

#[cfg(feature = "ssr")]
use crate::view::ConsoleError;
use crate::view::{ChannelRef, Cursor, PageQuery, SessionFilter, SessionStateWord};
use crate::words::words;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// A filter and a place in the list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Wanted {
    pub(super) filter: SessionFilter,
    pub(super) after: Option<Cursor>,
}

impl Wanted {
    /// Reads a query. A state that does not exist is named, never ignored.
    #[cfg(feature = "ssr")]
    pub(super) fn read(query: &leptos_router::params::ParamsMap) -> Result<Self, ConsoleError> {
        let given = |name| query.get(name).filter(|value| !value.is_empty());
        let filter = SessionFilter {
            channel: given("channel").map(Into::into),
            state: given("state").map(|word| state(&word)).transpose()?,
            q: given("q"),
        };
        Ok(Self {
            filter,
            after: given("after").map(Into::into),
        })
    }

    pub(super) fn page(&self) -> PageQuery {
        PageQuery::behind(self.after.clone())
    }
}

#[cfg(feature = "ssr")]
fn state(word: &str) -> Result<SessionStateWord, ConsoleError> {
    SessionStateWord::from_stored(word).ok_or_else(|| ConsoleError::Invalid {
        field: "state".to_owned(),
        value: word.to_owned(),
        allowed: SessionStateWord::ALL
            .map(SessionStateWord::stored)
            .join(", "),
    })
}

/// The filter as a plain form: it works before and without scripts.
#[component]
pub(super) fn Filter(filter: SessionFilter, channels: Vec<ChannelRef>) -> impl IntoView {
    let words = &words().sessions;
    let (clear, channel) = (!filter.is_empty(), filter.channel);
    let channels = channels
        .into_iter()
        .map(|each| {
            let chosen = channel.as_ref() == Some(&each.id);
            view! { <option value=each.id.0 selected=chosen>{each.name}</option> }
        })
        .collect_view();
    let states = SessionStateWord::ALL
        .map(|each| {
            let word = (crate::words::words().domain.state)(each);
            let chosen = filter.state == Some(each);
            view! { <option value=each.stored() selected=chosen>{word}</option> }
        })
        .collect_view();
    view! {
        <form class="filter" method="get" action="/sessions" role="search" aria-label=words.filter>
            <label>{words.channel}<select name="channel">
                <option value="">{words.any}</option>
                {channels}
            </select></label>
            <label>{words.state}<select name="state">
                <option value="">{words.any}</option>
                {states}
            </select></label>
            <label>{words.query}<input type="search" name="q" value=filter.q data-key="/"/></label>
            <button type="submit">{words.apply}</button>
            {clear.then(|| view! { <a href="/sessions">{words.clear}</a> })}
        </form>
    }
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::Wanted;
    use crate::view::{ConsoleError, SessionStateWord};
    use leptos_router::params::ParamsMap;

    #[test]
    fn empty_fields_of_the_form_filter_nothing() {
        let query = ParamsMap::from_iter([("channel", ""), ("state", ""), ("q", "")]);
        assert!(Wanted::read(&query).unwrap().filter.is_empty());
    }

    #[test]
    fn a_state_that_does_not_exist_is_named() {
        let query = ParamsMap::from_iter([("state", "asleep")]);
        let error = Wanted::read(&query).unwrap_err();
        assert!(matches!(error, ConsoleError::Invalid { field, .. } if field == "state"));
    }

    #[test]
    fn the_address_of_a_filter_is_read_back_as_that_filter() {
        let query = ParamsMap::from_iter([("state", "taken-over"), ("q", "ana & co")]);
        let wanted = Wanted::read(&query).unwrap();
        assert_eq!(wanted.filter.state, Some(SessionStateWord::TakenOver));
        assert_eq!(
            wanted.filter.address(None),
            "/sessions?state=taken-over&q=ana%20%26%20co"
        );
    }
}
