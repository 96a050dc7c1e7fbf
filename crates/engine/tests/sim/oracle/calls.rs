//! I9: an effect happens once per meaning inside its window. A confirmed failure frees the meaning, an unknown outcome is
//! shown and not repeated. What a call means is told from what was asked for, not from the guard's own idea of it.

use std::collections::BTreeMap;

use replygate_gate::tools::{Avoided, CallState};
use replygate_gate::{ActionId, At};
use replygate_ports::ledger::Call;

use super::ledger::Ledger;

/// Who wants what.
type Meaning = (String, String);

pub fn judge(ledger: &Ledger, breaches: &mut Vec<String>) {
    let calls: BTreeMap<ActionId, &Call> = ledger
        .calls
        .iter()
        .map(|call| (call.entry.action, call))
        .collect();
    let mut works: BTreeMap<Meaning, Vec<(At, ActionId)>> = BTreeMap::new();
    for worked in &ledger.worked {
        let what = worked.call.arguments["what"].to_string();
        let meaning = (worked.call.whom.contact.clone(), what);
        let done = (worked.at, worked.call.action);
        works.entry(meaning).or_default().push(done);
        let state = calls.get(&done.1).map(|call| call.entry.state);
        if !matches!(state, Some(CallState::Done | CallState::Unknown)) {
            breaches.push(format!("I9: {} had its effect and is {state:?}", done.1));
        }
    }
    for ((contact, what), done) in works.iter().filter(|(_, done)| done.len() > 1) {
        breaches.push(format!("I9: {what} happened for {contact} at {done:?}"));
    }
    for call in &ledger.calls {
        if call.entry.state == CallState::Running {
            breaches.push(format!("I9: {} runs for ever", call.entry.action));
        }
    }
    for record in &ledger.duplicates {
        let first = record.first.as_ref().map(|first| first.entry.state);
        let is_right = match record.call.avoided {
            // Nobody knew at that moment; a late answer may have told since, whatever it was.
            Avoided::Unknown => first.is_some_and(|state| state != CallState::Running),
            _ => first == Some(CallState::Done),
        };
        if !is_right {
            breaches.push(format!(
                "I9: {} was not carried out ({}), and the first is {first:?}",
                record.call.id, record.call.avoided
            ));
        }
    }
}
