//! Reports from the field about reactions: a sign on an open question is an answer, any other is recorded, and none
//! leaves a conversation pending.

mod stage;

use replygate_gate::DropReason;
use replygate_gate::ReplyStatus::Delivered;
use replygate_gate::debounce::MessageKind;
use replygate_ports::changes::MessageState::{Covered, Dropped};
use replygate_ports::channel::Inbound;
use replygate_ports::store::{HistoryEntry, Store};
use stage::{Setting, Stage, inbound, key};

const DAY: i64 = 86_400_000;

/// The bot says `text`: the agent repeats what it is asked.
async fn said(stage: &Stage, contact: &str, text: &str) -> replygate_gate::ReplyId {
    let id = format!("asked {}", stage.t());
    stage.write(contact, &id, text).await;
    stage.until(stage.t() + 10_000).await;
    let replies = stage.replies(contact).await;
    let last = replies.last().expect("a reply");
    assert_eq!(last.status, Delivered);
    last.id
}

fn sign(contact: &str, id: &str, emoji: &str, on: replygate_gate::ReplyId) -> Inbound {
    Inbound {
        kind: MessageKind::Reaction,
        reaction_to: Some(on),
        ..inbound("webchat", contact, id, emoji)
    }
}

async fn is_open(stage: &Stage, contact: &str) -> bool {
    let stored = stage.world.store.load(key("webchat", contact).session());
    let stored = stored.await.expect("the store answers");
    stored.is_some_and(|stored| stored.session.is_open())
}

/// FC-73
#[tokio::test(start_paused = true)]
async fn a_sign_on_an_open_question_is_its_answer() {
    let stage = Stage::set(Setting::default()).await;
    let question = said(&stage, "c83", "Posso confirmar para quinta?").await;
    stage.until(30_000).await;
    let received = stage.receive(sign("c83", "wa-6801", "👍", question)).await;
    stage.until(60_000).await;
    let runs = stage.runs_for("c83");
    assert_eq!(runs.last().unwrap(), &(32_500, vec!["👍".to_owned()]));
    let turn = stage.world.props.agent.runs().pop().unwrap().turn;
    assert_eq!(turn.messages[0].kind, MessageKind::Reaction);
    let before = turn.history.last().unwrap();
    assert!(matches!(before, HistoryEntry::Agent { reply, .. } if *reply == question));
    let answer = stage.replies("c83").await.pop().unwrap();
    assert_eq!(answer.status, Delivered);
    let fate = stage.message(received.message).await.state;
    assert_eq!(fate, Covered(Some(answer.id)));
    assert!(!is_open(&stage, "c83").await);
    stage.sound().await;
}

