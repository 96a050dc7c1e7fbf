//! One statement out of many clauses, each over arrays of values, so that thousands of rows of several tables are one
//! question and one answer.

use std::borrow::Cow;

use replygate_gate::SessionKey;
use sqlx::encode::Encode;
use sqlx::postgres::PgArguments;
use sqlx::{Arguments, Postgres, Type};

use super::codec::escaped;

/// `WITH first AS (…), second AS (…) …`
#[derive(Default)]
pub(super) struct Statement {
    clauses: Vec<String>,
    arguments: PgArguments,
    fault: Option<sqlx::error::BoxDynError>,
}

impl Statement {
    /// Adds a clause.
    pub fn with(&mut self, name: &str, sql: &str) {
        self.clauses.push(format!("{name} AS ({sql})"));
    }

    /// Adds a value; returns its mark in the statement.
    pub fn value<'q, T: Encode<'q, Postgres> + Type<Postgres>>(&mut self, value: T) -> String {
        if let Err(fault) = self.arguments.add(value) {
            self.fault.get_or_insert(fault);
        }
        format!("${}", self.arguments.len())
    }

    /// Begins a table of values.
    pub fn table(&mut self) -> Table<'_> {
        Table {
            statement: self,
            marks: Vec::new(),
            names: Vec::new(),
        }
    }

    /// The statement with `last` at its end, and its values.
    pub fn finish(self, last: &str) -> Result<(String, PgArguments), sqlx::Error> {
        match self.fault {
            Some(fault) => Err(sqlx::Error::Encode(fault)),
            None if self.clauses.is_empty() => Ok((last.to_owned(), self.arguments)),
            None => Ok((
                format!("WITH {} {last}", self.clauses.join(", ")),
                self.arguments,
            )),
        }
    }
}

/// A table of values, column by column.
pub(super) struct Table<'s> {
    statement: &'s mut Statement,
    marks: Vec<String>,
    names: Vec<&'static str>,
}

impl Table<'_> {
    pub fn column<'q, T>(mut self, name: &'static str, values: Vec<T>) -> Self
    where
        Vec<T>: Encode<'q, Postgres> + Type<Postgres>,
    {
        self.marks.push(self.statement.value(values));
        self.names.push(name);
        self
    }

    /// The columns of a conversation: channel, account, conversation, contact.
    pub fn whom<'k>(self, keys: impl Iterator<Item = &'k SessionKey>) -> Self {
        let keys: Vec<&'k SessionKey> = keys.collect();
        let texts = |part: fn(&SessionKey) -> &str| -> Vec<Cow<'k, str>> {
            keys.iter().map(|key| escaped(part(key))).collect()
        };
        self.column("channel", texts(|key| &key.channel))
            .column("account", texts(|key| &key.account))
            .column("conversation", texts(|key| &key.conversation))
            .column("contact", texts(|key| &key.contact))
    }

    /// `unnest($1, $2) AS v (a, b)`
    pub fn rows(self) -> String {
        format!(
            "unnest({}) AS v ({})",
            self.marks.join(", "),
            self.names.join(", ")
        )
    }
}
