//! The people of the demo's day: an operator who looks after what is parked and talks to who asks for a person, a supporter
//! who judges avoided duplicates, and an admin who shortens a window.

use std::sync::Arc;

use replygate_engine::{Deed, Verb};
use replygate_gate::{At, ReplyStatus, SessionId, Target};
use replygate_ports::activity::ActivityResult;
use replygate_ports::ledger::{DuplicateQuery, Judged, LedgerError, Opinion, Verdict};
use replygate_ports::settings::SettingsVersion;
use replygate_ports::store::StoreError;
use replygate_ports::views::{ReplyQuery, ReplyView};

use super::bulk;
use super::day::{self, Said};
use super::play::{Act, Agenda, key};
use super::quiet::Watch;
use crate::activity::Entry;
use crate::console::ServerConsole;
use crate::service::Service;

pub(super) const OPERATOR: &str = "dana";
const ADMIN: &str = "ana";
const SUPPORTER: &str = "rui";

/// Texts that ask for a person, and what the operator answers.
const ASKED: [(&str, &str); 3] = [
    (
        "Can I talk to a person?",
        "Hello, this is Dana. What can I do for you?",
    ),
    (
        "Posso falar com um atendente?",
        "Olá, aqui é a Dana. Como posso ajudar?",
    ),
    (
        "Quiero hablar con una persona.",
        "Hola, soy Dana. ¿En qué puedo ayudar?",
    ),
];
/// After the question, in milliseconds: the takeover, the greeting, and the hand-back.
const TAKES_MS: u64 = 45_000;
const GREETS_MS: u64 = 62_000;
const HANDS_BACK_MS: u64 = 420_000;
/// Whoever asks so late still talks to the operator when the day ends, in milliseconds before that.
const STAYS_MS: u64 = 5_400_000;
/// What is this old when the operator looks is left to whoever opens the console, in milliseconds.
const FORGOTTEN_MS: u64 = 6 * 3_600_000;

/// What the office works with.
pub(super) struct Office {
    pub(super) service: Arc<Service>,
    /// The console at which its people sit.
    pub(super) console: Arc<ServerConsole>,
    /// Time stands still while somebody reads.
    pub(super) watch: Arc<Watch>,
}

