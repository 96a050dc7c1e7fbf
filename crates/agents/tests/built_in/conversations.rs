//! The demo and echo, turn by turn.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use replygate_agents::build_agent;
use replygate_gate::debounce::MessageKind;
use replygate_gate::{At, MessageId, ReplyId, SessionId, SessionKey, Strategy, TurnId, Usage};
use replygate_ports::agent::{AgentError, Answer, Effects, Note, Past, Turn, TurnMessage};
use replygate_ports::store::{HistoryEntry, ReplyFate};
use serde_json::json;

use crate::support::{Still, choice, deps};

/// Gives leave and remembers for what.
#[derive(Default)]
struct Leave {
    reserved: Mutex<Vec<String>>,
}

#[async_trait]
impl Effects for Leave {
    async fn reserve(&self, tool: &str) -> Result<(), AgentError> {
        self.reserved.lock().unwrap().push(tool.to_owned());
        Ok(())
    }

    fn spent(&self, _usage: Usage) {}
}

struct Refuse;

#[async_trait]
impl Effects for Refuse {
    async fn reserve(&self, _tool: &str) -> Result<(), AgentError> {
        Err(AgentError::Lost)
    }

    fn spent(&self, _usage: Usage) {}
}

const HELD: ReplyId = ReplyId(1);

fn message(id: u128, text: &str) -> TurnMessage {
    TurnMessage {
        id: MessageId(id),
        kind: MessageKind::Text,
        text: text.into(),
        at: At(0),
        edit_of: None,
        merged_from: None,
    }
}

fn turn(texts: &[&str]) -> Turn {
    let key = SessionKey {
        channel: "shop".into(),
        account: String::new(),
        conversation: "c1".into(),
        contact: "c1".into(),
    };
    let messages = (100..)
        .zip(texts)
        .map(|(id, text)| message(id, text))
        .collect();
    Turn {
        turn: TurnId(1),
        session: SessionId(42),
        key,
        history: Vec::new(),
        messages,
        notes: Vec::new(),
        at: At(1_764_000_000_000),
        limit_ms: 60_000,
    }
}

fn customer(text: &str) -> HistoryEntry {
    HistoryEntry::Customer {
        message: MessageId(1),
        at: At(0),
        kind: MessageKind::Text,
        text: text.into(),
    }
}

fn agent(text: &str, fate: ReplyFate) -> HistoryEntry {
    HistoryEntry::Agent {
        reply: HELD,
        at: At(0),
        parts: vec![text.into()],
        sent: u32::from(fate == ReplyFate::Delivered),
        fate,
    }
}

async fn run(kind: &str, turn: &Turn, effects: &dyn Effects) -> Result<Answer, AgentError> {
    let agent = build_agent(
        &choice(kind, json!({})),
        Strategy::default(),
        &deps(Arc::new(Still::default())),
        "agent",
    )
    .unwrap();
    agent.run(turn, effects).await
}

/// The demo's one part; nothing was done outside.
async fn says(turn: &Turn) -> String {
    let leave = Leave::default();
    let answer = run("demo", turn, &leave).await.unwrap();
    assert!(answer.effects.is_empty() && leave.reserved.lock().unwrap().is_empty());
    assert_eq!(answer.parts.len(), 1);
    answer.parts[0].clone()
}

#[tokio::test]
async fn unrelated_questions_are_answered_one_by_one() {
    for (first, hours, second, pix) in [
        (
            "What are your business hours?",
            "11:00 to 23:00",
            "And do you accept PIX?",
            "we take PIX",
        ),
        (
            "Qual o horário de funcionamento?",
            "11h às 23h",
            "E vocês aceitam PIX?",
            "aceitamos PIX",
        ),
        (
            "¿Cuál es el horario de atención?",
            "11:00 a 23:00",
            "¿Y aceptan PIX?",
            "aceptamos PIX",
        ),
    ] {
        let answer = says(&turn(&[first])).await;
        assert!(
            answer.contains(hours) && !answer.contains("PIX"),
            "{answer}"
        );

        let mut next = turn(&[second]);
        next.history = vec![customer(first), agent(&answer, ReplyFate::Waiting)];
        next.notes = vec![Note::Released { reply: HELD }];
        let answer = says(&next).await;
        assert!(answer.contains(pix) && !answer.contains(hours), "{answer}");

        for (asked, expected) in [
            ([first, second], [hours, pix]),
            ([second, first], [pix, hours]),
        ] {
            let both = says(&turn(&asked)).await;
            let places = expected.map(|answer| both.find(answer));
            assert!(places[0].is_some() && places[0] < places[1], "{both}");
        }
    }
}

