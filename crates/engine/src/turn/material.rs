//! What the agent gets to read. Must never mix in anything of another session.

use replygate_gate::{Decision, Judgement, MessageId, Reply, ReplyId, Strategy, effective};
use replygate_ports::agent::{Note, Past, Turn, TurnMessage};
use replygate_ports::store::{HistoryEntry, MessageText, ReplyFate, StoreError};

use super::{Aside, Running};
use crate::engine::Inner;

impl Inner {
    /// The turn as the agent reads it: merged replies' messages and the burst, the past with each reply's fate, and notes.
    pub(super) async fn material(
        &self,
        running: &Running,
        verdicts: &[Judgement],
        aside: &Aside,
    ) -> Result<Turn, StoreError> {
        let made = &running.made;
        let decided = decided(running, verdicts, &aside.too_late);
        let covers = covers(running, &decided);
        let wanted: Vec<MessageId> = covers.iter().map(|(id, _)| *id).collect();
        let texts = self.parts.store.texts(&wanted).await?;
        let mut history = match made.live.wired.agent.past() {
            Past::Nothing => Vec::new(),
            Past::History => {
                self.parts
                    .store
                    .history(made.id, &wanted, made.live.settings.history)
                    .await?
            }
        };
        if rolls_back(running) {
            history.retain(|entry| !is_undone(entry, &decided));
        }
        Ok(Turn {
            turn: running.owner.turn,
            session: made.id,
            key: made.key.clone(),
            history,
            messages: turn_messages(&covers, &texts),
            notes: notes(running, &decided, aside, self.has_effects(running)),
            at: self.parts.clock.now(),
            limit_ms: made.live.settings.agent_timeout_ms,
        })
    }
}

type Decided<'a> = Vec<(&'a Reply, Decision)>;

/// What becomes of each undelivered reply if this turn commits now.
fn decided<'a>(running: &'a Running, verdicts: &[Judgement], too_late: &[ReplyId]) -> Decided<'a> {
    let made = &running.made;
    let open = made
        .after
        .undelivered()
        .filter(|reply| !too_late.contains(&reply.id));
    open.map(|reply| {
        let judged = verdicts
            .iter()
            .find(|judgement| judgement.reply == reply.id);
        let decision = judged.map_or(Decision::ReleaseFirst, |judgement| {
            effective(reply, judgement, &made.live.rules)
        });
        (reply, decision)
    })
    .collect()
}

/// The messages the answer will cover, with the reply they are merged from, in order of arrival.
fn covers(running: &Running, decided: &Decided<'_>) -> Vec<(MessageId, Option<ReplyId>)> {
    let merged = decided
        .iter()
        .filter(|(reply, decision)| *decision == Decision::Merge && !reply.has_left())
        .flat_map(|(reply, _)| reply.covers.iter().map(|id| (*id, Some(reply.id))));
    let mut covers: Vec<(MessageId, Option<ReplyId>)> = merged.collect();
    covers.extend(running.owner.burst.iter().map(|id| (*id, None)));
    // Ids sort by the time they were made.
    covers.sort_unstable_by_key(|(id, _)| *id);
    covers
}

/// The messages as they stand after their edits: an edit takes the place of what it edits, the last one counts.
fn turn_messages(
    covers: &[(MessageId, Option<ReplyId>)],
    texts: &[MessageText],
) -> Vec<TurnMessage> {
    let mut turn: Vec<TurnMessage> = Vec::with_capacity(covers.len());
    for (id, merged_from) in covers {
        let Some(text) = texts.iter().find(|message| message.id == *id) else {
            continue;
        };
        let message = turn_message(text, *merged_from);
        match turn
            .iter_mut()
            .find(|known| edited(known) == edited(&message))
        {
            Some(known) => {
                *known = TurnMessage {
                    merged_from: known.merged_from.or(message.merged_from),
                    ..message
                };
            }
            None => turn.push(message),
        }
    }
    turn
}

/// The message that was edited; itself when it is no edit.
fn edited(message: &TurnMessage) -> MessageId {
    message.edit_of.unwrap_or(message.id)
}

fn turn_message(message: &MessageText, merged_from: Option<ReplyId>) -> TurnMessage {
    TurnMessage {
        id: message.id,
        kind: message.kind,
        text: message.text.clone(),
        at: message.written_at(),
        edit_of: message.edit_of,
        merged_from,
    }
}

fn rolls_back(running: &Running) -> bool {
    running.made.live.rules.strategy == Strategy::Rollback
}

/// Whether a rollback made, or is about to make, this entry one that never was: nobody has seen it or will.
fn is_undone(entry: &HistoryEntry, decided: &Decided<'_>) -> bool {
    let HistoryEntry::Agent { reply, fate, .. } = entry else {
        return false;
    };
    let replaced = |(open, decision): &(&Reply, Decision)| {
        open.id == *reply && *decision == Decision::Merge && !open.has_left()
    };
    matches!(fate, ReplyFate::Cancelled | ReplyFate::Superseded) || decided.iter().any(replaced)
}

fn notes(running: &Running, decided: &Decided<'_>, aside: &Aside, has_effects: bool) -> Vec<Note> {
    let told = |(_, decision): &&(&Reply, Decision)| {
        !(rolls_back(running) && *decision == Decision::Merge)
    };
    let mut notes: Vec<Note> = decided
        .iter()
        .filter(told)
        .map(|(reply, decision)| match decision {
            Decision::ReleaseFirst => Note::Released { reply: reply.id },
            Decision::CancelFirst => Note::Cancelled { reply: reply.id },
            Decision::Merge => Note::Merged { reply: reply.id },
        })
        .collect();
    notes.extend(
        aside
            .too_late
            .iter()
            .map(|reply| Note::TooLate { reply: *reply }),
    );
    let done = running
        .made
        .after
        .undelivered()
        .filter(|reply| reply.effects);
    notes.extend(done.map(|reply| Note::Done {
        reply: Some(reply.id),
    }));
    if running.owner.effects || has_effects {
        notes.push(Note::Done {
            reply: running.owner.rerun,
        });
    }
    notes.extend(running.owner.rerun.map(|reply| Note::Rerun { reply }));
    notes.extend(
        running
            .owner
            .partial
            .map(|reply| Note::Interrupted { reply }),
    );
    notes.extend(aside.stopped.then_some(Note::Stopped));
    notes
}