/// Something that the office does.
pub(super) enum Errand {
    /// The operator looks through what waits for a person.
    Round,
    /// The operator sends again what an outage left, many at once.
    Bulk,
    /// The operator answers instead of the agent.
    TakeOver(SessionId),
    /// And greets.
    Greet(SessionId, &'static str),
    /// And lets the agent answer again.
    HandBack(SessionId),
    /// The supporter judges what the guard held back.
    Audit,
    /// The admin shortens a window.
    Tune,
}

/// What the office does whatever happens.
pub(super) fn plan(begins: At, agenda: &mut Agenda) {
    for round in day::ROUNDS_MS {
        agenda.put(begins.plus(round), Act::Errand(Errand::Round));
    }
    agenda.put(begins.plus(day::BULK_MS), Act::Errand(Errand::Bulk));
    agenda.put(begins.plus(day::AUDITED_MS), Act::Errand(Errand::Audit));
    agenda.put(begins.plus(day::TUNED_MS), Act::Errand(Errand::Tune));
}

/// The office hears what is written: who asks for a person gets one.
pub(super) fn hear(said: &Said, at: At, agenda: &mut Agenda) {
    let Some((_, answer)) = ASKED.iter().find(|(question, _)| *question == said.text) else {
        return;
    };
    let session = key(said.channel, &said.contact).session();
    let mut put = |after, errand| agenda.put(at.plus(after), Act::Errand(errand));
    put(TAKES_MS, Errand::TakeOver(session));
    put(GREETS_MS, Errand::Greet(session, answer));
    if said.at_ms + STAYS_MS < day::LENGTH_MS {
        put(HANDS_BACK_MS, Errand::HandBack(session));
    }
}

/// Does it. What the protocol refuses, because a customer was quicker, is in the log of deeds as refused.
pub(super) async fn run(office: Arc<Office>, errand: Errand) {
    let service = &office.service;
    match errand {
        Errand::Bulk => {
            if let Err(error) = bulk::reprocess(&office).await {
                tracing::warn!(%error, "the demo's operator could not act on many");
            }
        }
        Errand::Round => {
            if let Err(error) = round(service).await {
                tracing::warn!(%error, "the demo's operator saw nothing");
            }
        }
        Errand::TakeOver(session) => act(service, session, Verb::TakeOver, None).await,
        Errand::Greet(session, text) => {
            let parts = vec![text.to_owned()];
            act(service, session, Verb::Say { parts }, None).await;
        }
        Errand::HandBack(session) => act(service, session, Verb::HandBack, None).await,
        Errand::Audit => {
            if let Err(error) = audit(service).await {
                tracing::warn!(%error, "the demo's supporter judged nothing");
            }
        }
        Errand::Tune => tune(service).await,
    }
}

pub(super) async fn act(service: &Service, session: SessionId, verb: Verb, reason: Option<&str>) {
    let deed = Deed {
        request_id: Some(format!("demo-{:032x}", service.stores.entropy.bits())),
        by: OPERATOR.to_owned(),
        reason: reason.map(str::to_owned),
        verb,
    };
    // The log of deeds has what came of it.
    let _ = service.act(session, deed, "operator").await;
}

async fn round(service: &Service) -> Result<(), StoreError> {
    let query = ReplyQuery {
        statuses: vec![ReplyStatus::Parked, ReplyStatus::Unknown],
        limit: 100,
        ..ReplyQuery::default()
    };
    let waiting = service.stores.views.reply_list(&query).await?;
    let now = service.stores.clock.now();
    for (place, reply) in waiting.iter().enumerate() {
        if now.since(reply.changed_at) > FORGOTTEN_MS {
            continue;
        }
        if let Some((verb, reason)) = choice(place, reply) {
            act(service, reply.session, verb, Some(reason)).await;
        }
    }
    Ok(())
}

fn choice(place: usize, reply: &ReplyView) -> Option<(Verb, &'static str)> {
    let target = Target {
        reply: reply.id,
        generation: reply.generation,
    };
    match (reply.status, place % 4) {
        (ReplyStatus::Unknown, 0 | 2) => {
            Some((Verb::MarkDelivered(target), "customer confirmed by phone"))
        }
        (ReplyStatus::Parked, 0) => Some((Verb::Reprocess(target), "provider is back")),
        (ReplyStatus::Parked, 1) => Some((Verb::Discard(target), "no longer of use")),
        (ReplyStatus::Parked, 2) => Some((
            Verb::Rerun {
                target,
                overrule: None,
            },
            "answer was too old",
        )),
        _ => None,
    }
}

/// Most were right; one customer wanted it again, and the newest are left to whoever opens the console.
async fn audit(service: &Service) -> Result<(), LedgerError> {
    let query = DuplicateQuery {
        unjudged_only: true,
        limit: 100,
        ..DuplicateQuery::default()
    };
    let found = service.stores.ledger.duplicates(&query).await?;
    for (place, record) in found.iter().rev().enumerate() {
        let (opinion, comment) = match place % 6 {
            3 => (
                Opinion::ShouldHaveRun,
                Some("she asked for a second hour, for her mother"),
            ),
            4 => (Opinion::Unsure, None),
            _ => (Opinion::Right, None),
        };
        let verdict = Verdict {
            opinion,
            comment: comment.map(str::to_owned),
            by: SUPPORTER.to_owned(),
            at: service.stores.clock.now(),
        };
        let judged = service.stores.ledger.judge(record.call.id, None, verdict);
        if judged.await? != Judged::Now {
            continue;
        }
        let entry = Entry {
            verb: "verdict".to_owned(),
            object: record.call.id.to_string(),
            after: Some(opinion.as_str().to_owned()),
            reason: comment.map(str::to_owned),
            ..Entry::default()
        };
        service
            .note(SUPPORTER, "support", entry, ActivityResult::Done)
            .await;
    }
    Ok(())
}

/// Customers of the clinic write short sentences: a message without a sign waits a little less.
async fn tune(service: &Service) {
    let Ok(Some(stored)) = service.stores.settings.version("clinic", None).await else {
        return;
    };
    let mut settings = stored.settings;
    let before = settings.debounce.neutral_ms;
    settings.debounce.neutral_ms = 2_200;
    let after = settings.debounce.neutral_ms;
    let reason = Some("short sentences: less waiting".to_owned());
    let next = SettingsVersion {
        version: stored.version + 1,
        settings,
        by: ADMIN.to_owned(),
        at: service.stores.clock.now(),
        reason: reason.clone(),
        request_id: None,
    };
    let result = match service.engine.save_settings(next).await {
        Ok(()) => ActivityResult::Done,
        Err(_) => ActivityResult::Refused,
    };
    let entry = Entry {
        verb: "save_settings".to_owned(),
        object: "channel:clinic".to_owned(),
        before: Some(format!("debounce.neutral_ms = {before}")),
        after: Some(format!("debounce.neutral_ms = {after}")),
        reason,
        request_id: None,
    };
    service.note(ADMIN, "admin", entry, result).await;
}
