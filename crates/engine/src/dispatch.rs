//! Handing replies over: claim ahead of time, send on time, settle. Must never send without a claim that is durable, nor
//! after the claim's own deadline.

mod room;

use std::time::Duration;

use replygate_gate::{At, ClaimToken, Command, Outcome, Refusal, ReplyId, ReplyStatus};
use replygate_ports::channel::Outbound;
use replygate_ports::clock::sortable_id;
use replygate_ports::store::{ReplyText, StoreError};
use replygate_ports::tickets::{Arrived, Ticket, TicketsUnavailable};

use crate::board::Live;
use crate::desk::{Cause, Made, Patience, StepError};
use crate::engine::Inner;

/// A send ends at least this long before its claim does, so that no claim ends while its send may still arrive.
const CLAIM_MARGIN: Duration = Duration::from_secs(1);
/// A reply behind another session's reply of the same group is tried again after this many milliseconds, unless that
/// one's end wakes it earlier.
const GROUP_RETRY_MS: u64 = 100;

/// Whether the outcome of a part is on record.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Settled {
    Yes,
    No,
}

/// A reply that this process may hand over.
struct Hold {
    made: Made,
    reply: ReplyId,
    token: ClaimToken,
    /// The claim's own deadline on this process's monotonic clock.
    deadline: Duration,
}

