//! Tickets without rows: their reply is gone, or has ended. They do no harm, for the store refuses them.

use std::collections::HashSet;

use replygate_cluster::Rabbit;
use replygate_gate::ReplyId;
use replygate_ports::tickets::{Ticket, TicketsUnavailable};
use replygate_ports::views::{ReplyView, Views};

/// Tickets looked at in each queue.
const MOST: u32 = 10_000;
/// Replies read at once.
const PAGE: usize = 500;

/// The queues or the store could not be looked through.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SiftError {
    /// The queues.
    #[error(transparent)]
    Tickets(#[from] TicketsUnavailable),
    /// The store.
    #[error(transparent)]
    Store(#[from] replygate_ports::store::StoreError),
}

/// How many tickets lead nowhere; a repair takes them out of their queues.
pub(crate) async fn idle_tickets(
    rabbit: &Rabbit,
    views: &dyn Views,
    repair: Repair,
) -> Result<usize, SiftError> {
    let seen = rabbit.sift(MOST, &|_| true).await?;
    let replies: HashSet<ReplyId> = seen.iter().map(|ticket| ticket.reply).collect();
    let replies: Vec<ReplyId> = replies.into_iter().collect();
    let mut wanted: HashSet<ReplyId> = HashSet::new();
    for page in replies.chunks(PAGE) {
        let found = views.replies_by_id(page).await?;
        wanted.extend(
            found
                .iter()
                .filter(|reply| is_open(reply))
                .map(|reply| reply.id),
        );
    }
    let is_idle = |ticket: &Ticket| !wanted.contains(&ticket.reply);
    // A reply written after the look is not in it: only what was seen may go.
    let idle: HashSet<ReplyId> = seen
        .iter()
        .filter(|ticket| is_idle(ticket))
        .map(|ticket| ticket.reply)
        .collect();
    let count = seen.iter().filter(|ticket| is_idle(ticket)).count();
    if repair == Repair::Yes && count > 0 {
        let keep = |ticket: &Ticket| !idle.contains(&ticket.reply);
        rabbit.sift(MOST, &keep).await?;
    }
    Ok(count)
}

/// Whether what is found is mended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repair {
    /// It is.
    Yes,
    /// It is only told.
    No,
}

fn is_open(reply: &ReplyView) -> bool {
    !reply.status.is_final()
}
