//! Which list is taken, by the query of its page, and how it is read on.

use super::record::{Cell, Record};
use crate::api::{DuplicatesAsked, MessagesAsked, ParkedAsked, known_word};
use crate::console::Console;
use crate::pages::plain::decision_filter;
use crate::view::{
    ActivityFilter, ActivityRow, At, Caller, ConsoleError, Cursor, DecisionFilter, DecisionRow,
    DuplicateFilter, DuplicateRow, ItemWord, MessageFilter, MessageRow, OperationId, OperationItem,
    Page, PageQuery, ParkedFilter, ParkedRow, SessionFilter, SessionRow, SessionStateWord, Zone,
};

/// The lists that can be taken. `outcomes` is that of one operation, `operation=op_…`.
pub(super) const NAMES: [&str; 7] = [
    "sessions",
    "messages",
    "parked",
    "outcomes",
    "duplicates",
    "decisions",
    "activity",
];

/// A list with its filter.
pub(super) enum Listed {
    Sessions(SessionFilter),
    Messages(MessageFilter),
    Parked(ParkedFilter),
    Outcomes(OperationId, Option<ItemWord>),
    Duplicates(DuplicateFilter),
    Decisions(DecisionFilter),
    Activity(ActivityFilter),
}

impl Listed {
    /// The list of that name, with the terms of its page understood as there.
    pub(super) fn read(
        name: &str,
        terms: &[(String, String)],
        now: At,
        zone: &Zone,
    ) -> Result<Self, ConsoleError> {
        let of = |wanted: &str| {
            let found = terms.iter().rev().find(|(name, _)| name == wanted);
            found.map(|(_, value)| value.clone())
        };
        Ok(match name {
            "sessions" => Self::Sessions(SessionFilter {
                channel: of("channel").map(Into::into),
                state: of("state").map(|word| state(&word)).transpose()?,
                q: of("q"),
            }),
            "messages" => {
                let asked = MessagesAsked {
                    q: of("q"),
                    channel: of("channel"),
                    status: of("status"),
                    decision: of("decision"),
                    from: of("from"),
                    to: of("to"),
                    ..MessagesAsked::default()
                };
                Self::Messages(asked.read(now, zone)?)
            }
            "parked" => {
                let asked = ParkedAsked {
                    q: of("q"),
                    why: of("why"),
                    channel: of("channel"),
                    age: of("age"),
                    view: of("view"),
                    ..ParkedAsked::default()
                };
                Self::Parked(asked.read()?)
            }
            "outcomes" => Self::Outcomes(
                of("operation")
                    .map(OperationId)
                    .ok_or_else(super::nothing)?,
                of("outcome").map(|word| outcome(&word)).transpose()?,
            ),
            "duplicates" => {
                let asked = DuplicatesAsked {
                    q: of("q"),
                    tool: of("tool"),
                    channel: of("channel"),
                    verdict: of("verdict"),
                    from: of("from"),
                    to: of("to"),
                    ..DuplicatesAsked::default()
                };
                Self::Duplicates(asked.read(now, zone)?)
            }
            "decisions" => Self::Decisions(decision_filter(of("channel"), of("verdict"))?),
            _ => Self::Activity(ActivityFilter {
                by: of("by"),
                verb: of("verb"),
                object: of("object"),
            }),
        })
    }

    /// What the log calls it.
    pub(super) fn object(&self) -> String {
        match self {
            Self::Sessions(_) => "list:sessions".to_owned(),
            Self::Messages(_) => "list:messages".to_owned(),
            Self::Parked(_) => "list:parked".to_owned(),
            Self::Outcomes(operation, _) => operation.0.clone(),
            Self::Duplicates(_) => "list:duplicates".to_owned(),
            Self::Decisions(_) => "list:decisions".to_owned(),
            Self::Activity(_) => "list:activity".to_owned(),
        }
    }

    /// The names of its columns.
    pub(super) const fn columns(&self) -> &'static [&'static str] {
        match self {
            Self::Sessions(_) => SessionRow::COLUMNS,
            Self::Messages(_) => MessageRow::COLUMNS,
            Self::Parked(_) => ParkedRow::COLUMNS,
            Self::Outcomes(..) => OperationItem::COLUMNS,
            Self::Duplicates(_) => DuplicateRow::COLUMNS,
            Self::Decisions(_) => DecisionRow::COLUMNS,
            Self::Activity(_) => ActivityRow::COLUMNS,
        }
    }

    /// The rows behind a place, and the place behind them.
    pub(super) async fn stretch(
        &self,
        console: &dyn Console,
        who: &Caller,
        after: Option<Cursor>,
    ) -> Result<(Vec<Vec<Cell>>, Option<Cursor>), ConsoleError> {
        let page = PageQuery {
            after,
            limit: PageQuery::MOST,
        };
        Ok(match self {
            Self::Sessions(filter) => told(console.sessions(who, filter.clone(), page).await?),
            Self::Messages(filter) => told(console.messages(who, filter.clone(), page).await?),
            Self::Parked(filter) => told(console.parked(who, filter.clone(), page).await?.page),
            Self::Outcomes(id, outcome) => {
                let (id, outcome) = (id.clone(), *outcome);
                told(console.operation(who, id, outcome, page).await?.items)
            }
            Self::Duplicates(filter) => told(console.duplicates(who, filter.clone(), page).await?),
            Self::Decisions(filter) => told(console.decisions(who, filter.clone(), page).await?),
            Self::Activity(filter) => told(console.activity(who, filter.clone(), page).await?),
        })
    }
}

fn told<T: Record>(page: Page<T>) -> (Vec<Vec<Cell>>, Option<Cursor>) {
    let rows = page.rows.into_iter().map(Record::cells).collect();
    (rows, page.next)
}

fn state(word: &str) -> Result<SessionStateWord, ConsoleError> {
    let allowed = SessionStateWord::ALL
        .map(SessionStateWord::stored)
        .join(", ");
    known_word("state", word, SessionStateWord::from_stored, &allowed)
}

fn outcome(word: &str) -> Result<ItemWord, ConsoleError> {
    let words: Vec<_> = ItemWord::ALL.iter().map(|word| word.stored()).collect();
    known_word("outcome", word, ItemWord::from_stored, &words.join(", "))
}
