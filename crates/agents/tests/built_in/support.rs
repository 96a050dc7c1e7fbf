//! What the tests of agents and evaluators share: a clock that stands still, turns, and a server on this machine.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse as _;
use replygate_agents::{AgentDeps, http_client};
use replygate_gate::At;
use replygate_ports::clock::Clock;
use replygate_ports::settings::Choice;
use serde_json::Value;
use tokio::net::TcpListener;

/// Time stands still. Waits end at once and are remembered, or never end.
#[derive(Default)]
pub struct Still {
    pub waits: Mutex<Vec<u64>>,
    pub ends: bool,
}

#[async_trait]
impl Clock for Still {
    fn now(&self) -> At {
        At(1_700_000_000_000)
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }

    async fn sleep(&self, wait: Duration) {
        self.waits
            .lock()
            .unwrap()
            .push(u64::try_from(wait.as_millis()).unwrap());
        if !self.ends {
            std::future::pending::<()>().await;
        }
    }
}

pub fn deps(clock: Arc<dyn Clock>) -> AgentDeps {
    let secret = |reference: &str| (reference == "env:AGENT_TOKEN").then(|| "t0ken".to_owned());
    AgentDeps {
        clock,
        client: http_client().unwrap(),
        secret: Arc::new(secret),
        errands: Arc::new(|errand| drop(tokio::spawn(errand))),
        mcp: replygate_agents::mcp::Servers::default(),
    }
}

pub fn choice(kind: &str, options: Value) -> Choice {
    Choice {
        kind: kind.to_owned(),
        options: serde_json::from_value(options).unwrap(),
    }
}

pub type Seen = Arc<Mutex<Vec<(HeaderMap, Value)>>>;

/// A server that remembers what it was asked and always answers the same.
pub async fn server(status: u16, answer: &str) -> (String, Seen) {
    let seen = Seen::default();
    let answer = answer.to_owned();
    let reply = move |State(seen): State<Seen>, headers: HeaderMap, body: Bytes| async move {
        seen.lock()
            .unwrap()
            .push((headers, serde_json::from_slice(&body).unwrap()));
        (
            StatusCode::from_u16(status).unwrap(),
            [("location", "/elsewhere")],
            answer,
        )
            .into_response()
    };
    let app = Router::new().fallback(reply).with_state(Arc::clone(&seen));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/turn", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await });
    (url, seen)
}
