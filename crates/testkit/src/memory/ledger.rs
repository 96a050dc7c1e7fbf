//! The ledger of tool calls.

mod lists;
mod prune;

use async_trait::async_trait;
use replygate_gate::tools::{self, CallState, Moment, Settled};
use replygate_gate::{ActionId, At, DuplicateId, ReplyId, TurnId};
use replygate_ports::ledger::{
    By, Call, CallQuery, Duplicate, DuplicateQuery, Judged, Ledger, LedgerError, NewCall,
    NewDuplicate, NewPass, Reserved, Runner, Settlement, Verdict, steps,
};
use replygate_ports::store::StoreError;

use super::MemoryStore;
use super::tables::{DuplicateRow, PassRow, Tables, at_most};

#[async_trait]
impl Ledger for MemoryStore {
    async fn reserve(&self, call: NewCall, moment: &Moment) -> Result<Reserved, StoreError> {
        Ok(self.tables().reserve(call, moment))
    }

    async fn settle(
        &self,
        action: ActionId,
        settlement: Settlement,
        moment: &Moment,
    ) -> Result<Settled, LedgerError> {
        self.tables().settle(action, settlement, None, moment)
    }

    async fn settle_by(
        &self,
        action: ActionId,
        settlement: Settlement,
        by: By,
        moment: &Moment,
    ) -> Result<Settled, LedgerError> {
        self.tables().settle(action, settlement, Some(by), moment)
    }

    async fn avoid(&self, duplicate: NewDuplicate) -> Result<(), StoreError> {
        let row = DuplicateRow {
            call: duplicate,
            said: None,
            verdict: None,
        };
        self.tables().duplicates.entry(row.call.id).or_insert(row);
        Ok(())
    }

    async fn said(&self, turn: TurnId, reply: ReplyId) -> Result<u64, StoreError> {
        let mut tables = self.tables();
        let of_turn = tables
            .duplicates
            .values_mut()
            .filter(|row| row.call.turn == Some(turn));
        let mut told = 0;
        for row in of_turn {
            row.said = Some(reply);
            told += 1;
        }
        Ok(told)
    }

    async fn allow_once(&self, pass: NewPass) -> Result<(), StoreError> {
        let row = PassRow {
            pass,
            used_by: None,
        };
        let request = row.pass.by.request_id.clone();
        self.tables().passes.entry(request).or_insert(row);
        Ok(())
    }

    async fn judge(
        &self,
        duplicate: DuplicateId,
        seen: Option<At>,
        verdict: Verdict,
    ) -> Result<Judged, LedgerError> {
        let mut tables = self.tables();
        let row = tables.duplicates.get_mut(&duplicate);
        let row = row.ok_or(LedgerError::NoSuch)?;
        if row.verdict.as_ref().map(|stands| stands.at) != seen {
            return Ok(Judged::Other(row.verdict.clone()));
        }
        row.verdict = Some(verdict);
        Ok(Judged::Now)
    }

    async fn call(&self, action: ActionId) -> Result<Option<Call>, StoreError> {
        Ok(self.tables().calls.get(&action).cloned())
    }

    async fn calls(&self, query: &CallQuery) -> Result<Vec<Call>, StoreError> {
        Ok(self.tables().list_calls(query))
    }

    async fn duplicate(&self, id: DuplicateId) -> Result<Option<Duplicate>, StoreError> {
        let tables = self.tables();
        Ok(tables.duplicates.get(&id).map(|row| tables.duplicate(row)))
    }

    async fn duplicates(&self, query: &DuplicateQuery) -> Result<Vec<Duplicate>, StoreError> {
        Ok(self.tables().list_duplicates(query))
    }

    async fn count_calls(&self, query: &CallQuery, most: u32) -> Result<u32, StoreError> {
        Ok(self.tables().number_of_calls(query).min(most))
    }

    async fn count_duplicates(&self, query: &DuplicateQuery, most: u32) -> Result<u32, StoreError> {
        Ok(self.tables().number_of_duplicates(query).min(most))
    }

    async fn expire(&self, moment: &Moment, limit: u32) -> Result<Vec<ActionId>, StoreError> {
        let mut tables = self.tables();
        let dead: Vec<Call> = tables
            .calls
            .values()
            .filter(|call| tools::is_dead(&call.entry, moment))
            .take(at_most(limit))
            .map(|call| steps::lost(call, steps::LEASE_OVER, moment.now))
            .collect();
        let gone = dead.iter().map(|call| call.entry.action).collect();
        for call in dead {
            tables.keep(call);
        }
        Ok(gone)
    }

    async fn recover(&self, moment: &Moment) -> Result<u64, StoreError> {
        let mut tables = self.tables();
        let running: Vec<Call> = tables
            .calls
            .values()
            .filter(|call| call.runner == Runner::Engine)
            .filter(|call| call.entry.state == CallState::Running)
            .map(|call| steps::lost(call, steps::PROCESS_DIED, moment.now))
            .collect();
        let count = running.len() as u64;
        for call in running {
            tables.keep(call);
        }
        Ok(count)
    }

    async fn prune(&self, before: At, limit: u32) -> Result<u64, StoreError> {
        Ok(self.tables().prune_ledger(before, at_most(limit)))
    }
}

impl Tables {
    fn reserve(&mut self, new: NewCall, moment: &Moment) -> Reserved {
        let standing = self.standing.get(&new.fingerprint);
        let standing = standing.and_then(|action| self.calls.get(action));
        let passes: Vec<NewPass> = self
            .passes
            .values()
            .filter(|row| row.used_by.is_none() && row.pass.fingerprint == new.fingerprint)
            .map(|row| row.pass.clone())
            .collect();
        let (answer, changes) = steps::reserve(standing, &passes, new, moment);
        if let Some(replaced) = changes.replaced {
            self.keep(replaced);
        }
        if let Some(begun) = changes.begun {
            if let Some(pass) = changes.used.and_then(|id| self.passes.get_mut(&id)) {
                pass.used_by = Some(begun.entry.action);
            }
            self.keep(begun);
        }
        answer
    }

    fn settle(
        &mut self,
        action: ActionId,
        settlement: Settlement,
        by: Option<By>,
        moment: &Moment,
    ) -> Result<Settled, LedgerError> {
        let call = self.calls.get(&action).ok_or(LedgerError::NoSuch)?;
        let Some(settled) = steps::settle(call, settlement, by, moment)? else {
            return Ok(Settled::Before);
        };
        let entry = settled.entry.clone();
        self.keep(settled);
        Ok(Settled::Now(entry))
    }

    /// Stores a call as it is now.
    fn keep(&mut self, call: Call) {
        let (action, fingerprint) = (call.entry.action, call.fingerprint);
        if call.entry.is_live() {
            self.standing.insert(fingerprint, action);
        } else if self.standing.get(&fingerprint) == Some(&action) {
            self.standing.remove(&fingerprint);
        }
        self.calls.insert(action, call);
    }

    fn duplicate(&self, row: &DuplicateRow) -> Duplicate {
        Duplicate {
            call: row.call.clone(),
            first: self.calls.get(&row.call.first).cloned(),
            said: row.said,
            verdict: row.verdict.clone(),
        }
    }
}
