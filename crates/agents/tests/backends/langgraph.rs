//! Agents on a LangGraph Agent Server: threads, cancellation by what was done, a thread that somebody else holds.

use std::sync::Arc;

use replygate_agents::build_agent;
use replygate_gate::{At, MessageId, ReplyId, Strategy};
use replygate_ports::agent::{Again, Agent, Note, Turn};
use replygate_ports::store::{HistoryEntry, ReplyFate};
use replygate_testkit::backends::langgraph::{self, Fate, Script, Server};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::support::{Desk, TOLD, choice, deps, outcome, real, turn};

const THREAD: &str = "00000000-0000-0000-0000-000000000003";

fn agent(server: &Server, more: &Value) -> Arc<dyn Agent> {
    under(Strategy::default(), server, more)
}

/// An agent on a channel with that strategy.
fn under(strategy: Strategy, server: &Server, more: &Value) -> Arc<dyn Agent> {
    let mut options = json!({"base_url": server.url, "api_key": "env:KEY", "reads": ["search"]});
    let all = options.as_object_mut().unwrap();
    all.extend(more.as_object().unwrap().clone());
    build_agent(
        &choice("langgraph", options),
        strategy,
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
async fn a_run_in_the_sessions_thread_is_read_to_its_end() {
    let server = Server::start([Script::words(&["Ol", "á"])]).await;
    let desk = Desk::default();
    let mut turn = later(&["na verdade não", "obrigado"]);
    turn.notes = vec![Note::Cancelled { reply: ReplyId(1) }];
    let answer = agent(&server, &json!({})).run(&turn, &desk).await;
    assert_eq!(outcome(answer), Ok(vec!["Olá".to_owned()]));
    assert_eq!(
        (server.problems(), server.threads()),
        (vec![], vec![THREAD.to_owned()])
    );
    assert_eq!(desk.spent(), [TOLD]);
    assert_eq!(server.fates(), [Fate::Success]);
    let body = server.bodies().remove(0);
    let messages = body["input"]["messages"].as_array().unwrap().clone();
    assert_eq!(messages[0]["name"], "gateway");
    assert!(
        messages[0]["content"]
            .as_str()
            .unwrap()
            .contains("took back what \"Cancelei.\" answered")
    );
    // A message that is sent again keeps its id, so the graph has it once.
    assert_eq!(
        messages[1],
        json!({"role": "user", "id": MessageId(100), "content": "na verdade não"})
    );
    assert_eq!(messages[2]["content"], "obrigado");
    assert_eq!(body["multitask_strategy"], "rollback");
    assert_eq!(body["stream_mode"], json!(["messages-tuple", "updates"]));
}

#[tokio::test]
async fn a_graph_that_streams_tokens_only_is_understood() {
    let tokens = vec![
        ("messages", langgraph::token("a", "thin")),
        ("messages", langgraph::token("b", "Ol")),
        ("messages|sub:1", langgraph::token("b", "á")),
        ("custom", json!({"x": 1})),
    ];
    let server = Server::start([Script::of(tokens)]).await;
    let desk = Desk::default();
    let answer = agent(&server, &json!({})).run(&later(&["oi"]), &desk).await;
    assert_eq!(outcome(answer), Ok(vec!["Olá".to_owned()]));
    assert_eq!(desk.written(), "thin\n\nOlá");
}

#[tokio::test]
async fn the_server_does_with_a_run_that_holds_the_thread_what_the_channel_does() {
    for (strategy, word) in [
        (Strategy::Triage, "rollback"),
        (Strategy::Enqueue, "enqueue"),
        (Strategy::Reject, "reject"),
        (Strategy::Interrupt, "interrupt"),
        (Strategy::Rollback, "rollback"),
    ] {
        for (more, word) in [
            (json!({}), word),
            (json!({"multitask": "reject"}), "reject"),
        ] {
            let server = Server::start([Script::words(&["ok"])]).await;
            let agent = under(strategy, &server, &more);
            let answer = agent.run(&later(&["oi"]), &Desk::default()).await;
            assert_eq!(outcome(answer), Ok(vec!["ok".to_owned()]));
            assert_eq!(server.bodies()[0]["multitask_strategy"], word, "{strategy}");
        }
    }
}

#[tokio::test]
async fn an_interrupted_run_keeps_its_checkpoint_and_told_how_far_it_was() {
    let never = Arc::new(Notify::new());
    let server = Server::start([Script::words(&["Ol", "á"]).held(2, &never)]).await;
    let agent = under(Strategy::Interrupt, &server, &json!({"idle_ms": 50}));
    let desk = Desk::default();
    let answer = agent.run(&later(&["oi"]), &desk).await;
    assert_eq!(
        outcome(answer),
        Err(("timeout_idle".to_owned(), Again::Yes))
    );
    server.until(|fates| fates == [Fate::Interrupted]).await;
    assert!(desk.written().starts_with("Ol"), "{}", desk.written());
}

fn calls(tool: &str) -> Vec<(&'static str, Value)> {
    vec![
        ("updates", langgraph::state(&[langgraph::call("1", tool)])),
        ("updates", langgraph::state(&[langgraph::ai("2", "feito")])),
    ]
}

#[tokio::test]
async fn a_run_that_is_given_up_is_rolled_back() {
    for events in [Script::words(&["Ol", "á"]).events, calls("search")] {
        let never = Arc::new(Notify::new());
        let server = Server::start([Script::of(events).held(1, &never)]).await;
        let agent = agent(&server, &json!({"idle_ms": 50}));
        let desk = Desk::default();
        let answer = agent.run(&later(&["oi"]), &desk).await;
        assert_eq!(
            outcome(answer),
            Err(("timeout_idle".to_owned(), Again::Yes))
        );
        server.until(|fates| fates == [Fate::RolledBack]).await;
        assert_eq!((desk.reserved(), server.problems()), (vec![], vec![]));
    }
}

#[tokio::test]
async fn a_run_that_acted_is_interrupted_so_that_the_graph_remembers() {
    let never = Arc::new(Notify::new());
    let server = Server::start([Script::of(calls("book")).held(1, &never)]).await;
    let agent = agent(&server, &json!({}));
    let (desk, turn) = (Desk::default(), later(&["oi"]));
    tokio::select! {
        biased;
        _ = agent.run(&turn, &desk) => panic!("nothing was answered"),
        () = desk.until_reserved(1) => {}
    }
    server.until(|fates| fates == [Fate::Interrupted]).await;
    assert_eq!(
        (desk.reserved(), server.problems()),
        (vec!["book".to_owned()], vec![])
    );
}

#[tokio::test]
async fn tools_that_act_are_reserved_once_and_named_in_the_answer() {
    let events = vec![
        (
            "messages",
            json!([{"type": "AIMessageChunk", "id": "1", "content": "", "tool_call_chunks": [{"id": "call-1", "name": "book", "args": ""}]}, {}]),
        ),
        ("updates", langgraph::state(&[langgraph::call("1", "book")])),
        (
            "updates",
            json!({"tools": {"messages": [{"type": "tool", "name": "book", "content": "ok"}]}}),
        ),
        (
            "updates",
            langgraph::state(&[langgraph::ai("2", "Marcado.")]),
        ),
    ];
    let server = Server::start([Script::of(events)]).await;
    let desk = Desk::default();
    let answer = agent(&server, &json!({}))
        .run(&later(&["marca"]), &desk)
        .await
        .unwrap();
    assert_eq!(answer.parts, ["Marcado."]);
    assert_eq!(answer.effects.len(), 1);
    assert_eq!(desk.reserved(), ["book"]);
    assert_eq!(desk.spent(), [TOLD.plus(TOLD)]);
}

#[tokio::test]
async fn a_thread_that_another_run_holds_is_told_by_strategy() {
    for (multitask, outcome_is, fates) in [
        (
            "reject",
            Err(("busy".to_owned(), Again::Yes)),
            vec![Fate::Running],
        ),
        (
            "interrupt",
            Ok(vec!["ok".to_owned()]),
            vec![Fate::Interrupted, Fate::Success],
        ),
        (
            "rollback",
            Ok(vec!["ok".to_owned()]),
            vec![Fate::RolledBack, Fate::Success],
        ),
        (
            "enqueue",
            Ok(vec!["ok".to_owned()]),
            vec![Fate::Running, Fate::Success],
        ),
    ] {
        let server = Server::start([Script::words(&["ok"])]).await;
        server.occupy(THREAD);
        let agent = agent(&server, &json!({"multitask": multitask}));
        let answer = agent.run(&later(&["oi"]), &Desk::default()).await;
        assert_eq!(outcome(answer), outcome_is, "{multitask}");
        assert_eq!(server.fates(), fates, "{multitask}");
    }
}

#[tokio::test]
async fn a_conversation_that_is_new_or_was_reset_begins_a_new_thread() {
    let server = Server::start([Script::words(&["a"]), Script::words(&["b"])]).await;
    let agent = agent(&server, &json!({}));
    agent.run(&turn(&["oi"]), &Desk::default()).await.unwrap();
    agent.run(&later(&["e?"]), &Desk::default()).await.unwrap();
    assert_eq!(server.deleted(), [THREAD]);
    assert_eq!(server.threads(), [THREAD]);
}

#[tokio::test]
async fn a_graph_without_memory_is_told_everything() {
    let server = Server::start([Script::words(&["ok"])]).await;
    let options = json!({"memory": "none", "system": "Você é a Loja."});
    let mut turn = later(&["oi"]);
    turn.history.push(HistoryEntry::Person {
        reply: ReplyId(2),
        at: At(2),
        parts: vec!["Aqui é a Eva.".into()],
    });
    let answer = agent(&server, &options).run(&turn, &Desk::default()).await;
    assert_eq!(outcome(answer), Ok(vec!["ok".to_owned()]));
    assert_eq!(server.problems(), [""; 0]);
    let body = server.bodies().remove(0);
    let messages = body["input"]["messages"].as_array().unwrap();
    let roles: Vec<&str> = messages
        .iter()
        .map(|line| line["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["system", "user", "assistant", "user"]);
    assert!(
        messages[0]["content"]
            .as_str()
            .unwrap()
            .starts_with("Você é a Loja.")
    );
}

#[tokio::test]
async fn what_fails_on_the_server_brings_no_answer() {
    let error = vec![(
        "error",
        json!({"error": "ValueError", "message": "words that nobody may log"}),
    )];
    let waits = vec![("updates", json!({"__interrupt__": [{"value": "approve?"}]}))];
    for (script, code, again) in [
        (Script::of(error), "answer_broken", Again::Yes),
        (Script::of(waits), "answer_broken", Again::No),
        (Script::words(&["Ol"]).cut(), "answer_cut", Again::Yes),
    ] {
        let server = Server::start([script]).await;
        let answer = agent(&server, &json!({}))
            .run(&later(&["oi"]), &Desk::default())
            .await;
        assert_eq!(outcome(answer), Err((code.to_owned(), again)));
    }
}

#[tokio::test]
async fn a_graph_that_says_nothing_is_silent() {
    let server = Server::start([Script::of(vec![])]).await;
    let answer = agent(&server, &json!({}))
        .run(&later(&["oi"]), &Desk::default())
        .await;
    assert_eq!(outcome(answer), Ok(vec![]));
}
