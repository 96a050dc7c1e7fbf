//! Operations and their items.

use std::collections::BTreeMap;

use async_trait::async_trait;
use replygate_gate::{At, OperationId};
use replygate_ports::operations::{
    ChangeError, Item, ItemState, Operation, Operations, PlanError, Settled,
};
use replygate_ports::store::StoreError;

use super::MemoryStore;
use super::tables::{Tables, at_most};

#[async_trait]
impl Operations for MemoryStore {
    async fn plan(&self, operation: Operation, items: Vec<Item>) -> Result<(), PlanError> {
        let mut tables = self.tables();
        let known = tables
            .operations
            .values()
            .find(|(known, _)| known.request_id == operation.request_id);
        if let Some((known, _)) = known {
            return Err(PlanError::Repeated(known.id));
        }
        tables.operations.insert(operation.id, (operation, items));
        Ok(())
    }

    async fn operation(&self, id: OperationId) -> Result<Option<Operation>, StoreError> {
        let tables = self.tables();
        Ok(tables.operations.get(&id).map(counted))
    }

    async fn operations(
        &self,
        after: Option<(At, OperationId)>,
        limit: u32,
    ) -> Result<Vec<Operation>, StoreError> {
        let mut found = self.tables().every_operation();
        found.sort_by_key(|operation| std::cmp::Reverse((operation.planned_at, operation.id)));
        found.retain(|operation| {
            after.is_none_or(|after| (operation.planned_at, operation.id) < after)
        });
        found.truncate(at_most(limit));
        Ok(found)
    }

    async fn active(&self) -> Result<Vec<Operation>, StoreError> {
        let mut found = self.tables().every_operation();
        found.retain(|operation| operation.state.is_active());
        found.sort_by_key(|operation| (operation.started_at, operation.id));
        Ok(found)
    }

    async fn items(
        &self,
        id: OperationId,
        state: Option<ItemState>,
        after: Option<u32>,
        limit: u32,
    ) -> Result<Vec<Item>, StoreError> {
        let tables = self.tables();
        let Some((_, items)) = tables.operations.get(&id) else {
            return Ok(Vec::new());
        };
        let wanted = items
            .iter()
            .filter(|item| state.is_none_or(|state| item.state == state))
            .filter(|item| after.is_none_or(|after| item.place > after));
        Ok(wanted.take(at_most(limit)).cloned().collect())
    }

    async fn change(&self, operation: Operation) -> Result<u64, ChangeError> {
        let mut tables = self.tables();
        let stored = tables.operations.get_mut(&operation.id);
        let (stored, _) = stored.ok_or(ChangeError::Conflict)?;
        if stored.version != operation.version {
            return Err(ChangeError::Conflict);
        }
        stored.version += 1;
        stored.state = operation.state;
        stored.reason = operation.reason;
        stored.pace = operation.pace;
        stored.started_at = operation.started_at;
        stored.ended_at = operation.ended_at;
        Ok(stored.version)
    }

    async fn settle(&self, id: OperationId, settled: Vec<Settled>) -> Result<u64, StoreError> {
        let mut tables = self.tables();
        let Some((operation, items)) = tables.operations.get_mut(&id) else {
            return Err(StoreError::Unavailable("no such operation".into()));
        };
        for one in settled {
            if let Some(item) = items.iter_mut().find(|item| item.place == one.place) {
                item.state = one.state;
                item.code = one.code;
                item.at = one.at;
            }
        }
        operation.version += 1;
        Ok(operation.version)
    }
}

impl Tables {
    fn every_operation(&self) -> Vec<Operation> {
        self.operations.values().map(counted).collect()
    }
}

fn counted((operation, items): &(Operation, Vec<Item>)) -> Operation {
    let mut counts = BTreeMap::new();
    for item in items {
        *counts.entry(item.state).or_insert(0) += 1;
    }
    Operation {
        counts,
        ..operation.clone()
    }
}
