//! What the ledger forgets: by age, and a person.

use std::collections::BTreeSet;

use replygate_gate::tools::Fingerprint;
use replygate_gate::{ActionId, At, SessionKey};
use replygate_ports::ledger::steps;

use super::super::tables::Tables;

impl Tables {
    pub(super) fn prune_ledger(&mut self, before: At, limit: usize) -> u64 {
        let mut left = limit;
        let old: Vec<_> = self
            .duplicates
            .values()
            .filter(|row| row.call.at < before)
            .map(|row| row.call.id)
            .take(left)
            .collect();
        left -= old.len();
        for id in &old {
            self.duplicates.remove(id);
        }
        let passes: Vec<_> = self
            .passes
            .iter()
            .filter(|(_, row)| row.pass.until < before)
            .map(|(request, _)| request.clone())
            .take(left)
            .collect();
        left -= passes.len();
        for request in &passes {
            self.passes.remove(request);
        }
        let named: BTreeSet<ActionId> =
            self.duplicates.values().map(|row| row.call.first).collect();
        let calls: Vec<_> = self
            .calls
            .values()
            .filter(|call| steps::over_at(&call.entry).is_some_and(|over| over < before))
            .filter(|call| !named.contains(&call.entry.action))
            .map(|call| (call.entry.action, call.fingerprint))
            .take(left)
            .collect();
        left -= calls.len();
        for (action, fingerprint) in calls {
            self.remove_call(action, fingerprint);
        }
        (limit - left) as u64
    }

    fn remove_call(&mut self, action: ActionId, fingerprint: Fingerprint) {
        self.calls.remove(&action);
        if self.standing.get(&fingerprint) == Some(&action) {
            self.standing.remove(&fingerprint);
        }
    }

    /// Erases every trace of a person's calls, and what the built-in tools did for that person.
    pub(in super::super) fn forget_calls(&mut self, channel: Option<&str>, contact: &str) {
        let is_theirs = |whom: &SessionKey| {
            whom.contact == contact && channel.is_none_or(|channel| channel == whom.channel)
        };
        self.duplicates.retain(|_, row| !is_theirs(&row.call.whom));
        let calls: Vec<(ActionId, Fingerprint)> = self
            .calls
            .values()
            .filter(|call| is_theirs(&call.whom))
            .map(|call| (call.entry.action, call.fingerprint))
            .collect();
        for (action, fingerprint) in calls {
            self.remove_call(action, fingerprint);
            self.passes
                .retain(|_, row| row.pass.fingerprint != fingerprint);
        }
        self.events.retain(|_, event| !is_theirs(&event.whom));
        self.mails.retain(|_, mail| !is_theirs(&mail.whom));
    }
}