/// FC-73
#[tokio::test(start_paused = true)]
async fn a_sign_on_what_was_said_days_ago_is_recorded_and_nothing_waits() {
    let stage = Stage::set(Setting::default()).await;
    let old = said(&stage, "c84", "Posso confirmar para quinta?").await;
    stage.until(3 * DAY).await;
    let received = stage.receive(sign("c84", "wa-6802", "❤️", old)).await;
    stage.until(3 * DAY + 60_000).await;
    assert_eq!(stage.runs_for("c84").len(), 1);
    let fate = stage.message(received.message).await.state;
    assert_eq!(fate, Dropped(DropReason::Reaction));
    assert!(!is_open(&stage, "c84").await);
    // Whoever answers next knows of it as what it is.
    stage.write("c84", "later", "oi, tudo certo?").await;
    stage.until(3 * DAY + 120_000).await;
    let history = stage.world.props.agent.runs().pop().unwrap().turn.history;
    assert!(history.iter().any(|entry| matches!(
        entry,
        HistoryEntry::Customer { kind: MessageKind::Reaction, text, .. } if text == "❤️"
    )));
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_sign_that_answers_nothing_starts_no_turn() {
    let stage = Stage::set(Setting::default()).await;
    let statement = said(&stage, "c85", "Seu pedido saiu para entrega.").await;
    stage.receive(sign("c85", "1", "👍", statement)).await;
    let question = said(&stage, "c86", "É para hoje?").await;
    stage.write("c86", "2", "sim, para hoje.").await;
    stage.receive(sign("c86", "3", "👍", question)).await;
    let foreign = Inbound {
        reaction_to: None,
        ..sign("c87", "4", "👍", question)
    };
    said(&stage, "c87", "E para ti, também?").await;
    stage.receive(foreign).await;
    stage.until(stage.t() + 60_000).await;
    let runs = |contact| stage.runs_for(contact).len();
    assert_eq!((runs("c85"), runs("c86"), runs("c87")), (1, 2, 1));
    for contact in ["c85", "c86", "c87"] {
        let fates = stage.fates(contact).await;
        let (_, last) = fates.last().unwrap();
        assert_eq!(*last, Dropped(DropReason::Reaction), "{contact}");
        assert!(!is_open(&stage, contact).await, "{contact}");
    }
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_sign_neither_holds_a_reply_nor_stretches_a_window() {
    let stage = Stage::set(Setting::default()).await;
    let earlier = said(&stage, "c88", "Bom dia, tudo pronto.").await;
    let start = stage.t();
    stage.write("c88", "1", "Quanto custa o frete?").await;
    for (at, id) in [(400, "2"), (900, "3"), (1_500, "4")] {
        stage.until(start + at).await;
        stage.receive(sign("c88", id, "😂", earlier)).await;
    }
    stage.until(start + 60_000).await;
    let (at, text) = stage.screen("c88").pop().unwrap();
    assert_eq!(text, "Quanto custa o frete?");
    assert_eq!(at, start + 1_200 + 600);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_sign_that_is_changed_or_taken_away_reaches_the_agent_in_order() {
    let stage = Stage::set(Setting::default()).await;
    let question = said(&stage, "c89", "Shall I book it?").await;
    stage.receive(sign("c89", "1", "👍", question)).await;
    stage.until(stage.t() + 1_000).await;
    stage.receive(sign("c89", "2", "👎", question)).await;
    stage.until(stage.t() + 1_000).await;
    stage.receive(sign("c89", "3", "", question)).await;
    stage.until(stage.t() + 60_000).await;
    let (_, read) = stage.runs_for("c89").pop().unwrap();
    assert_eq!(read, ["👍", "👎", ""]);
    // Taken away without having been there, it says nothing.
    let question = said(&stage, "c90", "Shall I book it?").await;
    stage.receive(sign("c90", "4", "", question)).await;
    stage.until(stage.t() + 60_000).await;
    assert_eq!(stage.runs_for("c90").len(), 1);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_sign_that_a_channel_calls_stop_is_no_command_and_one_that_comes_twice_counts_once() {
    let stage = Stage::set(Setting::default()).await;
    let question = said(&stage, "c91", "Soll ich bestellen?").await;
    let first = stage.receive(sign("c91", "1", "stop", question)).await;
    let again = stage.receive(sign("c91", "1", "stop", question)).await;
    assert_eq!((first.message, again.duplicate), (again.message, true));
    stage.until(stage.t() + 60_000).await;
    assert_eq!(stage.runs_for("c91").len(), 2);
    assert!(!stage.events("c91").await.contains(&"controlled".to_owned()));
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn in_a_group_only_who_was_asked_answers_by_a_sign() {
    let stage = Stage::set(Setting::default()).await;
    let member = |contact: &str, message: Inbound| {
        let mut message = message;
        message.key.conversation = "g1".to_owned();
        message.key.contact = contact.to_owned();
        message
    };
    let asked = inbound("webchat", "ana", "1", "Quem leva o bolo?");
    stage.receive(member("ana", asked)).await;
    stage.until(10_000).await;
    let runs = || stage.world.props.agent.runs().len();
    let hand_overs = stage.world.props.channel.hand_overs();
    let question = hand_overs.last().unwrap().part.reply;
    stage
        .receive(member("rui", sign("rui", "2", "👍", question)))
        .await;
    stage.until(20_000).await;
    assert_eq!(runs(), 1);
    stage
        .receive(member("ana", sign("ana", "3", "👍", question)))
        .await;
    stage.until(60_000).await;
    assert_eq!(runs(), 2);
}
