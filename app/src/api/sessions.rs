//! Asking about sessions.

use crate::view::{
    Around, ChannelRef, ConversationItem, Cursor, Lanes, Page, RequestId, SessionDetail, SessionId,
    SessionRow, SessionTab, TimelineEvent, Veil,
};
#[cfg(feature = "ssr")]
use crate::view::{ConsoleError, PageQuery, SessionFilter};
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

/// What the sessions page shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionsView {
    /// The rows.
    pub page: Page<SessionRow>,
    /// The channels that the filter offers.
    pub channels: Vec<ChannelRef>,
    /// The page of a chat in which a first message can be written, while there is no session at all.
    pub chat: Option<String>,
    /// What hides its texts from the reader.
    pub veil: Option<Veil>,
    /// What stands around the list.
    pub around: Around,
}

/// What a session's page asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionAsked {
    /// Which session.
    pub id: SessionId,
    /// How it is looked at, by stored word; the conversation without one.
    pub tab: Option<String>,
    /// Where the list goes on.
    pub after: Option<Cursor>,
    /// What a form came to that led here.
    pub said: SaidTerms,
}

/// What a session's page shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionView {
    /// The session.
    pub detail: SessionDetail,
    /// What is looked at.
    pub part: SessionPart,
    /// The reader, as a takeover would name them.
    pub me: String,
    /// Whether the reader may act on the session.
    pub may_act: bool,
    /// Whether the reader may release holds and locks.
    pub may_release: bool,
    /// Minted with this reading, for the forms of the page.
    pub request_id: RequestId,
    /// What came of the form that led here.
    pub told: Option<Told>,
    /// What hides its texts from the reader.
    pub veil: Option<Veil>,
}

/// One of the three ways to look at a session, with what it shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SessionPart {
    /// Its messages and replies, newest first.
    Conversation(Page<ConversationItem>),
    /// Who did something when.
    Timeline(Lanes),
    /// Its events, newest first.
    Events(Page<TimelineEvent>),
}

impl SessionPart {
    /// Which of the three it is.
    #[must_use]
    pub const fn tab(&self) -> SessionTab {
        match self {
            Self::Conversation(_) => SessionTab::Conversation,
            Self::Timeline(_) => SessionTab::Timeline,
            Self::Events(_) => SessionTab::Events,
        }
    }

    /// Where its list goes on.
    #[must_use]
    pub const fn next(&self) -> Option<&Cursor> {
        match self {
            Self::Conversation(page) => page.next.as_ref(),
            Self::Timeline(_) => None,
            Self::Events(page) => page.next.as_ref(),
        }
    }
}

/// The kind of a channel that has a page of its own to write on.
#[cfg(feature = "ssr")]
const WEBCHAT: &str = "webchat";
/// The list without a filter.
#[cfg(feature = "ssr")]
const SESSIONS: &str = "/sessions";

/// The sessions that match.
#[cfg(feature = "ssr")]
#[server(prefix = "/api", endpoint = "sessions/list", input = Json)]
pub async fn list_sessions(
    filter: SessionFilter,
    page: PageQuery,
) -> Result<SessionsView, ConsoleError> {
    use crate::view::query::segment;
    use crate::view::{ListWord, Veiled, VeiledList};
    let (console, who) = (console()?, caller()?);
    let here = filter.address(None);
    let back = filter.address(page.after.as_ref());
    let page = console.sessions(&who, filter, page).await?;
    let channels = console.channels(&who).await?;
    let chat = channels.iter().find(|channel| channel.kind == WEBCHAT);
    let chat = chat
        .filter(|_| page.rows.is_empty() && here == SESSIONS)
        .map(|channel| format!("/chat/{}", segment(channel.channel.id.as_str())));
    let channels = channels
        .into_iter()
        .map(|channel| channel.channel)
        .collect();
    Ok(SessionsView {
        page,
        channels,
        chat,
        veil: veil(&*console, &who, &Veiled::List(VeiledList::Sessions), back).await?,
        around: around(&*console, &who, ListWord::Sessions, here).await?,
    })
}

/// The present rows of these sessions.
#[cfg(feature = "ssr")]
#[server(prefix = "/api", endpoint = "sessions/rows", input = Json)]
pub async fn refresh_sessions(ids: Vec<SessionId>) -> Result<Page<SessionRow>, ConsoleError> {
    let (console, who) = (console()?, caller()?);
    console.session_rows(&who, ids).await
}

/// One session, and what its page looks at.
#[cfg(feature = "ssr")]
#[server(prefix = "/api", endpoint = "sessions/open", input = Json)]
pub async fn open_session(asked: SessionAsked) -> Result<SessionView, ConsoleError> {
    use super::messages::known_word;
    use crate::view::{Permission, Veiled};
    let (console, who) = (console()?, caller()?);
    let words: Vec<_> = SessionTab::ALL.iter().map(|tab| tab.stored()).collect();
    let tab = asked
        .tab
        .map(|word| known_word("view", &word, SessionTab::from_stored, &words.join(", ")))
        .transpose()?
        .unwrap_or(SessionTab::Conversation);
    let detail = console.session(&who, asked.id.clone()).await?;
    let over = Veiled::Session(asked.id.clone());
    let back = tab.address(&asked.id, asked.after.as_ref());
    let page = PageQuery::behind(asked.after);
    let part = match tab {
        SessionTab::Conversation => {
            let conversation = console.conversation(&who, asked.id, page).await?;
            SessionPart::Conversation(conversation.items)
        }
        SessionTab::Timeline => SessionPart::Timeline(console.lanes(&who, asked.id).await?),
        SessionTab::Events => SessionPart::Events(console.timeline(&who, asked.id, page).await?),
    };
    Ok(SessionView {
        detail,
        part,
        me: who.name.clone(),
        may_act: who.may(Permission::ActOnOne),
        may_release: who.may(Permission::ReleaseLocks),
        request_id: console.mint(),
        told: told(&*console, &who, &asked.said).await?,
        veil: veil(&*console, &who, &over, back).await?,
    })
}
