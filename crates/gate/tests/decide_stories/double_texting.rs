//! What a message does that comes while the session is busy, strategy by strategy.

#[path = "double_texting/abort.rs"]
mod abort;
#[path = "double_texting/enqueue.rs"]
mod enqueue;
#[path = "double_texting/interrupt.rs"]
mod interrupt;
#[path = "double_texting/reject.rs"]
mod reject;
#[path = "double_texting/rollback.rs"]
mod rollback;

use replygate_gate::{Event, QueueReason, Strategy, TurnId};

use crate::stage::Stage;

/// Without waits, under a strategy.
fn under(strategy: Strategy) -> Stage {
    let mut stage = Stage::prompt();
    stage.rules.strategy = strategy;
    stage
}

/// Message 1 is being answered by the returned fencing token's turn.
fn answering(strategy: Strategy) -> (Stage, u64) {
    let mut stage = under(strategy);
    stage.arrive(1);
    let fence = stage.take();
    (stage, fence)
}

/// Why the message waits, and for which turn.
fn queued(events: &[Event]) -> Option<(QueueReason, Option<TurnId>)> {
    events.iter().find_map(|event| match event {
        Event::Queued { reason, turn, .. } => Some((*reason, *turn)),
        _ => None,
    })
}
