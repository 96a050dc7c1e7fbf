//! What the file knows of a batch's calls, read with three statements at most.

use std::collections::{BTreeSet, HashMap};

use replygate_gate::ActionId;
use replygate_gate::tools::Fingerprint;
use replygate_ports::ledger::{Call, NewPass};
use replygate_ports::store::StoreError;
use sqlx::sqlite::SqliteRow;
use sqlx::{AssertSqlSafe, SqliteConnection};

use super::bulk::padded;
use super::rows::{self, CALL};
use crate::codec::blob;
use crate::error::read_fault;

#[derive(Default)]
pub(super) struct Facts {
    pub calls: HashMap<ActionId, Call>,
    /// The call that stands for a fingerprint.
    pub standing: HashMap<Fingerprint, ActionId>,
    /// Passes that nobody used, by request id.
    pub passes: HashMap<Fingerprint, Vec<NewPass>>,
}

impl Facts {
    pub async fn read(
        connection: &mut SqliteConnection,
        fingerprints: &BTreeSet<Fingerprint>,
        actions: &BTreeSet<ActionId>,
    ) -> Result<Self, StoreError> {
        let mut facts = Self::default();
        let prints: Vec<u128> = fingerprints.iter().map(|print| print.0).collect();
        let standing = format!("SELECT {CALL} FROM tool_call WHERE live = 1 AND fingerprint IN");
        for row in ask(connection, &standing, "", &prints).await? {
            let call = rows::call(&row)?;
            facts.standing.insert(call.fingerprint, call.entry.action);
            facts.calls.insert(call.entry.action, call);
        }
        let passes = "SELECT * FROM tool_pass WHERE used_by IS NULL AND fingerprint IN";
        for row in ask(connection, passes, "ORDER BY request_id", &prints).await? {
            let pass = rows::pass(&row)?;
            facts.passes.entry(pass.fingerprint).or_default().push(pass);
        }
        let missing: Vec<u128> = actions
            .iter()
            .filter(|action| !facts.calls.contains_key(action))
            .map(|action| action.0)
            .collect();
        let named = format!("SELECT {CALL} FROM tool_call WHERE id IN");
        for row in ask(connection, &named, "", &missing).await? {
            let call = rows::call(&row)?;
            facts.calls.insert(call.entry.action, call);
        }
        Ok(facts)
    }
}

/// One statement for all ids; their number is padded, so that few statements have to be prepared.
async fn ask(
    connection: &mut SqliteConnection,
    select: &str,
    order: &str,
    ids: &[u128],
) -> Result<Vec<SqliteRow>, StoreError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let count = padded(ids.len());
    let sql = format!("{select} ({}) {order}", vec!["?"; count].join(","));
    let mut query = sqlx::query(AssertSqlSafe(sql));
    for place in 0..count {
        query = query.bind(ids.get(place).map(|id| blob(*id)));
    }
    query.fetch_all(connection).await.map_err(read_fault)
}
