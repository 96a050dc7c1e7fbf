//! The live pages as they are asked for, each in the file of its page: see [`Opened`](super::Opened).

use super::opened::LivePage;
use crate::parts::Trouble;
use crate::plain::Asked;
use crate::view::ConsoleError;
use leptos::prelude::*;
use std::pin::Pin;

/// What was asked, to what is shown; or to what is said instead, which nobody takes over.
pub(crate) type Open = fn(Asked) -> Opening;

type Opening = Pin<Box<dyn Future<Output = Result<LivePage, AnyView>> + Send>>;

macro_rules! pages {
    ($($name:ident),+ $(,)?) => {
        $(
            pub(crate) fn $name(asked: Asked) -> Opening {
                Box::pin(super::$name::open(asked))
            }
        )+
        /// Every one of them is opened.
        const _: &[Open] = &[$($name),+];
    };
}

pages!(
    duplicates, lab, messages, operation, parked, session, sessions
);

/// What is shown in the place of a page.
pub(super) fn trouble(error: ConsoleError) -> AnyView {
    view! { <Trouble error/> }.into_any()
}

/// The answer's status line says what was wrong.
pub(super) fn refuse(error: &ConsoleError) {
    if let Some(response) = use_context::<leptos_axum::ResponseOptions>() {
        response.set_status(crate::live::stream::status(error));
    }
}
