//! Agents on an ADK `api_server`: sessions, chunks and wholes, one run at a time.

use std::sync::Arc;

use replygate_agents::build_agent;
use replygate_gate::{At, ReplyId, SessionId, Strategy, TurnId};
use replygate_ports::agent::{Again, Agent, Note, Turn};
use replygate_ports::store::{HistoryEntry, ReplyFate};
use replygate_testkit::backends::adk::{self, Script, Server};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::support::{Desk, TOLD, choice, deps, outcome, real, turn};

fn agent(server: &Server, more: &Value) -> Arc<dyn Agent> {
    let mut options = json!({"base_url": server.url, "app": "loja", "reads": ["search"]});
    let all = options.as_object_mut().unwrap();
    all.extend(more.as_object().unwrap().clone());
    build_agent(
        &choice("adk", options),
        Strategy::default(),
        &deps(real()),
        "agent",
    )
    .unwrap()
}

/// A turn of a conversation that has begun.
fn later(texts: &[&str]) -> Turn {
    let mut turn = turn(texts);
    turn.history = vec![HistoryEntry::Agent {
        reply: ReplyId(1),
        at: At(1),
        parts: vec!["Cancelei.".into()],
        sent: 0,
        fate: ReplyFate::Waiting,
    }];
    turn
}

#[tokio::test]
async fn a_session_is_made_where_there_is_none_and_chunks_are_not_counted_twice() {
    let server = Server::start([Script::words(&["Ol", "á"]), Script::words(&["Tudo bem"])]).await;
    let agent = agent(&server, &json!({}));
    let desk = Desk::default();
    let first = agent.run(&turn(&["oi"]), &desk).await;
    assert_eq!(outcome(first), Ok(vec!["Olá".to_owned()]));
    let mut turn = later(&["e aí?"]);
    turn.notes = vec![Note::Released { reply: ReplyId(1) }];
    let second = agent.run(&turn, &desk).await;
    assert_eq!(outcome(second), Ok(vec!["Tudo bem".to_owned()]));
    assert_eq!(server.problems(), [""; 0]);
    assert_eq!(desk.spent(), [TOLD, TOLD]);
    assert_eq!(desk.written(), "OláTudo bem");
    let sessions = server.sessions();
    let texts = &sessions[&("ana".to_owned(), SessionId(3).to_string())];
    assert_eq!((texts[0].as_str(), texts[2].as_str()), ("oi", "e aí?"));
    assert!(
        texts[1].contains("\"Cancelei.\" is delivered before your answer."),
        "{texts:?}"
    );
}

#[tokio::test]
async fn each_agent_that_speaks_gives_a_part_and_what_is_no_speech_gives_none() {
    let call = json!([{"functionCall": {"id": "f1", "name": "book", "args": {}}}]);
    let looks = json!([{"functionCall": {"id": "f2", "name": "search", "args": {}}}]);
    let events = vec![
        adk::whole("root_agent", &call),
        adk::whole("root_agent", &call),
        adk::whole(
            "root_agent",
            &json!([{"functionResponse": {"id": "f1", "name": "book", "response": {}}}]),
        ),
        adk::whole("root_agent", &looks),
        adk::whole(
            "root_agent",
            &json!([{"text": "hm", "thought": true}, {"text": "Marcado."}]),
        ),
        adk::whole("user", &json!([{"text": "not ours"}])),
        adk::chunk("Até "),
        adk::whole("closing_agent", &json!([{"text": "Até logo."}])),
    ];
    let server = Server::start([Script::of(events)]).await;
    let desk = Desk::default();
    let answer = agent(&server, &json!({}))
        .run(&later(&["marca"]), &desk)
        .await
        .unwrap();
    assert_eq!(answer.parts, ["Marcado.", "Até logo."]);
    assert_eq!(
        (answer.effects.len(), desk.reserved()),
        (1, vec!["book".to_owned()])
    );
}

