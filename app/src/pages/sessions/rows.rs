//! How the rows of the sessions list are read again.

use super::filter::Wanted;
use crate::api::{list_sessions, refresh_sessions};
use crate::live::{Fetched, Listing, Row};
use crate::view::{SessionId, SessionRow};

impl Row for SessionRow {
    fn id(&self) -> &str {
        self.id.as_str()
    }

    fn session(&self) -> &str {
        self.id.as_str()
    }

    fn version(&self) -> u64 {
        self.version
    }
}

impl Listing for Wanted {
    type Row = SessionRow;

    fn rows(&self, ids: Vec<String>) -> Fetched<SessionRow> {
        Box::pin(refresh_sessions(ids.into_iter().map(SessionId).collect()))
    }

    fn list(&self) -> Fetched<SessionRow> {
        let (filter, page) = (self.filter.clone(), self.page());
        Box::pin(async move { Ok(list_sessions(filter, page).await?.page) })
    }

    fn is_first(&self) -> bool {
        self.after.is_none()
    }

    fn fits(&self, row: &SessionRow) -> bool {
        self.filter
            .state
            .is_none_or(|state| state == row.state.word)
    }

    fn grows(&self) -> bool {
        false
    }
}
