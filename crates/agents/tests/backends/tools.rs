//! Models that call tools: each call gets its result, through the turn's effects and never around them.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use replygate_gate::Usage;
use replygate_ports::agent::{Again, AgentError, Effects};
use replygate_ports::settings::Choice;
use replygate_ports::tools::{CallOutcome, Effect, Tool};
use replygate_testkit::backends::{Act, Stand, anthropic, openai};
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::clocks::Skipping;
use crate::support::{BOTH, Kind, Outcome, outcome, real, turn};

/// A desk with two tools. What each call comes to is a function of the tool and its arguments.
struct Workshop<F> {
    tools: Vec<Arc<Tool>>,
    calls: Mutex<Vec<(String, Value)>>,
    spent: Mutex<Vec<Usage>>,
    come: F,
}

fn workshop<F>(come: F) -> Workshop<F>
where
    F: Fn(&str, &Value) -> CallOutcome,
{
    let host = || Choice::named("calendar");
    let arguments = json!({"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]});
    let create = Tool {
        description: "makes an event".to_owned(),
        arguments,
        ..Tool::new("calendar.create", Effect::Write, host())
    };
    let list = Tool::new("calendar.list", Effect::Read, host());
    Workshop {
        tools: vec![Arc::new(create), Arc::new(list)],
        calls: Mutex::default(),
        spent: Mutex::default(),
        come,
    }
}

#[async_trait]
impl<F> Effects for Workshop<F>
where
    F: Fn(&str, &Value) -> CallOutcome + Send + Sync,
{
    async fn reserve(&self, _tool: &str) -> Result<(), AgentError> {
        panic!("a model's tools reserve for themselves")
    }

    fn tools(&self) -> &[Arc<Tool>] {
        &self.tools
    }

    async fn call(&self, tool: &str, arguments: Value) -> Result<CallOutcome, AgentError> {
        let outcome = (self.come)(tool, &arguments);
        self.calls
            .lock()
            .unwrap()
            .push((tool.to_owned(), arguments));
        Ok(outcome)
    }

    fn spent(&self, usage: Usage) {
        self.spent.lock().unwrap().push(usage);
    }
}

/// A turn that lost its session.
struct Lost;

#[async_trait]
impl Effects for Lost {
    async fn reserve(&self, _tool: &str) -> Result<(), AgentError> {
        Err(AgentError::Lost)
    }

    async fn call(&self, _tool: &str, _arguments: Value) -> Result<CallOutcome, AgentError> {
        Err(AgentError::Lost)
    }

    fn spent(&self, _usage: Usage) {}
}

fn done(result: Value) -> CallOutcome {
    CallOutcome::Done { result }
}

/// An answer that calls tools: id, name and arguments of each, as text.
fn calling(kind: Kind, calls: &[(&str, &str, &str)]) -> Act {
    match kind {
        Kind::OpenAi => openai::whole(&openai::calls(calls), "tool_calls"),
        Kind::Anthropic => {
            let blocks: Vec<(Value, Vec<Value>)> = calls
                .iter()
                .map(|(id, name, arguments)| {
                    let (first, rest) = arguments.split_at(arguments.len() / 2);
                    let pieces = [first, rest]
                        .map(|piece| json!({"type": "input_json_delta", "partial_json": piece}));
                    (anthropic::call(id, name, &json!({})), pieces.to_vec())
                })
                .collect();
            anthropic::blocks_streamed(&blocks, "tool_use")
        }
    }
}

/// What the model read as the results of its calls: id, content, whether it is an error where the provider can tell.
fn results(kind: Kind, body: &Value) -> Vec<(String, String)> {
    let messages = body["messages"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    match kind {
        Kind::OpenAi => messages
            .iter()
            .filter(|message| message["role"] == "tool")
            .map(|message| (text(&message["tool_call_id"]), text(&message["content"])))
            .collect(),
        Kind::Anthropic => messages
            .iter()
            .filter_map(|message| message["content"].as_array())
            .flatten()
            .filter(|block| block["type"] == "tool_result")
            .map(|block| (text(&block["tool_use_id"]), text(&block["content"])))
            .collect(),
    }
}

async fn run<F>(kind: Kind, stand: &Stand, workshop: &Workshop<F>) -> Outcome
where
    F: Fn(&str, &Value) -> CallOutcome + Send + Sync,
{
    let agent = kind.agent(stand, &json!({"tool_rounds": 2}), real());
    let answer = agent.run(&turn(&["agéndame las horas"]), workshop).await;
    assert_eq!(stand.problems(), [""; 0], "{kind:?}");
    outcome(answer)
}

#[tokio::test]
async fn tools_are_declared_called_together_and_answered_each_by_its_id() {
    for kind in BOTH {
        let calls = [
            ("c1", "calendar_create", r#"{"title":"Psicología"}"#),
            ("c2", "calendar_list", ""),
        ];
        let stand = kind
            .start([calling(kind, &calls), kind.words("Listo.")])
            .await;
        let workshop = workshop(|tool, _| match tool {
            "calendar_create" => done(json!({"id": 7})),
            _ => done(json!("nada")),
        });
        assert_eq!(
            run(kind, &stand, &workshop).await,
            Ok(vec!["Listo.".to_owned()])
        );
        let made = workshop.calls.lock().unwrap().clone();
        assert_eq!(
            made,
            [
                ("calendar_create".to_owned(), json!({"title": "Psicología"})),
                ("calendar_list".to_owned(), json!({})),
            ]
        );
        let bodies = stand.bodies();
        let declared = bodies[0]["tools"].as_array().unwrap();
        assert_eq!(declared.len(), 2);
        assert!(declared[0].to_string().contains("makes an event"));
        let read = results(kind, &bodies[1]);
        assert_eq!(
            read,
            [
                ("c1".to_owned(), "{\"id\":7}".to_owned()),
                ("c2".to_owned(), "nada".to_owned())
            ]
        );
        // Each of the two calls of the model is told of.
        assert_eq!(workshop.spent.lock().unwrap().len(), 2);
    }
}

#[tokio::test]
async fn arguments_that_are_no_object_are_answered_as_an_error_and_run_nothing() {
    for kind in BOTH {
        for wild in ["{\"title\":", "[1]", "null", "title=x"] {
            let calls = [
                ("c1", "calendar_create", wild),
                ("c2", "calendar_list", "{}"),
            ];
            let stand = kind.start([calling(kind, &calls), kind.words("ok")]).await;
            let workshop = workshop(|_, _| done(json!("done")));
            assert_eq!(
                run(kind, &stand, &workshop).await,
                Ok(vec!["ok".to_owned()])
            );
            assert_eq!(workshop.calls.lock().unwrap().len(), 1, "{kind:?} {wild}");
            let read = results(kind, &stand.bodies()[1]);
            assert!(read[0].1.contains("no JSON object"), "{kind:?} {read:?}");
            assert_eq!(read[1].1, "done");
        }
    }
}

#[tokio::test]
async fn what_the_guard_says_is_what_the_model_reads() {
    for kind in BOTH {
        let calls = [
            ("c1", "calendar_create", "{}"),
            ("c2", "calendar_list", "{}"),
            ("c3", "unheard_of", "{}"),
        ];
        let stand = kind.start([calling(kind, &calls), kind.words("ok")]).await;
        let workshop = workshop(|tool, _| match tool {
            "calendar_create" => CallOutcome::Unknown {
                note: "nobody knows".to_owned(),
            },
            "calendar_list" => CallOutcome::Failed {
                message: "down".to_owned(),
            },
            other => CallOutcome::no_such_tool(other),
        });
        assert_eq!(
            run(kind, &stand, &workshop).await,
            Ok(vec!["ok".to_owned()])
        );
        let body = &stand.bodies()[1];
        let read = results(kind, body);
        assert!(
            read[0].1.contains("nobody knows") && read[1].1.contains("down"),
            "{read:?}"
        );
        assert!(
            read[2].1.contains("there is no tool `unheard_of`"),
            "{read:?}"
        );
        if kind == Kind::Anthropic {
            assert_eq!(body.to_string().matches("\"is_error\":true").count(), 3);
        }
    }
}

#[tokio::test]
async fn a_model_that_never_ends_is_told_to_answer_and_then_given_up() {
    for kind in BOTH {
        let again = |round: usize| calling(kind, &[(&format!("c{round}"), "calendar_list", "{}")]);
        let stand = kind.start((0..4).map(again)).await;
        let workshop = workshop(|_, _| done(json!("more")));
        assert_eq!(
            run(kind, &stand, &workshop).await,
            Err(("too_many_tool_rounds".to_owned(), Again::No))
        );
        assert_eq!(workshop.calls.lock().unwrap().len(), 2);
        let read = results(kind, &stand.bodies()[3]);
        assert!(
            read[2].1.contains("No tool can be run any more"),
            "{read:?}"
        );
    }
}

#[tokio::test]
async fn a_turn_that_lost_its_session_asks_no_further() {
    for kind in BOTH {
        let stand = kind
            .start([calling(kind, &[("c1", "calendar_create", "{}")])])
            .await;
        let agent = kind.agent(&stand, &json!({}), real());
        let answer = agent.run(&turn(&["x"]), &Lost).await;
        assert!(matches!(answer, Err(AgentError::Lost)), "{kind:?}");
        assert_eq!(stand.seen().len(), 1);
    }
}

#[tokio::test]
async fn a_call_that_fails_in_the_middle_of_a_turn_is_tried_again_and_the_tool_is_not() {
    for kind in BOTH {
        let stand = kind
            .start([
                calling(kind, &[("c1", "calendar_create", "{}")]),
                kind.error(529, "overloaded_error"),
                kind.error(500, "api_error"),
                kind.words("Listo."),
            ])
            .await;
        let clock = Arc::new(Skipping::default());
        let workshop = workshop(|_, _| done(json!("made")));
        let agent = kind.agent(&stand, &json!({}), clock.clone());
        let answer = agent.run(&turn(&["x"]), &workshop).await;
        assert_eq!(outcome(answer), Ok(vec!["Listo.".to_owned()]), "{kind:?}");
        assert_eq!(workshop.calls.lock().unwrap().len(), 1);
        let waits: Vec<u128> = clock
            .waits()
            .iter()
            .map(std::time::Duration::as_millis)
            .collect();
        assert_eq!(waits, [500, 2_000]);
    }
}

#[tokio::test]
async fn what_a_look_alike_adds_to_a_call_is_given_back() {
    let mut message = openai::calls(&[("c1", "calendar_list", "{}")]);
    message["tool_calls"][0]["extra_content"] = json!({"google": {"thought_signature": "c2ln"}});
    let streamed = openai::deltas_streamed(&[
        (json!({"role": "assistant", "content": null}), None),
        (
            json!({"tool_calls": [{
                "index": 0, "id": "c1", "type": "function", "function": {"name": "calendar_list", "arguments": "{"},
                "extra_content": {"google": {"thought_signature": "c2ln"}},
            }]}),
            None,
        ),
        (
            json!({"tool_calls": [{"index": 0, "function": {"arguments": "}"}}]}),
            Some("tool_calls"),
        ),
    ]);
    for act in [openai::whole(&message, "tool_calls"), streamed] {
        let stand = openai::start([act, openai::words("ok")]).await;
        let workshop = workshop(|_, _| done(json!("x")));
        run(Kind::OpenAi, &stand, &workshop).await.unwrap();
        let repeated = &stand.bodies()[1]["messages"][2]["tool_calls"][0];
        assert_eq!(
            repeated["extra_content"]["google"]["thought_signature"],
            "c2ln"
        );
        assert_eq!(repeated["function"]["arguments"], "{}");
    }
    // Anthropic's thoughts are signed and go back with the call.
    let thought = json!({"type": "thinking", "thinking": "", "signature": ""});
    let deltas = vec![
        json!({"type": "thinking_delta", "thinking": "hm"}),
        json!({"type": "signature_delta", "signature": "c2ln"}),
    ];
    let call = (anthropic::call("c1", "calendar_list", &json!({})), vec![]);
    let act = anthropic::blocks_streamed(&[(thought, deltas), call], "tool_use");
    let stand = anthropic::start([act, anthropic::words("ok")]).await;
    let workshop = workshop(|_, _| done(json!("x")));
    run(Kind::Anthropic, &stand, &workshop).await.unwrap();
    let content = &stand.bodies()[1]["messages"][1]["content"];
    assert_eq!(
        content[0],
        json!({"type": "thinking", "thinking": "hm", "signature": "c2ln"})
    );
}

#[tokio::test]
async fn a_look_alike_without_ids_and_indices_is_understood() {
    let act = openai::deltas_streamed(&[(
        json!({"tool_calls": [{"function": {"name": "calendar_list", "arguments": {"day": "mon"}}}]}),
        Some("stop"),
    )]);
    let stand = openai::start([act, openai::words("ok")]).await;
    let workshop = workshop(|_, _| done(json!("x")));
    run(Kind::OpenAi, &stand, &workshop).await.unwrap();
    let made = workshop.calls.lock().unwrap().clone();
    assert_eq!(made, [("calendar_list".to_owned(), json!({"day": "mon"}))]);
}

#[tokio::test]
async fn a_run_given_up_between_a_call_and_its_result_closes_the_connection() {
    for kind in BOTH {
        let never = Arc::new(Notify::new());
        let stand = kind
            .start([
                calling(kind, &[("c1", "calendar_create", "{}")]),
                kind.streamed(&["Li", "sto"]).held(4, &never),
            ])
            .await;
        let workshop = workshop(|_, _| done(json!("made")));
        let agent = kind.agent(&stand, &json!({}), real());
        let turn = turn(&["x"]);
        tokio::select! {
            biased;
            _ = agent.run(&turn, &workshop) => panic!("nothing was answered"),
            () = stand.begun(2) => {}
        }
        stand.gone(1).await;
        assert_eq!(workshop.spent.lock().unwrap().len(), 2);
    }
}
