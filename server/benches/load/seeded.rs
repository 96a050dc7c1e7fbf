//! A store with a long past, made by the real decider and the store's own appends: whole exchanges in one step each, many
//! of them in one commit. Must never write rows itself, so that it is what a server would have left.

use anyhow::{Result, bail};
use futures::future::join_all;
use replygate_embedded::Database;
use replygate_gate::debounce::{MessageKind, Signal};
use replygate_gate::{
    Admission, Arrival, At, ClaimToken, Command, Commit, Draft, Event, Late, MessageId, Neighbours,
    Outcome, ReplyId, Rules, Scene, Sender, Session, SessionKey, TurnId, Usage, decide, evolve,
};
use replygate_ports::store::{Append, DedupeKey, NewMessage, NewReply, Store};

/// The channel of everything in the past.
pub(crate) const CHANNEL: &str = "bench";
/// When a past began that need not end now.
pub(crate) const EPOCH: At = At(1_750_000_000_000);
/// Between two exchanges, in milliseconds: a million of them are twelve days.
pub(crate) const EACH_MS: u64 = 1_000;
/// Exchanges under way at once, about as many as share a commit; no two of them may be of one customer.
pub(crate) const AT_ONCE: usize = 500;

/// A customer's key by number.
pub(crate) fn key(customer: usize) -> SessionKey {
    let contact = format!("customer-{customer}");
    SessionKey {
        channel: CHANNEL.to_owned(),
        account: String::new(),
        conversation: contact.clone(),
        contact,
    }
}

/// What a customer's next exchange continues.
#[derive(Clone, Default)]
struct Place {
    version: u64,
    session: Session,
}

/// What is to be stored.
pub(crate) struct Past {
    /// How many customers there are.
    pub(crate) customers: usize,
    /// How many messages, each of which is answered.
    pub(crate) exchanges: usize,
    /// When the first was written.
    pub(crate) began: At,
    /// One reply of so many is refused and parked; with `None`, all are delivered.
    pub(crate) parked_of: Option<usize>,
}

/// Stores a past; `who` tells each message's customer, at least [`AT_ONCE`] others apart.
pub(crate) async fn store(
    database: &Database,
    past: &Past,
    who: impl Fn(usize) -> usize,
) -> Result<()> {
    let mut places = vec![Place::default(); past.customers];
    let rules = Rules::default();
    let mut number = 0;
    while number < past.exchanges {
        let until = past.exchanges.min(number + AT_ONCE);
        let mut appends = Vec::with_capacity(AT_ONCE);
        for number in number..until {
            let customer = who(number);
            let exchange = Exchange {
                number,
                customer,
                at: past.began.plus(number as u64 * EACH_MS),
                outcome: outcome(past, number),
            };
            appends.push(exchange.play(&mut places[customer], &rules)?);
        }
        for stored in join_all(appends.into_iter().map(|append| database.append(append))).await {
            stored?;
        }
        number = until;
    }
    Ok(())
}

fn outcome(past: &Past, number: usize) -> Outcome {
    match past.parked_of {
        Some(of) if number.is_multiple_of(of) => Outcome::Refused {
            code: "http_403".to_owned(),
        },
        _ => Outcome::Accepted { receipt: None },
    }
}

/// One message, its turn, its reply and the hand-over.
struct Exchange {
    number: usize,
    customer: usize,
    at: At,
    outcome: Outcome,
}

impl Exchange {
    /// The whole of it as one step.
    fn play(self, place: &mut Place, rules: &Rules) -> Result<Append> {
        let at = self.at;
        let id = (at.0 as u128) << 80 | self.number as u128;
        let (message, reply, token) = (MessageId(id), ReplyId(id), ClaimToken(id));
        let mut play = Play {
            now: at,
            session: std::mem::take(&mut place.session),
            events: Vec::new(),
            rules,
        };
        play.decide(&Command::Arrive(Arrival {
            message,
            signal: Signal::Closed,
            edit_of: None,
            awaits_ms: None,
            admission: Admission::Turn,
            sender: Sender::Reads,
        }))?;
        play.now = play.session.window.map_or(at, |window| window.due);
        play.decide(&Command::Take { turn: TurnId(id) })?;
        play.decide(&Command::Commit(Commit {
            fence: play.session.last_fence,
            verdicts: Vec::new(),
            draft: Some(Draft { reply, parts: 1 }),
            effects: false,
            run_ms: 1,
            late: Late::Accept,
            usage: Usage::default(),
        }))?;
        let Some(due) = play.session.reply(reply).map(|reply| reply.not_before) else {
            bail!("a turn left no reply")
        };
        play.now = due;
        play.decide(&Command::Claim { reply, token })?;
        let outcome = self.outcome;
        play.decide(&Command::Settle { token, outcome })?;
        Ok(play.step(place, self.number, self.customer, (message, reply)))
    }
}

struct Play<'a> {
    now: At,
    session: Session,
    events: Vec<Event>,
    rules: &'a Rules,
}

impl Play<'_> {
    fn decide(&mut self, command: &Command) -> Result<()> {
        let scene = Scene {
            now: self.now,
            rules: self.rules,
            neighbours: Neighbours::default(),
        };
        let events = decide(&self.session, command, &scene)?;
        self.session = events
            .iter()
            .fold(std::mem::take(&mut self.session), evolve);
        self.events.extend(events);
        Ok(())
    }

    fn step(
        self,
        place: &mut Place,
        number: usize,
        customer: usize,
        (message, reply): (MessageId, ReplyId),
    ) -> Append {
        let key = key(customer);
        let dedupe = DedupeKey {
            channel: key.channel.clone(),
            account: key.account.clone(),
            conversation: key.conversation.clone(),
            provider_id: format!("m{number}"),
            edit: None,
        };
        let message = NewMessage {
            id: message,
            dedupe,
            kind: MessageKind::Text,
            text: format!(
                "Where is my order {number}? It was to come on Monday, and nobody called me."
            ),
            sent_at: None,
            edit_of: None,
        };
        let text =
            format!("Order {number} left our house this morning; it should be with you tomorrow.");
        let reply = NewReply {
            id: reply,
            parts: vec![text],
        };
        let append = Append {
            id: key.session(),
            key,
            expected: place.version,
            at: self.now,
            actor: "customer".to_owned(),
            events: self.events,
            next_at: self.session.next_deadline(self.rules),
            session: self.session.clone(),
            message: Some(message),
            reply: Some(reply),
            action: None,
        };
        place.version += 1;
        place.session = self.session;
        append
    }
}