impl Inner {
    /// Takes tickets until told to stop, each in a task of its own.
    pub(crate) async fn take_tickets(&self) {
        loop {
            let Ok(permit) = self.dispatches.clone().acquire_owned().await else {
                return;
            };
            match self.parts.tickets.next().await {
                Ok(Arrived { ticket, receipt }) => {
                    let inner = self.clone();
                    self.crew.start(async move {
                        inner.dispatch(ticket).await;
                        if let Err(error) = inner.parts.tickets.done(receipt).await {
                            tracing::warn!(%error, "a ticket could not be settled, it will come again");
                        }
                        drop(permit);
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "no tickets for now");
                    self.parts.clock.sleep(Duration::from_millis(500)).await;
                }
            }
        }
    }

    /// Attempts a hand-over that no queue brings, because it is away; whether there was room for that.
    pub(crate) fn dispatch_unasked(&self, ticket: Ticket) -> bool {
        let Ok(permit) = self.dispatches.clone().try_acquire_owned() else {
            return false;
        };
        let inner = self.clone();
        self.crew.start(async move {
            inner.dispatch(ticket).await;
            drop(permit);
        });
        true
    }

    async fn dispatch(&self, ticket: Ticket) {
        if self.is_in_vain(ticket).await {
            return;
        }
        let Some((live, _slot)) = self.slot(ticket).await else {
            return;
        };
        let began = self.parts.clock.elapsed();
        match self.claim(ticket, &live).await {
            Ok(Some(hold)) => {
                self.claim_time
                    .note(self.parts.clock.elapsed().saturating_sub(began));
                self.hand_over(hold).await;
            }
            Ok(None) => {}
            Err(StepError::Refused(refusal)) => self.refused(ticket, &refusal).await,
            Err(error) => {
                tracing::warn!(session = %ticket.session, reply = %ticket.reply, %error, "claim failed");
            }
        }
    }

    /// The claim, or `None` when the attempt met a stuck lock and was counted.
    async fn claim(&self, ticket: Ticket, live: &Live) -> Result<Option<Hold>, StepError> {
        let reply = ticket.reply;
        let token = ClaimToken(sortable_id(&*self.parts.clock, &*self.parts.entropy));
        let asked = self.parts.clock.elapsed();
        // As long as there is time to send: a claim that was made although its answer got lost must not end as unknown.
        let claim = Duration::from_millis(live.rules.claim_ms);
        let patience = Patience::until(asked + claim.saturating_sub(CLAIM_MARGIN));
        let made = self
            .desk
            .insist(ticket.session, Cause::by("dispatch"), patience, |_| {
                Ok(Command::Claim { reply, token })
            })
            .await?;
        self.after(&made).await;
        let Some(claim) = made
            .after
            .reply(reply)
            .and_then(|reply| reply.claim.as_ref())
        else {
            return Ok(None);
        };
        // Counted from before the claim was made: a slow commit shortens the send, never stretches the claim.
        let deadline = asked + Duration::from_millis(made.live.rules.claim_ms);
        debug_assert!(claim.token == token);
        Ok(Some(Hold {
            made,
            reply,
            token,
            deadline,
        }))
    }

    async fn refused(&self, ticket: Ticket, refusal: &Refusal) {
        let again = match refusal {
            Refusal::NotDue { at } => Some(at.minus(self.claim_time.ahead_ms())),
            Refusal::Locked { lease_until } => Some(*lease_until),
            Refusal::NotHead => self.behind_a_neighbour(ticket).await,
            // What ends a hold, an earlier reply's way or a claim publishes a fresh ticket itself.
            _ => None,
        };
        if let Some(at) = again {
            // The sweeper publishes what could not be published now.
            let _ = self.publish(ticket, at).await;
        }
    }

    /// When to try again behind another session's reply; nothing tells this session when that one leaves.
    async fn behind_a_neighbour(&self, ticket: Ticket) -> Option<At> {
        let stored = self.desk.load(ticket.session).await.ok()?;
        let head = stored.session.head()?;
        (head.id == ticket.reply && stored.key.is_group())
            .then(|| self.parts.clock.now().plus(GROUP_RETRY_MS))
    }

    async fn hand_over(&self, hold: Hold) {
        let content = match self.content(&hold).await {
            Ok(content) => content,
            Err(error) => {
                tracing::error!(reply = %hold.reply, %error, "a reply's text could not be read");
                let next = next_part(&hold);
                self.settle(&hold, next, unread(&error)).await;
                return;
            }
        };
        let Some(reply) = hold.made.after.reply(hold.reply) else {
            return;
        };
        let before = hold.made.before.reply(hold.reply);
        let due = before
            .and_then(|reply| reply.retry_at)
            .unwrap_or(reply.not_before);
        self.parts.clock.sleep_until(due).await;
        let (from, of) = (reply.sent, reply.parts);
        for part in from..of {
            let has_room = part == from || self.waits_for_room(&hold).await;
            if !has_room || !self.still_wanted(&hold).await {
                self.settle(&hold, part, Outcome::NotSent).await;
                return;
            }
            let outcome = self.send(&hold, &content, part).await;
            let accepted = matches!(outcome, Outcome::Accepted { .. });
            let settled = self.settle(&hold, part, outcome).await;
            // A part that is not on record would be sent again with the next attempt: no further part follows it.
            if !accepted || settled == Settled::No {
                return;
            }
        }
    }

    async fn content(&self, hold: &Hold) -> Result<ReplyText, StoreError> {
        // Half of the claim, so that the other half is left to send or to say that nothing was sent.
        let half = Duration::from_millis(hold.made.live.rules.claim_ms / 2);
        let patience = Patience::until(hold.deadline.saturating_sub(half));
        let wanted = [hold.reply];
        let found = self
            .desk
            .ask(patience, || self.parts.store.replies(&wanted))
            .await?;
        found.into_iter().next().ok_or(StoreError::Corrupt {
            what: format!("text of {}", hold.reply),
            source: "it is not there".into(),
        })
    }

    /// The last look before sending: nothing newer came that it was not cleared for, and the claim is still ours.
    async fn still_wanted(&self, hold: &Hold) -> bool {
        let Ok(stored) = self.desk.load(hold.made.id).await else {
            return false;
        };
        let epoch = stored.session.epoch;
        stored.session.reply(hold.reply).is_some_and(|reply| {
            let claim = reply.claim.as_ref();
            let ours = reply.status == ReplyStatus::Dispatching
                && claim.is_some_and(|claim| claim.token == hold.token);
            ours && (epoch == hold.made.after.epoch || epoch <= reply.cleared)
        })
    }

    async fn send(&self, hold: &Hold, content: &ReplyText, part: u16) -> Outcome {
        let left = hold
            .deadline
            .saturating_sub(self.parts.clock.elapsed())
            .saturating_sub(CLAIM_MARGIN);
        let limit = left.min(Duration::from_millis(
            hold.made.live.settings.send_timeout_ms,
        ));
        let Some(text) = content
            .parts
            .get(usize::from(part))
            .filter(|_| !limit.is_zero())
        else {
            return Outcome::NotSent;
        };
        let outbound = Outbound {
            key: hold.made.key.clone(),
            reply: hold.reply,
            seq: content.seq,
            part,
            parts: content.parts.len() as u16,
            text: text.clone(),
            covers: content.covers.clone(),
        };
        let channel = &hold.made.live.wired.channel;
        let outcome = tokio::select! {
            biased;
            outcome = channel.send(&outbound, limit) => outcome,
            () = self.parts.clock.sleep(limit) => Outcome::Unknown { code: "timeout".to_owned() },
        };
        metrics::counter!("replygate_sends_total", "outcome" => word(&outcome)).increment(1);
        outcome
    }

    /// Records how the hand-over of `part` ended, again and again while the claim lives and the store does not answer.
    async fn settle(&self, hold: &Hold, part: u16, outcome: Outcome) -> Settled {
        let patience = Patience::until(hold.deadline);
        let step = self
            .desk
            .insist(hold.made.id, Cause::by("dispatch"), patience, |_| {
                Ok(Command::Settle {
                    token: hold.token,
                    outcome: outcome.clone(),
                })
            })
            .await;
        match step {
            Ok(made) => {
                self.after(&made).await;
                return Settled::Yes;
            }
            Err(StepError::Refused(Refusal::StaleClaim))
                if matches!(outcome, Outcome::Accepted { .. }) && is_last(hold, part) =>
            {
                self.report(hold).await;
            }
            Err(error) => {
                tracing::warn!(reply = %hold.reply, %error, "a hand-over could not be settled, it becomes unknown");
            }
        }
        Settled::No
    }

    /// The claim ended before its outcome came: the reply is unknown, and this is the report that it arrived.
    async fn report(&self, hold: &Hold) {
        let reply = hold.reply;
        let step = self
            .desk
            .step(hold.made.id, Cause::by("channel"), |_| {
                Ok(Command::Report { reply })
            })
            .await;
        match step {
            Ok(made) => self.after(&made).await,
            Err(error) => tracing::warn!(%reply, %error, "a late outcome could not be recorded"),
        }
    }

    /// Queues a reminder for `due`; when that fails the sweeper does it later.
    pub(crate) async fn publish(&self, ticket: Ticket, due: At) -> Result<(), TicketsUnavailable> {
        let published = self.parts.tickets.publish(ticket, due).await;
        if let Err(error) = &published {
            // The adapter tells once that its queue is away; here it would be told for every reply.
            tracing::debug!(reply = %ticket.reply, %error, "a ticket could not be published");
            metrics::counter!("replygate_tickets_unpublished_total").increment(1);
        }
        published
    }
}

/// What a text that could not be read comes to: a store that does not answer is no fault of the channel and of nothing that
/// is stored, so the reply goes back in line.
fn unread(error: &StoreError) -> Outcome {
    if error.may_pass() {
        Outcome::NotSent
    } else {
        Outcome::Unreadable
    }
}

/// The first part that the channel has not accepted.
fn next_part(hold: &Hold) -> u16 {
    let reply = hold.made.after.reply(hold.reply);
    reply.map_or(0, |reply| reply.sent)
}

/// Whether the user has the whole reply with this part: an earlier one says nothing about the rest.
fn is_last(hold: &Hold, part: u16) -> bool {
    let reply = hold.made.after.reply(hold.reply);
    reply.is_some_and(|reply| part + 1 >= reply.parts)
}

fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Accepted { .. } => "accepted",
        Outcome::NotSent => "not_sent",
        Outcome::Failed { .. } => "failed",
        Outcome::Refused { .. } => "refused",
        Outcome::Unknown { .. } => "unknown",
        Outcome::Unreadable => "unreadable",
    }
}
