//! What each step does to the ledger's rows, for every adapter alike. Must never read or write anything itself.

use replygate_gate::tools::{
    self, Allowance, CallState, Entry, Moment, Reservation, SettleRefusal, Settled, Why,
};
use replygate_gate::{ActionId, At};

use super::{By, Call, LedgerError, NewCall, NewPass, Reserved, Settlement};

/// The code of a call whose lease is over.
pub const LEASE_OVER: &str = "lease_over";
/// The code of a call whose process died.
pub const PROCESS_DIED: &str = "process_died";

/// What a reservation changes besides its answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// The call that begins.
    pub begun: Option<Call>,
    /// The call that stood before, as it is now.
    pub replaced: Option<Call>,
    /// The request id of the pass that it used up.
    pub used: Option<String>,
}

/// Decides about a call that wants to run. `standing` is the call that stands for its fingerprint, `passes` those for it
/// that nobody used yet.
#[must_use]
pub fn reserve(
    standing: Option<&Call>,
    passes: &[NewPass],
    new: NewCall,
    moment: &Moment,
) -> (Reserved, Changes) {
    let Some(first) = standing else {
        // Nothing stands, so nothing is in the way.
        let key = new.action;
        let changes = Changes {
            begun: Some(begun(new, key, moment.now)),
            ..Changes::default()
        };
        return (Reserved::Run { key }, changes);
    };
    let pass = passes.iter().find(|pass| is_valid(pass, moment));
    let allowance = pass.map_or(Allowance::None, |_| Allowance::Once);
    let (entry, guarding) = (Some(&first.entry), new.guarding);
    let answer = match tools::reserve(entry, allowance, new.action, &guarding, moment) {
        Reservation::Run { origin, why } => {
            let used = pass.filter(|_| why == Why::Allowed);
            let changes = Changes {
                replaced: Some(replaced(first, new.action, moment.now)),
                begun: Some(begun(new, origin, moment.now)),
                used: used.map(|pass| pass.by.request_id.clone()),
            };
            return (Reserved::Run { key: origin }, changes);
        }
        Reservation::Duplicate { age_ms } => Reserved::Duplicate {
            first: Box::new(first.clone()),
            age_ms,
        },
        Reservation::Unknown { age_ms } => Reserved::Unknown {
            first: Box::new(first.clone()),
            age_ms,
        },
        Reservation::InProgress { left_ms } => Reserved::InProgress {
            first: first.entry.action,
            left_ms,
        },
    };
    (answer, Changes::default())
}

/// Whether a pass that nobody used can be used now.
#[must_use]
pub fn is_valid(pass: &NewPass, moment: &Moment) -> bool {
    moment.age(pass.at) < pass.until.since(pass.at)
}

fn begun(new: NewCall, key: ActionId, at: At) -> Call {
    Call {
        entry: Entry::begun(new.action, key, new.guarding, at),
        fingerprint: new.fingerprint,
        tool: new.tool,
        whom: new.whom,
        turn: new.turn,
        arguments: new.arguments,
        comparison: new.comparison,
        runner: new.runner,
        result: None,
        code: None,
        settled_by: None,
        reason: None,
        request_id: None,
    }
}

fn replaced(call: &Call, by: ActionId, at: At) -> Call {
    let mut old = match call.entry.state {
        CallState::Running => lost(call, LEASE_OVER, at),
        _ => call.clone(),
    };
    old.entry.replaced_by = Some(by);
    old
}

/// A call whose outcome nobody will tell.
#[must_use]
pub fn lost(call: &Call, code: &str, at: At) -> Call {
    Call {
        entry: Entry {
            state: CallState::Unknown,
            settled_at: Some(at),
            ..call.entry.clone()
        },
        code: Some(code.to_owned()),
        ..call.clone()
    }
}

/// The call as an outcome leaves it; `None` when it was settled so before. With `by`, a person found out.
pub fn settle(
    call: &Call,
    settlement: Settlement,
    by: Option<By>,
    moment: &Moment,
) -> Result<Option<Call>, LedgerError> {
    if let Some(by) = &by {
        if call.request_id.as_ref() == Some(&by.request_id) {
            return Ok(None);
        }
        if call.entry.state == CallState::Running && !tools::is_dead(&call.entry, moment) {
            return Err(SettleRefusal::Settled(CallState::Running).into());
        }
    }
    let Settled::Now(entry) = tools::settle(&call.entry, settlement.outcome(), moment)? else {
        return Ok(None);
    };
    let (result, code) = match settlement {
        Settlement::Done { result } => (Some(result), None),
        Settlement::Failed { code } | Settlement::Unknown { code } => (None, Some(code)),
    };
    let (settled_by, reason, request_id) = match by {
        Some(by) => (Some(by.name), by.reason, Some(by.request_id)),
        None => (None, None, None),
    };
    Ok(Some(Call {
        entry,
        result,
        code,
        settled_by,
        reason,
        request_id,
        ..call.clone()
    }))
}

/// From when on the call stands for nothing any more; never, as long as its outcome is not known.
#[must_use]
pub fn over_at(entry: &Entry) -> Option<At> {
    let settled = entry.settled_at?;
    match entry.state {
        _ if entry.replaced_by.is_some() => Some(settled),
        CallState::Done => Some(settled.plus(entry.guarding.window_ms)),
        CallState::Failed => Some(settled),
        CallState::Running | CallState::Unknown => None,
    }
}