#[tokio::test]
async fn a_second_run_of_a_session_waits_until_the_first_is_given_up() {
    let never = Arc::new(Notify::new());
    let server = Server::start([
        Script::words(&["Ol", "á"]).held(1, &never),
        Script::words(&["depois"]),
    ])
    .await;
    let agent = agent(&server, &json!({}));
    let (first_turn, desk) = (later(&["a"]), Desk::default());
    let mut second_turn = later(&["b"]);
    second_turn.turn = TurnId(8);
    let mut second = Box::pin(agent.run(&second_turn, &desk));
    {
        let first = agent.run(&first_turn, &desk);
        tokio::pin!(first);
        tokio::select! {
            biased;
            _ = &mut first => panic!("nothing was answered"),
            () = server.begun(1) => {}
        }
        tokio::select! {
            biased;
            _ = &mut second => panic!("it ran in an occupied session"),
            () = std::future::ready(()) => {}
        }
        assert_eq!(server.bodies().len(), 1);
    }
    server.aborted(1).await;
    assert_eq!(outcome(second.await), Ok(vec!["depois".to_owned()]));
    assert_eq!(server.problems(), [""; 0]);
}

#[tokio::test]
async fn a_conversation_that_was_reset_begins_a_new_session() {
    let server = Server::start([Script::words(&["a"]), Script::words(&["b"])]).await;
    let agent = agent(&server, &json!({}));
    for text in ["antes", "depois do /reset"] {
        agent.run(&turn(&[text]), &Desk::default()).await.unwrap();
    }
    let sessions = server.sessions();
    let texts = sessions.values().next().unwrap();
    assert_eq!(
        (server.deleted(), texts.as_slice()),
        (1, &["depois do /reset".to_owned()][..])
    );
}

#[tokio::test]
async fn an_agent_without_memory_is_told_everything_in_a_session_of_its_own() {
    let server = Server::start([Script::words(&["ok"])]).await;
    let options = json!({"memory": "none", "system": "Você é a Loja."});
    agent(&server, &options)
        .run(&later(&["oi"]), &Desk::default())
        .await
        .unwrap();
    let sessions = server.sessions();
    let texts = &sessions[&("ana".to_owned(), TurnId(7).to_string())];
    assert!(texts[0].contains("Você é a Loja."), "{texts:?}");
    assert!(texts[1].contains("Cancelei."), "{texts:?}");
    assert_eq!(texts[2], "oi");
}

#[tokio::test]
async fn what_fails_on_the_server_brings_no_answer() {
    let coded = |code: &str| {
        let mut event = adk::whole("root_agent", &json!([]));
        event["errorCode"] = json!(code);
        event
    };
    for (events, code, again) in [
        (
            vec![json!({"error": "words that nobody may log", "error_details": {}})],
            "answer_broken",
            Again::Yes,
        ),
        (vec![coded("MAX_TOKENS")], "answer_truncated", Again::No),
        (vec![coded("SAFETY")], "answer_withheld", Again::No),
        (vec![coded("UNAVAILABLE")], "answer_broken", Again::Yes),
        (vec![adk::chunk("Ol")], "answer_cut", Again::Yes),
        (vec![], "answer_cut", Again::Yes),
    ] {
        let server = Server::start([Script::of(events)]).await;
        let answer = agent(&server, &json!({}))
            .run(&later(&["oi"]), &Desk::default())
            .await;
        assert_eq!(outcome(answer), Err((code.to_owned(), again)));
    }
    let server = Server::start([]).await;
    let answer = agent(&server, &json!({"app": "outra"}))
        .run(&later(&["oi"]), &Desk::default())
        .await;
    assert_eq!(outcome(answer), Err(("http_400".to_owned(), Again::No)));
}

#[tokio::test]
async fn a_contact_with_slashes_stays_one_piece_of_the_path() {
    let server = Server::start([Script::words(&["ok"])]).await;
    let mut turn = later(&["oi"]);
    turn.key.contact = "a/../b?c#d".into();
    agent(&server, &json!({}))
        .run(&turn, &Desk::default())
        .await
        .unwrap();
    assert_eq!(server.sessions().keys().next().unwrap().0, "a/../b?c#d");
}
