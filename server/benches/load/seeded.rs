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
/// When the past began.
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

/// Stores `exchanges` messages, each answered and delivered; `who` tells each one's customer, at least [`AT_ONCE`] others
/// apart.
pub(crate) async fn store(
    database: &Database,
    customers: usize,
    exchanges: usize,
    who: impl Fn(usize) -> usize,
) -> Result<()> {
    let mut places = vec![Place::default(); customers];
    let rules = Rules::default();
    let mut number = 0;
    while number < exchanges {
        let until = exchanges.min(number + AT_ONCE);
        let mut appends = Vec::with_capacity(AT_ONCE);
        for number in number..until {
            let customer = who(number);
            appends.push(exchange(number, customer, &mut places[customer], &rules)?);
        }
        for stored in join_all(appends.into_iter().map(|append| database.append(append))).await {
            stored?;
        }
        number = until;
    }
    Ok(())
}

/// One message, its turn, its reply and the hand-over, as one step.
fn exchange(number: usize, customer: usize, place: &mut Place, rules: &Rules) -> Result<Append> {
    let at = EPOCH.plus(number as u64 * EACH_MS);
    let id = (at.0 as u128) << 80 | number as u128;
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
    let outcome = Outcome::Accepted { receipt: None };
    play.decide(&Command::Settle { token, outcome })?;
    Ok(play.step(place, number, customer, (message, reply)))
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
