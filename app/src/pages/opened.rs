//! A live page as the server opened it. The server makes the page from it and sends it along; the browser half makes the
//! same page from what was sent, and so takes it over. Both go through [`Opened::sheet`]: what they make is alike.

use super::{
    DuplicateList, LabSheet, MessageList, OperationSheet, ParkedList, SessionList, SessionSheet,
    Wanted,
};
use crate::api::{
    DuplicatesAsked, DuplicatesView, LabAsked, LabView, MessagesAsked, MessagesView,
    OperationAsked, OperationView, ParkedAsked, ParkedView, SessionAsked, SessionView,
    SessionsView,
};
use crate::parts::{Erase, Erased, Reader};
use crate::view::Zone;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// The id of the element that carries it.
pub(crate) const CARRIER: &str = "opened";

/// Everything that a live page shows.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Opened {
    /// By which zone times are told.
    pub(crate) zone: Zone,
    /// The page.
    pub(crate) live: LivePage,
}

/// Which page, how it was asked for, and what it shows.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum LivePage {
    Sessions(Wanted, SessionsView),
    Messages(MessagesAsked, MessagesView),
    Parked(ParkedAsked, ParkedView),
    Duplicates(DuplicatesAsked, DuplicatesView),
    Operation(OperationAsked, OperationView),
    Lab(LabAsked, LabView),
    Session(SessionAsked, SessionView),
}

impl Opened {
    /// The page on screen.
    pub(crate) fn sheet(self) -> Erased {
        provide_context(Reader::new(self.zone));
        match self.live {
            LivePage::Sessions(wanted, view) => view! { <SessionList wanted view/> }.erased(),
            LivePage::Messages(asked, view) => view! { <MessageList asked view/> }.erased(),
            LivePage::Parked(asked, view) => view! { <ParkedList asked view/> }.erased(),
            LivePage::Duplicates(asked, view) => view! { <DuplicateList asked view/> }.erased(),
            LivePage::Operation(asked, view) => view! { <OperationSheet asked view/> }.erased(),
            LivePage::Lab(asked, view) => view! { <LabSheet asked view/> }.erased(),
            LivePage::Session(asked, view) => view! { <SessionSheet asked view/> }.erased(),
        }
    }
}
