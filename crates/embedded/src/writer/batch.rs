//! A drafted batch in the terms of this file: sessions, steps and entries get their numbers, the rows are written, and the
//! cache is told. Must never decide what a step means: that is the draft's business.

mod texts;

use std::collections::HashMap;
use std::sync::Arc;

use replygate_gate::SessionId;
use replygate_ports::draft::{self, MovedSession};
use replygate_ports::store::Append;
use rusqlite::Connection;

use super::fault::Fault;
use super::rows::{SessionRow, Writing};
use super::{Numbers, Pending};
use crate::cache::{Committed, Known};

pub(super) type Rows<'a> = draft::Rows<'a, Pending, Known>;

pub(super) struct Batch<'a> {
    rows: Rows<'a>,
    /// The numbers given before this batch.
    before: Numbers,
    /// The numbers of the batch's sessions.
    sessions: HashMap<SessionId, i64>,
    /// How many of the sessions are new.
    made: i64,
}

impl<'a> Batch<'a> {
    pub fn new(rows: Rows<'a>, before: Numbers) -> Self {
        let mut made = 0;
        let numbered = rows.sessions.iter().map(|moved| {
            let n = moved.known.as_ref().map_or_else(
                || {
                    made += 1;
                    before.session + made
                },
                |known| known.n,
            );
            (moved.last.append.id, n)
        });
        let sessions = numbered.collect();
        Self {
            rows,
            before,
            sessions,
            made,
        }
    }

    /// The numbers given with this batch.
    pub fn numbers(&self) -> Numbers {
        Numbers {
            session: self.before.session + self.made,
            step: self.before.step + self.rows.steps.len() as i64,
            entry: self.entry(self.rows.entries),
        }
    }

    /// An entry's number, by its place in the batch.
    fn entry(&self, entry: usize) -> i64 {
        self.before.entry + entry as i64
    }

    fn session(&self, append: &Append) -> Result<i64, Fault> {
        self.sessions.get(&append.id).copied().ok_or(Fault::Gone)
    }

    /// Writes every row.
    pub fn write(&self, transaction: &Connection) -> Result<(), Fault> {
        let writing = Writing(transaction);
        for moved in &self.rows.sessions {
            let row = SessionRow {
                n: self.session(&moved.last.append)?,
                moved,
                history_from: moved.history_from.map(|end| self.entry(end)),
            };
            writing.session(&row)?;
        }
        for (n, step) in (self.before.step + 1..).zip(&self.rows.steps) {
            writing.step(n, self.session(&step.append)?, step)?;
        }
        self.write_messages(&writing)?;
        self.write_replies(&writing)?;
        for step in &self.rows.actions {
            writing.action(self.session(&step.append)?, &step.append)?;
        }
        Ok(())
    }

    fn write_messages(&self, writing: &Writing<'_>) -> Result<(), Fault> {
        for made in &self.rows.messages_made {
            let session = self.session(&made.step.append)?;
            writing.new_message(self.entry(made.entry), session, made)?;
        }
        for edited in &self.rows.messages_edited {
            if let Some(state) = edited.state {
                writing.message(edited.id, state)?;
            }
            if let Some(text) = edited.text {
                writing.text(edited.id, text)?;
            }
        }
        for key in &self.rows.keys {
            writing.key(self.session(&key.step.append)?, key)?;
        }
        Ok(())
    }

    fn write_replies(&self, writing: &Writing<'_>) -> Result<(), Fault> {
        // Before new ones, which may take the number that a requeued one gave up.
        for edited in &self.rows.replies_edited {
            writing.reply(&edited.row)?;
        }
        for made in &self.rows.replies_made {
            let session = self.session(&made.step.append)?;
            writing.new_reply(self.entry(made.entry), session, made)?;
        }
        Ok(())
    }

    /// What the cache may know once all is committed.
    pub fn committed(&self) -> Committed {
        let known = |moved: &MovedSession<'_, Pending, Known>| {
            let id = moved.last.append.id;
            let n = self.sessions.get(&id).copied()?;
            let stored = moved.stored();
            Some((id, Arc::new(Known { n, stored })))
        };
        Committed {
            sessions: self.rows.sessions.iter().filter_map(known).collect(),
            texts: texts::news(&self.rows),
        }
    }
}
