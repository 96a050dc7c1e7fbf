//! Everything that can be observed of a store, as labelled texts to compare.

use std::fmt::Debug;

use replygate_gate::{At, MessageId, ReplyId, SessionKey};
use replygate_ports::store::{DedupeKey, Store};
use replygate_ports::views::{MessageQuery, ReplyQuery, SessionQuery, Views};

/// The ids that the life has named so far.
#[derive(Default)]
pub(super) struct Known {
    pub messages: Vec<MessageId>,
    pub replies: Vec<ReplyId>,
    pub dedupe: Vec<DedupeKey>,
}

const MANY: u32 = 10_000;

struct Seen(Vec<(String, String)>);

impl Seen {
    fn add(&mut self, what: impl Into<String>, value: &impl Debug) {
        self.0.push((what.into(), format!("{value:?}")));
    }
}

/// What the pipeline sees of one session after each move.
pub(super) async fn observe_one(store: &dyn Store, key: &SessionKey) -> Vec<(String, String)> {
    let mut seen = Seen(Vec::new());
    seen.add("load", &store.load(key.session()).await.unwrap());
    seen.add(
        "scheduled",
        &store.scheduled(At(i64::MAX), None, MANY).await.unwrap(),
    );
    seen.add(
        "neighbours",
        &store
            .neighbours(key.conversation_id(), key.session())
            .await
            .unwrap(),
    );
    seen.add(
        "history",
        &store.history(key.session(), &[], 6).await.unwrap(),
    );
    seen.0
}

/// Everything that anybody sees.
pub(super) async fn observe_all(
    store: &dyn Store,
    views: &dyn Views,
    keys: &[SessionKey],
    known: &Known,
) -> Vec<(String, String)> {
    let mut seen = Seen(Vec::new());
    for key in keys {
        session(&mut seen, store, views, key, known).await;
    }
    contents(&mut seen, store, known).await;
    lists(&mut seen, views, known).await;
    seen.0
}

async fn session(
    seen: &mut Seen,
    store: &dyn Store,
    views: &dyn Views,
    key: &SessionKey,
    known: &Known,
) {
    let id = key.session();
    seen.0.extend(observe_one(store, key).await);
    seen.add("events", &store.events(id, 0, MANY).await.unwrap());
    seen.add(
        "whole history",
        &store
            .history(id, &known.messages[..known.messages.len() / 2], MANY)
            .await
            .unwrap(),
    );
    seen.add(
        "conversation",
        &views.conversation(id, None, MANY).await.unwrap(),
    );
    seen.add("timeline", &views.timeline(id, Some(20), 10).await.unwrap());
    seen.add("summary", &views.session_summaries(&[id]).await.unwrap());
    seen.add(
        "figures",
        &views.channel_figures(&key.channel).await.unwrap(),
    );
    for message in &known.messages {
        let mut covering = views.replies_covering(id, *message).await.unwrap();
        covering.sort_by_key(|reply| reply.id);
        seen.add("covering", &covering);
    }
    let mut answered = store
        .answered(id, &known.messages, ReplyId(0))
        .await
        .unwrap();
    answered.sort_unstable_by_key(|answer| (answer.message, answer.by));
    seen.add("answered", &answered);
}

async fn contents(seen: &mut Seen, store: &dyn Store, known: &Known) {
    seen.add("texts", &store.texts(&known.messages).await.unwrap());
    seen.add("replies", &store.replies(&known.replies).await.unwrap());
    for reply in &known.replies {
        seen.add("find_reply", &store.find_reply(*reply).await.unwrap());
    }
    for key in &known.dedupe {
        seen.add("find_message", &store.find_message(key).await.unwrap());
    }
    for request in 0..12 {
        seen.add(
            "action",
            &store.action(&format!("request {request}")).await.unwrap(),
        );
    }
}

async fn lists(seen: &mut Seen, views: &dyn Views, known: &Known) {
    let sessions = SessionQuery {
        limit: MANY,
        ..SessionQuery::default()
    };
    seen.add("sessions", &views.sessions(&sessions).await.unwrap());
    seen.add(
        "open sessions",
        &views
            .sessions(&SessionQuery {
                open_only: true,
                ..sessions
            })
            .await
            .unwrap(),
    );
    seen.add(
        "messages",
        &views
            .messages(&MessageQuery {
                limit: MANY,
                ..MessageQuery::default()
            })
            .await
            .unwrap(),
    );
    seen.add(
        "reply list",
        &views
            .reply_list(&ReplyQuery {
                limit: MANY,
                ..ReplyQuery::default()
            })
            .await
            .unwrap(),
    );
    let mut messages = views.messages_by_id(&known.messages).await.unwrap();
    messages.sort_by_key(|message| message.id);
    seen.add("messages by id", &messages);
    let mut counts = views.open_counts().await.unwrap();
    counts.retain(|(_, count)| *count > 0);
    counts.sort_unstable();
    seen.add("open counts", &counts);
}