#[tokio::test]
async fn a_sign_put_on_the_question_whether_to_cancel_answers_it() {
    let asked = says(&turn(&["I want to cancel my order"])).await;
    for (signs, expected) in [
        (&["👍"][..], "passed"),
        (&["👎"], "forget the cancellation"),
        (&["👍", "👎"], "forget the cancellation"),
    ] {
        let mut turn = turn(signs);
        for message in &mut turn.messages {
            message.kind = MessageKind::Reaction;
        }
        turn.history = vec![
            customer("I want to cancel my order"),
            agent(&asked, ReplyFate::Delivered),
        ];
        let answer = says(&turn).await;
        assert!(answer.contains(expected), "{signs:?}: {answer}");
    }
}

#[tokio::test]
async fn a_cancellation_that_is_taken_back_leaves_the_order_as_it_is() {
    for (first, asks, second, kept, withdrawn) in [
        (
            "I want to cancel my order",
            "Shall I pass that on?",
            "Actually don't cancel it, I just received it",
            "Nothing was cancelled",
            "forget the cancellation",
        ),
        (
            "Quero cancelar meu pedido",
            "Posso encaminhar?",
            "Na verdade não cancela, acabei de receber",
            "Nada foi cancelado",
            "esqueça o cancelamento",
        ),
        (
            "Quiero cancelar mi pedido",
            "¿Lo transmito?",
            "En realidad no lo canceles, acabo de recibirlo",
            "No se canceló nada",
            "olvida la cancelación",
        ),
    ] {
        let asked = says(&turn(&[first])).await;
        assert!(asked.contains(asks), "{asked}");

        let mut cancelled = turn(&[second]);
        cancelled.history = vec![customer(first), agent(&asked, ReplyFate::Waiting)];
        cancelled.notes = vec![Note::Cancelled { reply: HELD }];
        let answer = says(&cancelled).await;
        assert!(answer.contains(kept) && !answer.contains(asks), "{answer}");

        let mut seen = turn(&[second]);
        seen.history = vec![customer(first), agent(&asked, ReplyFate::Delivered)];
        let answer = says(&seen).await;
        assert!(answer.contains(withdrawn), "{answer}");

        let at_once = says(&turn(&[first, second])).await;
        assert!(
            at_once.contains(kept) && !at_once.contains(asks),
            "{at_once}"
        );
    }
}

#[tokio::test]
async fn merged_orders_are_answered_together_and_only_once() {
    for (first, second, items) in [
        (
            "Add a pepperoni pizza",
            "And a 2L Coke too",
            ["a pepperoni pizza", "a 2L Coke"],
        ),
        (
            "Adiciona uma pizza de calabresa",
            "E uma Coca 2L também",
            ["uma pizza de calabresa", "uma Coca 2L"],
        ),
        (
            "adicione uma pizza",
            "e uma Guaraná 2L",
            ["uma pizza", "uma Guaraná 2L"],
        ),
        (
            "Agrega una pizza de pepperoni",
            "Y una Coca de 2L también",
            ["una pizza de pepperoni", "una Coca de 2L"],
        ),
    ] {
        let alone = says(&turn(&[first])).await;
        assert!(alone.contains(items[0]), "{alone}");

        let mut merged = turn(&[first, second]);
        merged.messages[0].merged_from = Some(HELD);
        merged.history = vec![agent(&alone, ReplyFate::Waiting)];
        merged.notes = vec![Note::Merged { reply: HELD }];
        let answer = says(&merged).await;
        for item in items {
            assert_eq!(answer.matches(item).count(), 1, "{answer}");
        }
        assert_eq!(answer.lines().count(), 1, "{answer}");
    }
}

#[tokio::test]
async fn what_was_delivered_before_is_part_of_the_order_and_what_was_cancelled_is_not() {
    let added = says(&turn(&["Add a pepperoni pizza"])).await;
    for (fate, expected) in [
        (
            ReplyFate::Delivered,
            "Order 1042 now has: a pepperoni pizza.",
        ),
        (
            ReplyFate::Cancelled,
            "Nothing was added to order 1042 here yet.",
        ),
        (
            ReplyFate::Superseded,
            "Nothing was added to order 1042 here yet.",
        ),
        (
            ReplyFate::Parked,
            "Nothing was added to order 1042 here yet.",
        ),
    ] {
        let mut asks = turn(&["What is in my order?"]);
        asks.history = vec![customer("Add a pepperoni pizza"), agent(&added, fate)];
        assert_eq!(says(&asks).await, expected, "{fate:?}");
    }
    let mut more = turn(&["And a 2L Coke too"]);
    more.history = vec![agent(&added, ReplyFate::Delivered)];
    assert_eq!(
        says(&more).await,
        "Added to order 1042: a 2L Coke.\nOrder 1042 now has: a pepperoni pizza and a 2L Coke."
    );
}

