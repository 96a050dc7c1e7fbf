//! Everything the judge looks at, read once.

use std::collections::BTreeMap;

use replygate_gate::{
    At, Event, Guarantee, MessageId, ReplyId, Session, SessionKey, TurnId, evolve,
};
use replygate_ports::changes::MessageState;
use replygate_ports::ledger::{Call, CallQuery, Duplicate, DuplicateQuery, Ledger as _};
use replygate_ports::store::Store;
use replygate_ports::views::{MessageQuery, MessageView, ReplyQuery, ReplyView, Views};
use replygate_testkit::clock::EPOCH;
use replygate_testkit::scripted::{HandOver, Worked};

use crate::world::{Provider, World};

/// One event with the state before it and the state before its step.
pub struct Moment {
    pub at: At,
    pub actor: String,
    pub event: Event,
    pub before: Session,
    /// The state on which the step was decided.
    pub decided_on: Session,
}

pub struct Chronicle {
    pub key: SessionKey,
    pub moments: Vec<Moment>,
    /// What the events lead to.
    pub replayed: Session,
    /// What the store has.
    pub stored: Session,
}

pub struct Ledger {
    pub guarantee: Guarantee,
    pub chronicles: Vec<Chronicle>,
    pub replies: BTreeMap<ReplyId, ReplyView>,
    pub messages: BTreeMap<MessageId, MessageView>,
    pub hand_overs: Vec<HandOver>,
    pub acknowledged: BTreeMap<Provider, Vec<MessageId>>,
    pub effects: Vec<TurnId>,
    pub calls: Vec<Call>,
    pub duplicates: Vec<Duplicate>,
    /// The tool calls that had their effect.
    pub worked: Vec<Worked>,
}

impl Ledger {
    pub async fn read(world: &World) -> Self {
        let store = &world.ground.store;
        let mut chronicles = Vec::new();
        for key in &world.script.sessions {
            chronicles.extend(chronicle(store.as_ref(), key).await);
        }
        let limit = u32::MAX;
        let replies = store
            .reply_list(&ReplyQuery {
                limit,
                ..ReplyQuery::default()
            })
            .await
            .unwrap();
        let messages = store
            .messages(&MessageQuery {
                limit,
                ..MessageQuery::default()
            })
            .await
            .unwrap();
        let calls = CallQuery {
            limit,
            ..CallQuery::default()
        };
        let duplicates = DuplicateQuery {
            limit,
            ..DuplicateQuery::default()
        };
        Self {
            calls: store.calls(&calls).await.unwrap(),
            duplicates: store.duplicates(&duplicates).await.unwrap(),
            worked: world.ground.tool.worked(),
            guarantee: world.script.settings.guarantee,
            chronicles,
            replies: replies.into_iter().map(|reply| (reply.id, reply)).collect(),
            messages: messages
                .into_iter()
                .map(|message| (message.id, message))
                .collect(),
            hand_overs: world.ground.channel.hand_overs(),
            acknowledged: world.acknowledged(),
            effects: world
                .ground
                .agent
                .effects()
                .into_iter()
                .map(|(_, _, turn)| turn)
                .collect(),
        }
    }

    /// Everything that ever happened to a reply.
    pub fn life_of(&self, reply: ReplyId) -> impl Iterator<Item = &Event> {
        self.moments()
            .map(|moment| &moment.event)
            .filter(move |event| concerns(event) == Some(reply))
    }

    pub fn moments(&self) -> impl Iterator<Item = &Moment> {
        self.chronicles
            .iter()
            .flat_map(|chronicle| &chronicle.moments)
    }

    /// Whether an operator took a reply's fate into their own hands.
    pub fn is_overruled(&self, reply: ReplyId) -> bool {
        self.life_of(reply)
            .any(|event| matches!(event, Event::Requeued { .. } | Event::RerunRequested { .. }))
    }

    /// What happened, line by line, for whoever has to find out why.
    pub fn story(&self) -> String {
        let mut lines: Vec<(At, String)> = Vec::new();
        for chronicle in &self.chronicles {
            let who = format!("{}/{}", chronicle.key.conversation, chronicle.key.contact);
            let told = |moment: &Moment| {
                (
                    moment.at,
                    format!(
                        "{who} {}: {}",
                        moment.actor,
                        serde_json::to_string(&moment.event).unwrap()
                    ),
                )
            };
            lines.extend(chronicle.moments.iter().map(told));
        }
        let handed = |one: &HandOver| {
            let part = &one.part;
            let told = format!(
                "{}/{} HANDED OVER {} part {} reached {} told {:?}",
                part.key.conversation,
                part.key.contact,
                part.reply,
                part.part,
                one.reached,
                one.outcome
            );
            (one.at, told)
        };
        lines.extend(self.hand_overs.iter().map(handed));
        let worked = |one: &Worked| {
            let call = &one.call;
            let told = format!(
                "{} WORKED {} {}",
                call.whom.contact, call.action, call.arguments
            );
            (one.at, told)
        };
        lines.extend(self.worked.iter().map(worked));
        lines.sort_by_key(|(at, _)| *at);
        lines
            .iter()
            .map(|(at, line)| format!("{:>8} {line}", at.since(EPOCH)))
            .collect::<Vec<_>>()
            .join("\n")
    }

    pub fn state_of(&self, message: MessageId) -> Option<MessageState> {
        self.messages.get(&message).map(|view| view.state)
    }
}

async fn chronicle(store: &dyn Store, key: &SessionKey) -> Option<Chronicle> {
    let stored = store.load(key.session()).await.unwrap()?;
    let mut moments = Vec::new();
    let mut session = Session::default();
    for step in store.events(key.session(), 0, u32::MAX).await.unwrap() {
        let decided_on = session.clone();
        for event in step.events {
            let after = evolve(session.clone(), &event);
            moments.push(Moment {
                at: step.at,
                actor: step.actor.clone(),
                event,
                before: session,
                decided_on: decided_on.clone(),
            });
            session = after;
        }
    }
    Some(Chronicle {
        key: key.clone(),
        moments,
        replayed: session,
        stored: stored.session,
    })
}

/// The reply that an event is about.
pub fn concerns(event: &Event) -> Option<ReplyId> {
    match event {
        Event::Released { reply, .. }
        | Event::VerdictNoted { reply, .. }
        | Event::Replied { reply, .. }
        | Event::Cancelled { reply, .. }
        | Event::Superseded { reply, .. }
        | Event::VerdictLate { reply, .. }
        | Event::Cut { reply }
        | Event::Claimed { reply, .. }
        | Event::PartAccepted { reply, .. }
        | Event::Delivered { reply, .. }
        | Event::NotSent { reply, .. }
        | Event::AttemptFailed { reply, .. }
        | Event::AttemptBlocked { reply, .. }
        | Event::OutcomeUnknown { reply, .. }
        | Event::RepetitionEnded { reply }
        | Event::Parked { reply, .. }
        | Event::Expired { reply }
        | Event::Requeued { reply, .. }
        | Event::RerunRequested { reply, .. }
        | Event::RerunEnded { reply }
        | Event::Discarded { reply } => Some(*reply),
        _ => None,
    }
}
