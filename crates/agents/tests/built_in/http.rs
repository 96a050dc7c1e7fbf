//! The agent behind an address.

use std::sync::Arc;

use async_trait::async_trait;
use replygate_agents::build_agent;
use replygate_gate::debounce::MessageKind;
use replygate_gate::{At, MessageId, ReplyId, SessionId, SessionKey, Strategy, TurnId, Usage};
use replygate_ports::agent::{
    Again, AgentError, Answer, EffectDone, Effects, Note, Turn, TurnMessage,
};
use replygate_ports::clock::Clock;
use replygate_ports::store::{HistoryEntry, ReplyFate};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::support::{Still, choice, deps, server};

struct NoEffects;

#[async_trait]
impl Effects for NoEffects {
    async fn reserve(&self, _tool: &str) -> Result<(), AgentError> {
        Err(AgentError::Lost)
    }

    fn spent(&self, _usage: Usage) {}
}

fn turn() -> Turn {
    let key = SessionKey {
        channel: "shop".into(),
        account: String::new(),
        conversation: "c1".into(),
        contact: "c1".into(),
    };
    let message = TurnMessage {
        id: MessageId(2),
        kind: MessageKind::Text,
        text: "não cancela".into(),
        at: At(5),
        edit_of: None,
        merged_from: None,
    };
    let history = vec![HistoryEntry::Agent {
        reply: ReplyId(1),
        at: At(4),
        parts: vec!["Cancelado.".into()],
        sent: 0,
        fate: ReplyFate::Cancelled,
    }];
    let notes = vec![Note::Cancelled { reply: ReplyId(1) }];
    Turn {
        turn: TurnId(7),
        session: SessionId(3),
        key,
        history,
        messages: vec![message],
        notes,
        at: At(1_764_000_000_000),
        limit_ms: 60_000,
    }
}

async fn ask(options: Value, clock: Arc<dyn Clock>) -> Result<Answer, (String, Again)> {
    let agent = build_agent(
        &choice("http", options),
        Strategy::default(),
        &deps(clock),
        "agent",
    )
    .unwrap();
    match agent.run(&turn(), &NoEffects).await {
        Ok(answer) => Ok(answer),
        Err(AgentError::Failed { code, again }) => Err((code, again)),
        Err(AgentError::Lost | AgentError::Stopped) => panic!("an address cannot lose the turn"),
    }
}

async fn answered(status: u16, body: &str) -> Result<Answer, (String, Again)> {
    let (url, _) = server(status, body).await;
    ask(json!({"url": url}), Arc::new(Still::default())).await
}

#[tokio::test]
async fn the_turn_is_posted_with_fates_notes_and_token() {
    let (url, seen) = server(200, r#"{"text":"ok"}"#).await;
    let answer = ask(
        json!({"url": url, "token_env": "AGENT_TOKEN"}),
        Arc::new(Still::default()),
    )
    .await;
    assert_eq!(answer.unwrap().parts, ["ok"]);
    let (headers, body) = seen.lock().unwrap()[0].clone();
    assert_eq!(headers["authorization"], "Bearer t0ken");
    assert_eq!(headers["idempotency-key"], TurnId(7).to_string());
    assert_eq!(
        body,
        json!({
            "turn": TurnId(7), "session": SessionId(3), "channel": "shop", "account": "", "conversation": "c1",
            "contact": "c1",
            "history": [
                {"role": "agent", "reply": ReplyId(1), "at": 4, "parts": ["Cancelado."], "sent": 0, "fate": "cancelled"},
            ],
            "messages": [{
                "id": MessageId(2), "kind": "text", "text": "não cancela", "at": 5, "edit_of": null,
                "merged_from": null,
            }],
            "notes": [{"note": "cancelled", "reply": ReplyId(1)}],
        })
    );
}

#[tokio::test]
async fn every_shape_of_answer_is_read() {
    let effects = vec![EffectDone {
        tool: "mail.send".into(),
    }];
    for (status, body, expected) in [
        (
            200,
            r#"{"parts":["a","b"]}"#,
            Answer {
                parts: vec!["a".into(), "b".into()],
                effects: Vec::new(),
            },
        ),
        (
            201,
            r#"{"text":"a","effects":[{"tool":"mail.send"}]}"#,
            Answer {
                parts: vec!["a".into()],
                effects,
            },
        ),
        (200, r#"{"parts":[]}"#, Answer::default()),
        (200, r#"{"text":" "}"#, Answer::default()),
        (204, "", Answer::default()),
    ] {
        assert_eq!(answered(status, body).await, Ok(expected), "{body}");
    }
}

#[tokio::test]
async fn failures_say_whether_another_try_makes_sense() {
    let long = json!({"text": "a".repeat(1024 * 1024)}).to_string();
    for (status, body, code, again) in [
        (500, "", "http_500", Again::Yes),
        (503, "", "http_503", Again::Yes),
        (429, "", "http_429", Again::Yes),
        (400, "", "http_400", Again::No),
        (401, "", "http_401", Again::No),
        (302, "", "http_302", Again::No),
        (200, "hello", "answer_unreadable", Again::No),
        (200, r#"{"part":["a"]}"#, "answer_unreadable", Again::No),
        (
            200,
            r#"{"parts":["a"],"text":"a"}"#,
            "answer_unreadable",
            Again::No,
        ),
        (200, long.as_str(), "answer_too_long", Again::No),
    ] {
        assert_eq!(
            answered(status, body).await,
            Err((code.to_owned(), again)),
            "{status}"
        );
    }
}

#[tokio::test]
async fn nobody_listening_and_no_answer_in_time_are_tried_again() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    // The listener accepts nothing; the clock says at once that the time is over.
    let over = Arc::new(Still {
        ends: true,
        ..Still::default()
    });
    assert_eq!(
        ask(json!({"url": url}), over).await,
        Err(("timeout".to_owned(), Again::Yes))
    );
    drop(listener);
    assert_eq!(
        ask(json!({"url": url}), Arc::new(Still::default())).await,
        Err(("connect".to_owned(), Again::Yes))
    );
}
