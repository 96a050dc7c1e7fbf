//! Writing down what people and programs did: with how it was before and after, whether it was done or refused. Must
//! never write a customer's text, and never undoes a deed because the entry failed.

use replygate_engine::{Deed, Made, StepError, Verb};
use replygate_gate::{Event, ReplyId, Session, SessionId};
use replygate_ports::activity::{Activity, ActivityResult};

use crate::service::Service;

/// The role of a program in the log.
pub(crate) const PROGRAM: &str = "program";

/// What somebody did, besides who and when.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entry {
    /// The verb.
    pub(crate) verb: String,
    /// To what: an id with its prefix, `channel:shop`, `user:ana`.
    pub(crate) object: String,
    /// How it was before.
    pub(crate) before: Option<String>,
    /// How it was after.
    pub(crate) after: Option<String>,
    /// Why, in their words.
    pub(crate) reason: Option<String>,
    /// The request that asked for it.
    pub(crate) request_id: Option<String>,
}

impl Service {
    /// Writes an entry. A fault is told to the log of the process: the deed is done already.
    pub(crate) async fn note(&self, by: &str, role: &str, entry: Entry, result: ActivityResult) {
        let activity = Activity {
            at: self.stores.clock.now(),
            by: by.to_owned(),
            role: role.to_owned(),
            verb: entry.verb,
            object: entry.object,
            before: entry.before,
            after: entry.after,
            reason: entry.reason,
            request_id: entry.request_id,
            result,
        };
        if let Err(error) = self.stores.activity.record(activity).await {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                "a deed is not in the activity log"
            );
        }
    }

    /// Does one deed and writes it down, done or not. A request that was carried out before is no second deed.
    pub(crate) async fn act(
        &self,
        session: SessionId,
        deed: Deed,
        role: &str,
    ) -> Result<Made, StepError> {
        let (by, mut entry) = (deed.by.clone(), entry(session, &deed));
        let target = target(&deed.verb);
        let made = self.engine.act(session, deed).await;
        let result = match &made {
            Ok(made) => {
                (entry.before, entry.after) = told(made, target);
                ActivityResult::Done
            }
            Err(StepError::Repeated(_)) => return made,
            Err(StepError::Store(_) | StepError::Busy) => ActivityResult::Failed,
            Err(error) => {
                entry.after = Some(error.to_string());
                ActivityResult::Refused
            }
        };
        self.note(&by, role, entry, result).await;
        made
    }
}

fn entry(session: SessionId, deed: &Deed) -> Entry {
    let object = target(&deed.verb).map_or_else(|| session.to_string(), |reply| reply.to_string());
    Entry {
        verb: deed.verb.word().to_owned(),
        object,
        reason: deed.reason.clone(),
        request_id: deed.request_id.clone(),
        ..Entry::default()
    }
}

fn target(verb: &Verb) -> Option<ReplyId> {
    match verb {
        Verb::Reprocess(target)
        | Verb::Rerun { target, .. }
        | Verb::Discard(target)
        | Verb::MarkDelivered(target) => Some(target.reply),
        _ => None,
    }
}

/// How what a deed was about stood before, and after.
fn told(made: &Made, target: Option<ReplyId>) -> (Option<String>, Option<String>) {
    match target {
        Some(reply) => (
            standing(&made.before, reply),
            ending(&made.events, reply).or_else(|| standing(&made.after, reply)),
        ),
        None => (Some(holders(&made.before)), Some(holders(&made.after))),
    }
}

fn standing(session: &Session, reply: ReplyId) -> Option<String> {
    let reply = session.reply(reply)?;
    let why = reply.parked.map(|why| format!(" ({why})"));
    let why = why.unwrap_or_default();
    Some(format!(
        "{}{why}, generation {}",
        reply.status, reply.generation
    ))
}

/// A final status, which is no part of the state any more.
fn ending(events: &[Event], wanted: ReplyId) -> Option<String> {
    events.iter().find_map(|event| match event {
        Event::Discarded { reply } if *reply == wanted => Some("DISCARDED".to_owned()),
        Event::Delivered { reply, .. } if *reply == wanted => Some("DELIVERED".to_owned()),
        Event::RerunRequested { reply, .. } if *reply == wanted => {
            Some("the agent is asked again".to_owned())
        }
        _ => None,
    })
}

/// Who answers, what holds, what is locked.
fn holders(session: &Session) -> String {
    let answers = session
        .takeover
        .as_ref()
        .map_or("the agent answers".to_owned(), |takeover| {
            format!("{} answers", takeover.by)
        });
    let held = session
        .undelivered()
        .filter(|reply| session.is_held(reply))
        .count();
    let lock = session
        .lock
        .as_ref()
        .map(|lock| format!(", locked by {}", lock.holder))
        .unwrap_or_default();
    let held = if held > 0 {
        format!(", {held} held")
    } else {
        String::new()
    };
    format!("{answers}{held}{lock}")
}
