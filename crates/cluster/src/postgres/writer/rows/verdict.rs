//! Which of a batch's sessions are as they were believed to be.

use replygate_ports::draft::shared_order;

use super::{Places, Rows};
use crate::postgres::codec::{escaped, uuid};
use crate::postgres::statement::Statement;

/// Which sessions are as they were believed to be: their version is the expected one, and neither a message, nor a request,
/// nor a number of theirs is known already. What others insert between this look and our own insert breaks the statement.
pub(super) fn verdict(statement: &mut Statement, rows: &Rows<'_>, places: &Places<'_, '_>) {
    let sessions = &places.sessions;
    let is_new = sessions
        .iter()
        .map(|session| i32::from(session.known.is_none()));
    let is_new = statement.value(is_new.collect::<Vec<_>>());
    let mut votes = vec![
        format!("SELECT s::int AS s, vote FROM unnest({is_new}) WITH ORDINALITY AS v (vote, s)"),
        "SELECT s, 1 FROM locked".to_owned(),
    ];
    locked(statement, places);
    votes.extend(known_keys(statement, rows, places));
    votes.extend(known_requests(statement, rows, places));
    votes.extend(taken_numbers(statement, rows, places));
    let votes = votes.join(" UNION ALL ");
    let sql = format!(
        "SELECT array_agg(votes > 0 ORDER BY s) AS won FROM (
            SELECT s, sum(vote) AS votes FROM ({votes}) AS cast_votes GROUP BY s) AS counted"
    );
    statement.with("verdict", &sql);
}

fn locked(statement: &mut Statement, places: &Places<'_, '_>) {
    let known = || {
        let sessions = places.sessions.iter();
        sessions.filter_map(|session| Some((session, session.known.as_ref()?)))
    };
    let table = statement.table();
    let table = table
        .column(
            "s",
            places.column(known().map(|(session, _)| &session.last.append)),
        )
        .column(
            "id",
            known()
                .map(|(session, _)| uuid(session.last.append.id.0))
                .collect(),
        )
        .column("life", known().map(|(_, known)| known.life).collect())
        .column(
            "version",
            known()
                .map(|(_, known)| known.stored.version as i64)
                .collect(),
        );
    let sql = format!(
        "SELECT v.s FROM {} JOIN session ON session.id = v.id AND session.life = v.life
            AND session.version = v.version ORDER BY v.s FOR NO KEY UPDATE OF session",
        table.rows()
    );
    statement.with("locked", &sql);
}

/// So many votes against outweigh whatever speaks for a session.
const AGAINST: i32 = -1_000_000;

fn known_keys(
    statement: &mut Statement,
    rows: &Rows<'_>,
    places: &Places<'_, '_>,
) -> Option<String> {
    if rows.keys.is_empty() {
        return None;
    }
    let table = statement.table();
    let table = table
        .column(
            "s",
            places.column(rows.keys.iter().map(|row| &row.step.append)),
        )
        .column("key", rows.keys.iter().map(|row| uuid(row.key)).collect());
    let rows = table.rows();
    Some(format!(
        "SELECT v.s, {AGAINST} FROM {rows} JOIN dedupe ON dedupe.key = v.key"
    ))
}

fn known_requests(
    statement: &mut Statement,
    rows: &Rows<'_>,
    places: &Places<'_, '_>,
) -> Option<String> {
    if rows.actions.is_empty() {
        return None;
    }
    let requests = rows
        .actions
        .iter()
        .filter_map(|step| step.append.action.as_ref());
    let table = statement.table();
    let table = table
        .column(
            "s",
            places.column(rows.actions.iter().map(|step| &step.append)),
        )
        .column(
            "request_id",
            requests.map(|action| escaped(&action.request_id)).collect(),
        );
    let rows = table.rows();
    Some(format!(
        "SELECT v.s, {AGAINST} FROM {rows} JOIN action ON action.request_id = v.request_id"
    ))
}

fn taken_numbers(
    statement: &mut Statement,
    rows: &Rows<'_>,
    places: &Places<'_, '_>,
) -> Option<String> {
    let made = rows.replies_made.iter().map(|made| (made.step, &made.row));
    let edited = rows
        .replies_edited
        .iter()
        .map(|edited| (edited.step, &edited.row));
    let in_groups = made
        .chain(edited)
        .filter_map(|(step, row)| Some((&step.append, shared_order(&step.append)?, row)));
    let in_groups: Vec<_> = in_groups.collect();
    if in_groups.is_empty() {
        return None;
    }
    let table = statement.table();
    let table = table
        .column(
            "s",
            places.column(in_groups.iter().map(|(append, ..)| *append)),
        )
        .column(
            "conversation_id",
            in_groups.iter().map(|(_, id, _)| uuid(id.0)).collect(),
        )
        .column(
            "seq",
            in_groups.iter().map(|(.., row)| row.seq as i64).collect(),
        )
        .column(
            "id",
            in_groups.iter().map(|(.., row)| uuid(row.id.0)).collect(),
        );
    let rows = table.rows();
    Some(format!(
        "SELECT v.s, {AGAINST} FROM {rows} JOIN reply ON reply.conversation_id = v.conversation_id
            AND reply.seq = v.seq AND reply.id <> v.id"
    ))
}
