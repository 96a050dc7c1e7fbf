//! What the console lists.

use replygate_gate::{At, SessionKey};
use replygate_ports::ledger::{Call, CallQuery, Duplicate, DuplicateQuery};

use super::super::tables::{DuplicateRow, Tables, at_most};

impl Tables {
    pub(super) fn list_calls(&self, query: &CallQuery) -> Vec<Call> {
        let mut found: Vec<&Call> = self
            .calls
            .values()
            .filter(|call| is_call_asked_for(call, query))
            .collect();
        found.sort_by_key(|call| std::cmp::Reverse((call.entry.reserved_at, call.entry.action)));
        found
            .into_iter()
            .take(at_most(query.limit))
            .cloned()
            .collect()
    }

    pub(super) fn list_duplicates(&self, query: &DuplicateQuery) -> Vec<Duplicate> {
        let mut found: Vec<&DuplicateRow> = self
            .duplicates
            .values()
            .filter(|row| is_duplicate_asked_for(row, query))
            .collect();
        found.sort_by_key(|row| std::cmp::Reverse((row.call.at, row.call.id)));
        found
            .into_iter()
            .take(at_most(query.limit))
            .map(|row| self.duplicate(row))
            .collect()
    }

    pub(super) fn number_of_calls(&self, query: &CallQuery) -> u32 {
        let query = CallQuery {
            after: None,
            ..query.clone()
        };
        let calls = self.calls.values();
        calls.filter(|call| is_call_asked_for(call, &query)).count() as u32
    }

    pub(super) fn number_of_duplicates(&self, query: &DuplicateQuery) -> u32 {
        let query = DuplicateQuery {
            after: None,
            ..query.clone()
        };
        let rows = self.duplicates.values();
        rows.filter(|row| is_duplicate_asked_for(row, &query))
            .count() as u32
    }
}

fn is_call_asked_for(call: &Call, query: &CallQuery) -> bool {
    let entry = &call.entry;
    (query.states.is_empty() || query.states.contains(&entry.state))
        && (!query.live_only || entry.is_live())
        && is_of(
            &call.tool,
            &call.whom,
            query.tool.as_deref(),
            query.channel.as_deref(),
        )
        && query
            .session
            .is_none_or(|session| session == call.whom.session())
        && query.turn.is_none_or(|turn| Some(turn) == call.turn)
        && is_between(entry.reserved_at, query.from, query.to)
        && query
            .after
            .is_none_or(|after| (entry.reserved_at, entry.action) < after)
}

fn is_duplicate_asked_for(row: &DuplicateRow, query: &DuplicateQuery) -> bool {
    let call = &row.call;
    let opinion = row.verdict.as_ref().map(|verdict| verdict.opinion);
    (query.avoided.is_empty() || query.avoided.contains(&call.avoided))
        && is_of(
            &call.tool,
            &call.whom,
            query.tool.as_deref(),
            query.channel.as_deref(),
        )
        && query
            .session
            .is_none_or(|session| session == call.whom.session())
        && query.opinion.is_none_or(|wanted| Some(wanted) == opinion)
        && !(query.unjudged_only && opinion.is_some())
        && is_between(call.at, query.from, query.to)
        && query.after.is_none_or(|after| (call.at, call.id) < after)
}

fn is_of(tool: &str, whom: &SessionKey, wanted: Option<&str>, channel: Option<&str>) -> bool {
    wanted.is_none_or(|wanted| wanted == tool)
        && channel.is_none_or(|channel| channel == whom.channel)
}

fn is_between(at: At, from: Option<At>, to: Option<At>) -> bool {
    from.is_none_or(|from| at >= from) && to.is_none_or(|to| at < to)
}
