//! The rows that a batch writes, one statement for each kind of change.

use sqlx::SqliteConnection;

use super::bulk::{Bulk, Shape};

// OR ROLLBACK: a batch is kept whole or not at all, and SQLite need not keep a journal of each statement besides.
const SESSIONS_NEW: Shape = Shape {
    head: "INSERT OR ROLLBACK INTO session (n, id, conversation_id, channel, account, conversation, contact, created_at, version,
        last_activity, next_at, open, last_seq, first_open, history_from, state) SELECT * FROM",
    columns: 16,
    tail: "WHERE column1 IS NOT NULL",
};
const SESSIONS: Shape = Shape {
    head: "UPDATE OR ROLLBACK session SET version = v.column2, last_activity = v.column3, next_at = v.column4, open = v.column5,
        last_seq = v.column6, first_open = v.column7, history_from = coalesce(v.column8, session.history_from),
        state = v.column9 FROM",
    columns: 9,
    tail: "AS v WHERE session.n = v.column1",
};
const STEPS: Shape = Shape {
    head: "INSERT OR ROLLBACK INTO step (n, session, version, at, actor, events) SELECT * FROM",
    columns: 6,
    tail: "WHERE column1 IS NOT NULL",
};
const MESSAGES_NEW: Shape = Shape {
    head: "INSERT OR ROLLBACK INTO message (n, id, session, place, channel, provider_id, kind, sent_at, received_at, at, state,
        covered_by, drop_reason, edit_of, text) SELECT * FROM",
    columns: 15,
    tail: "WHERE column1 IS NOT NULL",
};
const MESSAGES: Shape = Shape {
    head: "UPDATE OR ROLLBACK message SET state = v.column2, covered_by = v.column3, drop_reason = v.column4 FROM",
    columns: 4,
    tail: "AS v WHERE message.id = v.column1",
};
const TEXTS: Shape = Shape {
    head: "UPDATE OR ROLLBACK message SET text = v.column2 FROM",
    columns: 2,
    tail: "AS v WHERE message.id = v.column1",
};
const DEDUPE: Shape = Shape {
    head: "INSERT OR ROLLBACK INTO dedupe (key, message, session, at) SELECT * FROM",
    columns: 4,
    tail: "WHERE column1 IS NOT NULL",
};
const REPLIES_NEW: Shape = Shape {
    head: "INSERT OR ROLLBACK INTO reply (n, id, session, conversation_id, channel, author, created_at, parts, input_tokens,
        cached_tokens, output_tokens, tokens_estimated, seq, status, effects, due_at, changed_at, generation, attempts,
        park_reason, code, superseded_by, receipt, cut, covers) SELECT * FROM",
    columns: 25,
    tail: "WHERE column1 IS NOT NULL",
};
const REPLIES: Shape = Shape {
    head: "UPDATE OR ROLLBACK reply SET seq = v.column2, status = v.column3, effects = v.column4, due_at = v.column5,
        changed_at = v.column6, generation = v.column7, attempts = v.column8, park_reason = v.column9,
        code = coalesce(v.column10, reply.code), superseded_by = coalesce(v.column11, reply.superseded_by),
        receipt = coalesce(v.column12, reply.receipt), cut = max(v.column13, reply.cut), covers = v.column14 FROM",
    columns: 14,
    tail: "AS v WHERE reply.id = v.column1",
};
const ACTIONS: Shape = Shape {
    head: "INSERT OR ROLLBACK INTO action (request_id, session, session_id, at, by, verb, reply, reason) SELECT * FROM",
    columns: 8,
    tail: "WHERE column1 IS NOT NULL",
};

/// Everything that one transaction changes.
pub(super) struct Rows {
    pub sessions_new: Bulk,
    pub sessions: Bulk,
    pub steps: Bulk,
    pub messages_new: Bulk,
    pub messages: Bulk,
    pub texts: Bulk,
    pub dedupe: Bulk,
    pub replies_new: Bulk,
    pub replies: Bulk,
    pub actions: Bulk,
}

impl Rows {
    pub fn new() -> Self {
        Self {
            sessions_new: Bulk::new(&SESSIONS_NEW),
            sessions: Bulk::new(&SESSIONS),
            steps: Bulk::new(&STEPS),
            messages_new: Bulk::new(&MESSAGES_NEW),
            messages: Bulk::new(&MESSAGES),
            texts: Bulk::new(&TEXTS),
            dedupe: Bulk::new(&DEDUPE),
            replies_new: Bulk::new(&REPLIES_NEW),
            replies: Bulk::new(&REPLIES),
            actions: Bulk::new(&ACTIONS),
        }
    }

    pub async fn write(self, connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
        let known = self.sessions.len();
        if self.sessions.write(&mut *connection).await? != known {
            // A session that was known is gone: whoever believed in it must look again.
            return Err(sqlx::Error::RowNotFound);
        }
        let bulks = [
            self.sessions_new,
            self.steps,
            self.messages_new,
            self.messages,
            self.texts,
            self.dedupe,
            // Before new ones, which may take the number that a requeued one gave up.
            self.replies,
            self.replies_new,
            self.actions,
        ];
        for bulk in bulks {
            bulk.write(&mut *connection).await?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use sqlx::{AssertSqlSafe, Connection, Row};

    use super::*;
    use crate::database::MIGRATIONS;
    use crate::writer::bulk::marks;

    async fn plan(shape: &Shape, rows: usize) -> String {
        let mut connection = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        for migration in MIGRATIONS {
            sqlx::raw_sql(*migration)
                .execute(&mut connection)
                .await
                .unwrap();
        }
        let Shape {
            head,
            columns,
            tail,
        } = shape;
        let sql = format!(
            "EXPLAIN QUERY PLAN {head} (VALUES {}) {tail}",
            marks(rows, *columns)
        );
        let steps = sqlx::query(AssertSqlSafe(sql))
            .fetch_all(&mut connection)
            .await
            .unwrap();
        steps
            .iter()
            .map(|step| step.get::<String, _>("detail"))
            .collect::<Vec<_>>()
            .join("; ")
    }

    #[tokio::test]
    async fn no_change_of_rows_reads_a_whole_table() {
        for shape in [&SESSIONS, &MESSAGES, &TEXTS, &REPLIES] {
            for rows in [1, 8, 128] {
                let plan = plan(shape, rows).await;
                let table = shape.head.split_whitespace().nth(3).unwrap();
                assert!(plan.contains(&format!("SEARCH {table} USING")), "{plan}");
                assert!(!plan.contains(&format!("SCAN {table}")), "{plan}");
            }
        }
    }
}