#[tokio::test]
async fn the_last_word_on_an_order_counts() {
    for (texts, expected) in [
        (
            &["Add a pizza", "never mind"][..],
            "All right, nothing was changed.",
        ),
        (
            &["cancel my order", "forget it"],
            "All right, order 1042 stays as it is. Nothing was cancelled.",
        ),
        (
            &[
                "cancel my order",
                "actually change the address to 12 Oak Street, flat 3",
            ],
            "Order 1042 now goes to 12 Oak Street, flat 3.",
        ),
        (
            &["Muda o endereço de entrega para Rua das Flores, 12"],
            "O pedido 1042 agora vai para Rua das Flores, 12.",
        ),
        (
            &["please change my address"],
            "To which address should order 1042 go?",
        ),
    ] {
        assert_eq!(says(&turn(texts)).await, expected);
    }
}

#[tokio::test]
async fn a_cancellation_is_passed_on_only_after_a_yes() {
    let mut yes = turn(&["yes please"]);
    yes.history = vec![agent(
        &says(&turn(&["cancel my order"])).await,
        ReplyFate::Delivered,
    )];
    assert!(
        says(&yes)
            .await
            .starts_with("Thank you. I passed on that order 1042")
    );
    assert!(!says(&turn(&["yes please"])).await.contains("passed on"));
}

#[tokio::test]
async fn hours_go_into_the_calendar_once() {
    let confirmed = says(&turn(&["Confirmo las horas de psicología"])).await;
    assert_eq!(confirmed, "Confirmado, gracias.");

    let leave = Leave::default();
    let mut first = turn(&["Agéndame las horas en mi calendario"]);
    first.history = vec![agent(&confirmed, ReplyFate::Delivered)];
    let answer = run("demo", &first, &leave).await.unwrap();
    assert_eq!(answer.parts, ["Listo, las horas están en tu calendario."]);
    assert_eq!(answer.effects[0].tool, "calendar.create");
    assert_eq!(*leave.reserved.lock().unwrap(), ["calendar.create"]);

    let again = "Ya están en tu calendario; no las agregué otra vez.";
    let mut second = turn(&["Agéndame las horas en mi calendario"]);
    second.history = vec![agent(&answer.parts[0], ReplyFate::Delivered)];
    assert_eq!(says(&second).await, again);
    second.history = Vec::new();
    second.notes = vec![Note::Done { reply: None }];
    assert_eq!(says(&second).await, again);
}

#[tokio::test]
async fn without_leave_nothing_goes_into_the_calendar() {
    let refused = run("demo", &turn(&["put it in my calendar"]), &Refuse).await;
    assert!(matches!(refused, Err(AgentError::Lost)));
}

#[tokio::test]
async fn a_picture_greeting_thanks_and_anything_else_get_an_answer() {
    let mut picture = turn(&[""]);
    picture.messages[0].kind = MessageKind::Media;
    assert!(says(&picture).await.starts_with("I cannot open pictures"));
    assert_eq!(says(&turn(&["Bom dia!"])).await, "Olá! Como posso ajudar?");
    assert_eq!(says(&turn(&["gracias"])).await, "¡De nada!");
    assert!(
        says(&turn(&["the moon is made of cheese"]))
            .await
            .starts_with("I can help with")
    );
}

#[tokio::test]
async fn an_edited_message_is_answered_as_it_reads_now() {
    let mut edited = turn(&["add a pizza", "add a salad"]);
    edited.messages[1].edit_of = Some(edited.messages[0].id);
    assert_eq!(says(&edited).await, "Added to order 1042: a salad.");
}

#[tokio::test]
async fn echo_repeats_every_message_that_its_reply_covers() {
    let mut merged = turn(&["A #1", "", "B #2"]);
    merged.messages[0].merged_from = Some(HELD);
    merged.messages[1].kind = MessageKind::Voice;
    let answer = run("echo", &merged, &Refuse).await.unwrap();
    assert_eq!(
        answer,
        Answer {
            parts: vec!["A #1 | [voice] | B #2".into()],
            effects: Vec::new()
        }
    );
}

#[tokio::test]
async fn only_agents_that_read_the_past_get_it_and_latency_goes_by_the_clock() {
    let clock = Arc::new(Still {
        ends: true,
        ..Still::default()
    });
    let deps = deps(clock.clone());
    let echo = build_agent(
        &choice("echo", json!({"latency_ms": 300})),
        Strategy::default(),
        &deps,
        "agent",
    )
    .unwrap();
    let demo = build_agent(
        &choice("demo", json!({})),
        Strategy::default(),
        &deps,
        "agent",
    )
    .unwrap();
    assert_eq!((echo.past(), demo.past()), (Past::Nothing, Past::History));
    echo.run(&turn(&["a"]), &Refuse).await.unwrap();
    demo.run(&turn(&["a"]), &Refuse).await.unwrap();
    assert_eq!(*clock.waits.lock().unwrap(), [300]);
}
