//! The same questions in the browser, where they are requests. Their terms have the names of the server functions'
//! arguments.

use super::{
    DuplicatesAsked, MessagesAsked, MessagesView, OperationAsked, OperationView, ParkedAsked,
    ParkedView, SessionAsked, SessionView, SessionsView,
};
use crate::browser::ask;
use crate::view::{
    ConsoleError, DuplicateRow, MessageId, MessageRow, Page, PageQuery, ParkedRow, ReplyId,
    SessionFilter, SessionId, SessionRow,
};
use serde::Serialize;

type Answer<T> = Result<T, ConsoleError>;

#[derive(Serialize)]
struct Asked<T> {
    asked: T,
}

#[derive(Serialize)]
struct Ids<T> {
    ids: Vec<T>,
}

#[derive(Serialize)]
struct Filtered {
    filter: SessionFilter,
    page: PageQuery,
}

pub(crate) async fn list_sessions(filter: SessionFilter, page: PageQuery) -> Answer<SessionsView> {
    ask("sessions/list", &Filtered { filter, page }).await
}

pub(crate) async fn refresh_sessions(ids: Vec<SessionId>) -> Answer<Page<SessionRow>> {
    ask("sessions/rows", &Ids { ids }).await
}

pub(crate) async fn open_session(asked: SessionAsked) -> Answer<SessionView> {
    ask("sessions/open", &Asked { asked }).await
}

pub(crate) async fn list_messages(asked: MessagesAsked) -> Answer<MessagesView> {
    ask("messages/list", &Asked { asked }).await
}

pub(crate) async fn refresh_messages(ids: Vec<MessageId>) -> Answer<Page<MessageRow>> {
    ask("messages/rows", &Ids { ids }).await
}

pub(crate) async fn list_parked(asked: ParkedAsked) -> Answer<ParkedView> {
    ask("parked/list", &Asked { asked }).await
}

pub(crate) async fn refresh_parked(ids: Vec<ReplyId>) -> Answer<Page<ParkedRow>> {
    ask("parked/rows", &Ids { ids }).await
}

pub(crate) async fn again_duplicates(asked: DuplicatesAsked) -> Answer<Page<DuplicateRow>> {
    ask("duplicates/again", &Asked { asked }).await
}

pub(crate) async fn refresh_duplicates(ids: Vec<String>) -> Answer<Page<DuplicateRow>> {
    ask("duplicates/rows", &Ids { ids }).await
}

pub(crate) async fn open_operation(asked: OperationAsked) -> Answer<OperationView> {
    ask("operations/open", &Asked { asked }).await
}
