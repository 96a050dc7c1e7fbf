//! A batch in memory: each step is decided on what the ones before it leave. Must never touch the file, so that a refused
//! step leaves no trace.

use std::collections::HashMap;

use replygate_gate::ActionId;
use replygate_gate::tools::{Moment, Settled};
use replygate_ports::ledger::{By, Call, LedgerError, NewCall, Reserved, Settlement, steps};
use replygate_ports::store::StoreError;
use sqlx::SqliteConnection;

use super::bulk::{Bulk, Cell};
use super::facts::Facts;
use super::rows::{self, CALLS, CALLS_NEW, PASSES_USED, RECORDS_NEW, Texts};
use crate::codec::blob;
use crate::error::unavailable;

/// What is to be written of a call.
enum Written {
    New(Texts),
    Changed,
}

pub(super) struct Batch {
    facts: Facts,
    written: HashMap<ActionId, Written>,
    /// In the order of their making, so that what is active together lies together.
    order: Vec<ActionId>,
    records: Vec<Vec<Cell>>,
    used: Vec<(String, ActionId)>,
}

impl Batch {
    pub fn new(facts: Facts) -> Self {
        Self {
            facts,
            written: HashMap::new(),
            order: Vec::new(),
            records: Vec::new(),
            used: Vec::new(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.order.is_empty() && self.records.is_empty()
    }

    pub fn reserve(&mut self, new: NewCall, texts: Texts, moment: &Moment) -> Reserved {
        let facts = &mut self.facts;
        let print = new.fingerprint;
        let standing = facts.standing.get(&print);
        let standing = standing.and_then(|action| facts.calls.get(action));
        let passes = facts.passes.entry(print).or_default();
        let (answer, changes) = steps::reserve(standing, passes, new, moment);
        if let Some(used) = &changes.used {
            passes.retain(|pass| pass.by.request_id != *used);
        }
        if let Some(replaced) = changes.replaced {
            self.keep(replaced, Written::Changed);
        }
        if let Some(begun) = changes.begun {
            let action = begun.entry.action;
            self.used.extend(changes.used.map(|used| (used, action)));
            self.keep(begun, Written::New(texts));
        }
        answer
    }

    pub fn settle(
        &mut self,
        action: ActionId,
        settlement: Settlement,
        by: Option<By>,
        moment: &Moment,
    ) -> Result<Settled, LedgerError> {
        let call = self.facts.calls.get(&action).ok_or(LedgerError::NoSuch)?;
        let Some(settled) = steps::settle(call, settlement, by, moment)? else {
            return Ok(Settled::Before);
        };
        let entry = settled.entry.clone();
        self.keep(settled, Written::Changed);
        Ok(Settled::Now(entry))
    }

    pub fn avoid(&mut self, record: Vec<Cell>) {
        self.records.push(record);
    }

    fn keep(&mut self, call: Call, written: Written) {
        let (action, print) = (call.entry.action, call.fingerprint);
        if call.entry.is_live() {
            self.facts.standing.insert(print, action);
        } else if self.facts.standing.get(&print) == Some(&action) {
            self.facts.standing.remove(&print);
        }
        self.facts.calls.insert(action, call);
        // What is new in this batch is written once, as the batch leaves it.
        self.written.entry(action).or_insert_with(|| {
            self.order.push(action);
            written
        });
    }

    pub async fn write(mut self, connection: &mut SqliteConnection) -> Result<(), StoreError> {
        let (mut new, mut changed) = (Bulk::new(&CALLS_NEW), Bulk::new(&CALLS));
        for action in self.order {
            let (Some(call), Some(written)) =
                (self.facts.calls.get(&action), self.written.remove(&action))
            else {
                continue;
            };
            let result = call.result.as_ref();
            let result = result
                .map(|value| rows::text("result", value))
                .transpose()?;
            match written {
                Written::New(texts) => new.push(rows::new_call(call, texts, result)),
                Written::Changed => changed.push(rows::changed_call(call, result)),
            }
        }
        let (mut records, mut used) = (Bulk::new(&RECORDS_NEW), Bulk::new(&PASSES_USED));
        for record in self.records {
            records.push(record);
        }
        for (request, action) in self.used {
            used.push([Cell::Text(request), Cell::Blob(blob(action.0))]);
        }
        // Changes first: a call that gives its place up does so before another one takes it.
        for bulk in [changed, new, records, used] {
            bulk.write(connection).await.map_err(unavailable)?;
        }
        Ok(())
    }
}
