//! The area of avoided duplicates: what the guard of tools held back, and what people think and do about it.

use crate::view::{
    At, Caller, ConsoleError, DuplicateDeed, DuplicateDetail, DuplicateFilter, DuplicateRow,
    GuardFigures, OpinionWord, Page, PageQuery, SettledCall, UnknownCall,
};
use async_trait::async_trait;

/// Calls that were held back. Reading needs [`Permission::See`](crate::view::Permission::See).
#[async_trait]
pub trait Duplicates: Send + Sync {
    /// The records that match, newest first.
    async fn duplicates(
        &self,
        who: &Caller,
        filter: DuplicateFilter,
        page: PageQuery,
    ) -> Result<Page<DuplicateRow>, ConsoleError>;

    /// The present rows of these records; whatever is gone is left out.
    async fn duplicate_rows(
        &self,
        who: &Caller,
        ids: Vec<String>,
    ) -> Result<Page<DuplicateRow>, ConsoleError>;

    /// How the guard did in the last two weeks; nothing where counting takes too long.
    async fn guard_figures(&self, who: &Caller) -> Result<Option<GuardFigures>, ConsoleError>;

    /// The tools that calls may be made of, by name.
    async fn tool_names(&self, who: &Caller) -> Result<Vec<String>, ConsoleError>;

    /// The newest calls whose outcome nobody knows, at most twenty.
    async fn unknown_calls(&self, who: &Caller) -> Result<Vec<UnknownCall>, ConsoleError>;

    /// What a person said about this call; nothing where nobody did.
    async fn settlement(
        &self,
        who: &Caller,
        call: String,
    ) -> Result<Option<SettledCall>, ConsoleError>;

    /// One record with both calls, or [`ConsoleError::NotFound`].
    async fn duplicate(&self, who: &Caller, id: String) -> Result<DuplicateDetail, ConsoleError>;

    /// Records a verdict, if the one that stands is the one they saw, by its time; else [`ConsoleError::Conflict`] with
    /// the one that stands. Needs [`Permission::Verdict`](crate::view::Permission::Verdict).
    async fn judge(
        &self,
        who: &Caller,
        deed: DuplicateDeed,
        seen: Option<At>,
        opinion: OpinionWord,
    ) -> Result<(), ConsoleError>;

    /// Lets the same call run once more within the next hour. Needs
    /// [`Permission::AllowOnce`](crate::view::Permission::AllowOnce) and a reason.
    async fn allow_once(&self, who: &Caller, deed: DuplicateDeed) -> Result<(), ConsoleError>;

    /// Records whether a call of unknown outcome had its effect. Needs
    /// [`Permission::ActOnOne`](crate::view::Permission::ActOnOne) and a reason. `happened` says which.
    async fn settle_call(
        &self,
        who: &Caller,
        deed: DuplicateDeed,
        happened: bool,
    ) -> Result<(), ConsoleError>;
}
