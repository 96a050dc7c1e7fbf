//! `/messages`: every customer's message, newest first.

mod filter;
mod list;
mod row;

pub(super) use list::MessageList;

#[cfg(feature = "ssr")]
use super::{live, opened::LivePage};
#[cfg(feature = "ssr")]
use crate::api::MessagesAsked;
#[cfg(feature = "ssr")]
use crate::parts::title;
#[cfg(feature = "ssr")]
use crate::view::ConsoleError;
#[cfg(feature = "ssr")]
use filter::Filter;
#[cfg(feature = "ssr")]
use leptos::prelude::*;

/// The messages page.
#[cfg(feature = "ssr")]
pub(super) async fn open(asked: crate::plain::Asked) -> Result<LivePage, AnyView> {
    let words = crate::words::words();
    title(|| words.titled(words.messages.title));
    let asked = filter::asked(&asked.query);
    match crate::api::list_messages(asked.clone()).await {
        Ok(view) => Ok(LivePage::Messages(asked, view)),
        Err(error @ (ConsoleError::Invalid { .. } | ConsoleError::TookTooLong)) => {
            Err(view! { <Misread asked error/> }.into_any())
        }
        Err(error) => Err(live::trouble(error)),
    }
}

/// A filter that cannot be understood, or asks too much at once, stays in its form, with what is wrong below it.
#[component]
#[cfg(feature = "ssr")]
fn Misread(asked: MessagesAsked, error: ConsoleError) -> impl IntoView {
    live::refuse(&error);
    let words = crate::words::words();
    let wrong = (words.trouble)(&error).text;
    view! {
        <div class="heading"><h1 tabindex="-1">{words.messages.title}</h1></div>
        <Filter asked channels=Vec::new() wrong/>
    }
}
