//! A client on a line to a server behind the guard.

use replygate_testkit::backends::{Act, Stand};
use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json};

use crate::house::{House, QUICK};
use crate::program::Program;

/// What a server answers to a call that it carried out.
pub const BOOKED: &str =
    r#"{"content":[{"type":"text","text":"booked"}],"structuredContent":{"event":7}}"#;

pub fn booked() -> Value {
    serde_json::from_str(BOOKED).unwrap()
}

/// A house with this server behind it, under the name `cal`; `more` are further settings.
pub async fn house(stand: &Stand, more: &str) -> House {
    let url = &stand.url;
    House::open(&format!(
        "{QUICK}\n[[mcp]]\nname = \"cal\"\nurl = \"{url}/mcp?k=1\"\nchannel = \"shop\"\n{more}\n"
    ))
    .await
}

/// A server that plays these acts.
pub async fn stand(acts: impl IntoIterator<Item = Act>) -> Stand {
    Stand::start(|_| Ok(()), acts).await
}

/// The answer to the request of that id.
pub fn answer(id: &Value, result: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

pub fn event(id: &str, message: &Value) -> String {
    format!("id: {id}\nevent: message\ndata: {message}\n\n")
}

/// A call that makes an event.
pub fn booking(id: &Value, title: &str) -> Value {
    let arguments = json!({ "title": title, "start": "2030-01-08T15:00:00-03:00" });
    call(id, "create_event", &arguments)
}

pub fn call(id: &Value, tool: &str, arguments: &Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params })
}

/// A client with a token, for one contact.
pub struct Line<'a> {
    program: Program<'a>,
    path: &'static str,
    headers: Vec<(&'static str, String)>,
}

impl<'a> Line<'a> {
    /// A client that speaks for `contact`.
    pub fn of(house: &'a House, contact: &str) -> Self {
        Self::bare(house).with("x-replygate-contact", contact)
    }

    /// A client that says for nobody that it speaks.
    pub fn bare(house: &'a House) -> Self {
        Self {
            program: Program::with_scope(house, "actions"),
            path: "/mcp/cal",
            headers: Vec::new(),
        }
    }

    /// The same, to another server.
    pub fn to(self, path: &'static str) -> Self {
        Self { path, ..self }
    }

    /// The same with a header more.
    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    /// The same in a session.
    pub fn in_session(self, id: &str) -> Self {
        self.with("mcp-session-id", id)
            .with("mcp-protocol-version", "2025-11-25")
    }

    pub fn request(&self, method: Method) -> RequestBuilder {
        let request = self.program.house.request(method, self.path);
        let request = request
            .bearer_auth(&self.program.token)
            .header("accept", "application/json, text/event-stream")
            .header("content-type", "application/json");
        let headers = self.headers.iter();
        headers.fold(request, |request, (name, value)| {
            request.header(*name, value)
        })
    }

    pub async fn post(&self, body: &Value) -> Response {
        let request = self.request(Method::POST).body(body.to_string());
        request.send().await.unwrap()
    }

    /// Posts, and reads the result of the answer, wherever it stands.
    pub async fn result(&self, body: &Value) -> Value {
        let response = self.post(body).await;
        assert_eq!(response.status(), 200);
        let text = response.text().await.unwrap();
        let mut last = text.lines().filter_map(|line| line.strip_prefix("data: "));
        let answer = last.next_back().unwrap_or(&text);
        let mut answer: Value = serde_json::from_str(answer).unwrap();
        assert_eq!(answer["id"], body["id"], "{answer}");
        answer["result"].take()
    }
}

/// What a model reads in a result.
pub fn words(result: &Value) -> String {
    let content = result["content"].as_array().into_iter().flatten();
    let texts: Vec<&str> = content.filter_map(|one| one["text"].as_str()).collect();
    texts.join("\n")
}

/// Whether the result is one that the model must not take for done.
pub fn is_refusal(result: &Value) -> bool {
    result["isError"] == true
}
