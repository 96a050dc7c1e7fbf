//! The built-in evaluators.

use std::sync::Arc;

use replygate_agents::build_evaluator;
use replygate_gate::{Decision, MessageId, ReplyId, SessionId};
use replygate_ports::evaluator::{Held, Newer, Opinion, Question};
use serde_json::{Value, json};

use crate::support::{Still, choice, deps, server};

fn held(reply: u128, text: &str) -> Held {
    Held {
        reply: ReplyId(reply),
        messages: vec![text.into()],
        parts: vec!["…".into()],
        effects: false,
    }
}

fn newer(text: &str) -> Newer {
    Newer {
        id: MessageId(9),
        text: text.into(),
        edits: None,
    }
}

fn question(held: Vec<Held>, newer: Vec<Newer>) -> Question {
    Question {
        session: SessionId(1),
        held,
        newer,
    }
}

async fn judged(kind: &str, options: Value, question: &Question) -> Result<Vec<Opinion>, String> {
    let evaluator = build_evaluator(
        &choice(kind, options),
        &deps(Arc::new(Still::default())),
        "evaluator",
    )
    .unwrap();
    assert_eq!(evaluator.name(), kind);
    let judged = evaluator.judge(question).await;
    judged
        .map(|judged| judged.opinions)
        .map_err(|error| error.code)
}

async fn one(kind: &str, a: &str, b: &[&str]) -> Opinion {
    let question = question(vec![held(1, a)], b.iter().map(|text| newer(text)).collect());
    let mut opinions = judged(kind, json!({}), &question).await.unwrap();
    assert_eq!(opinions.len(), 1);
    opinions.remove(0)
}

#[tokio::test]
async fn the_rules_know_the_three_decisions_in_three_languages() {
    for (a, b, expected) in [
        (
            "What are your business hours?",
            "And do you accept PIX?",
            Decision::ReleaseFirst,
        ),
        (
            "Qual o horário de funcionamento?",
            "E vocês aceitam PIX?",
            Decision::ReleaseFirst,
        ),
        (
            "¿Cuál es el horario de atención?",
            "¿Y aceptan PIX?",
            Decision::ReleaseFirst,
        ),
        (
            "I want to cancel my order",
            "Actually don't cancel it, I just received it",
            Decision::CancelFirst,
        ),
        (
            "Quero cancelar meu pedido",
            "Na verdade não cancela, acabei de receber",
            Decision::CancelFirst,
        ),
        (
            "Quiero cancelar mi pedido",
            "En realidad no lo canceles, acabo de recibirlo",
            Decision::CancelFirst,
        ),
        (
            "Add a pepperoni pizza",
            "And a 2L Coke too",
            Decision::Merge,
        ),
        (
            "Adiciona uma pizza de calabresa",
            "E uma Coca 2L também",
            Decision::Merge,
        ),
        (
            "Agrega una pizza de pepperoni",
            "Y una Coca de 2L también",
            Decision::Merge,
        ),
    ] {
        let opinion = one("rules", a, &[b]).await;
        assert_eq!(opinion.decision, expected, "{a} / {b}: {}", opinion.reason);
        assert!(
            opinion.confidence >= 0.55,
            "{a} / {b}: {}",
            opinion.confidence
        );
    }
}

#[tokio::test]
async fn an_edit_merges_the_reply_that_answered_it_and_no_other() {
    let mut edit = newer("Add a veggie pizza");
    edit.edits = Some(ReplyId(2));
    let question = question(
        vec![held(1, "What are your hours?"), held(2, "Add a pizza")],
        vec![edit],
    );
    let opinions = judged("rules", json!({}), &question).await.unwrap();
    let decisions: Vec<_> = opinions
        .iter()
        .map(|opinion| (opinion.reply, opinion.decision))
        .collect();
    assert_eq!(
        decisions,
        [
            (ReplyId(1), Decision::ReleaseFirst),
            (ReplyId(2), Decision::Merge)
        ]
    );
    assert!(opinions.iter().all(|opinion| opinion.confidence >= 0.99));
}

#[tokio::test]
async fn the_newest_mark_decides_and_none_releases() {
    for (texts, expected, reason) in [
        (&["b #cancel"][..], Decision::CancelFirst, "marked so"),
        (&["b #MERGE"], Decision::Merge, "marked so"),
        (&["#cancel", "c #merge"], Decision::Merge, "marked so"),
        (
            &["#cancel", "no mark here"],
            Decision::CancelFirst,
            "marked so",
        ),
        (
            &["#cancel #merge then #release"],
            Decision::ReleaseFirst,
            "marked so",
        ),
        (&["b"], Decision::ReleaseFirst, "no mark"),
    ] {
        let opinion = one("marker", "a", texts).await;
        assert_eq!(
            (opinion.decision, opinion.reason.as_str()),
            (expected, reason),
            "{texts:?}"
        );
        assert!((opinion.confidence - 1.0).abs() < f32::EPSILON);
    }
}

#[tokio::test]
async fn the_marker_judges_every_held_reply_and_takes_its_time_by_the_clock() {
    let clock = Arc::new(Still {
        ends: true,
        ..Still::default()
    });
    let marker = build_evaluator(
        &choice("marker", json!({"latency_ms": 20})),
        &deps(clock.clone()),
        "e",
    )
    .unwrap();
    let question = question(vec![held(1, "a"), held(2, "b")], vec![newer("c #cancel")]);
    let opinions = marker.judge(&question).await.unwrap();
    assert_eq!(
        opinions
            .opinions
            .iter()
            .map(|opinion| opinion.reply.0)
            .collect::<Vec<_>>(),
        [1, 2]
    );
    assert_eq!(*clock.waits.lock().unwrap(), [20]);
}

#[tokio::test]
async fn an_address_is_asked_and_its_opinions_are_taken() {
    let reply = ReplyId(1);
    let answer = json!({"opinions": [
        {"reply": reply, "decision": "CANCEL_FIRST", "confidence": 0.9, "reason": "took it\nback"},
        {"reply": ReplyId(77), "decision": "MERGE", "confidence": 0.9, "reason": "not asked"},
    ]});
    let (url, seen) = server(200, &answer.to_string()).await;
    let question = question(vec![held(1, "a")], vec![newer("b")]);
    let opinions = judged("http", json!({"url": url}), &question)
        .await
        .unwrap();
    let expected = Opinion {
        reply,
        decision: Decision::CancelFirst,
        confidence: 0.9,
        reason: "took itback".into(),
        by: None,
    };
    assert_eq!(opinions, [expected]);
    let (_, body) = seen.lock().unwrap()[0].clone();
    assert_eq!(
        body,
        json!({
            "session": SessionId(1),
            "held": [{"reply": reply, "messages": ["a"], "parts": ["…"], "effects": false}],
            "newer": [{"id": MessageId(9), "text": "b", "edits": null}],
        })
    );
}

#[tokio::test]
async fn an_address_that_gives_no_usable_opinion_is_a_failure() {
    let wild = json!({"opinions": [{"reply": ReplyId(1), "decision": "MERGE", "confidence": 7, "reason": ""}]});
    for (status, answer, code) in [
        (500, "", "http_500"),
        (204, "", "answer_unreadable"),
        (200, "{}", "answer_unreadable"),
        (200, wild.to_string().as_str(), "confidence_out_of_range"),
    ] {
        let (url, _) = server(status, answer).await;
        let question = question(vec![held(1, "a")], vec![newer("b")]);
        assert_eq!(
            judged("http", json!({"url": url}), &question)
                .await
                .unwrap_err(),
            code
        );
    }
}
