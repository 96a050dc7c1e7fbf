//! Asking about an operation.

#[cfg(feature = "ssr")]
use crate::view::ConsoleError;
use crate::view::{Cursor, ItemWord, OperationDetail, OperationId};
#[cfg(feature = "ssr")]
use leptos::prelude::*;
#[cfg(feature = "ssr")]
use leptos::server_fn::codec::Json;
use serde::{Deserialize, Serialize};

use super::{SaidTerms, Told};
#[cfg(feature = "ssr")]
use super::{
    asking::{caller, console},
    told::told,
};

/// What an operation's page asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperationAsked {
    /// Which operation.
    pub id: OperationId,
    /// Only replies with this outcome, by stored word.
    pub outcome: Option<String>,
    /// Where the list of replies goes on.
    pub after: Option<Cursor>,
    /// What a form came to that led here.
    pub said: SaidTerms,
}

/// What an operation's page shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperationView {
    /// The operation.
    pub detail: OperationDetail,
    /// Whether the reader may steer it.
    pub may_steer: bool,
    /// Whether the reader may take its outcomes out of the console.
    pub may_export: bool,
    /// What came of the form that led here.
    pub told: Option<Told>,
}

impl OperationAsked {
    /// The address of its outcomes as a list.
    #[must_use]
    pub fn outcomes(&self) -> String {
        let mut query = crate::view::query::Query::new();
        query.add("operation", Some(self.id.as_str()));
        query.add("outcome", self.outcome.as_deref());
        query.on("/outcomes")
    }

    /// The address of the page with this outcome.
    #[must_use]
    pub fn address(&self, outcome: Option<ItemWord>, after: Option<&Cursor>) -> String {
        let mut query = crate::view::query::Query::new();
        query.add("outcome", outcome.map(ItemWord::stored));
        query.add("after", after.map(Cursor::as_str));
        query.on(&self.id.address())
    }
}

/// One operation with its replies.
#[cfg(feature = "ssr")]
#[server(prefix = "/api", endpoint = "operations/open", input = Json)]
pub async fn open_operation(asked: OperationAsked) -> Result<OperationView, ConsoleError> {
    use super::messages::known_word;
    let (console, who) = (console()?, caller()?);
    let words: Vec<_> = ItemWord::ALL.iter().map(|word| word.stored()).collect();
    let outcome = asked
        .outcome
        .map(|word| known_word("outcome", &word, ItemWord::from_stored, &words.join(", ")))
        .transpose()?;
    let page = crate::view::PageQuery::behind(asked.after);
    let told = told(&*console, &who, &asked.said).await?;
    let detail = console.operation(&who, asked.id, outcome, page).await?;
    Ok(OperationView {
        detail,
        may_export: who.may(crate::view::Permission::Export),
        may_steer: who.may(crate::view::Permission::ActOnMany),
        told,
    })
}
