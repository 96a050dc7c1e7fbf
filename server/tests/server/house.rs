//! A running server with an empty data directory, and a browser that keeps cookies by hand.

use std::path::{Path, PathBuf};

use replygate::config::Environment;
use replygate::{Config, Running, Server};
use reqwest::header::{CONTENT_TYPE, COOKIE, LOCATION, SET_COOKIE};
use reqwest::{Client, Method, RequestBuilder, Response, redirect};
use serde_json::Value;
use tempfile::TempDir;

/// Answers at once, so that no test waits for a window.
pub const QUICK: &str = r#"
    [[channels]]
    id = "demo"
    kind = "webchat"
    agent = "echo"
    operational_delay_ms = 0
    debounce = { enabled = false }
"#;

pub struct House {
    pub running: Running,
    pub data: PathBuf,
    pub client: Client,
    dir: TempDir,
}

impl House {
    pub async fn open(toml: &str) -> Self {
        Self::open_in(tempfile::tempdir().unwrap(), toml).await
    }

    async fn open_in(dir: TempDir, toml: &str) -> Self {
        let data = dir.path().join("data");
        let environment = Environment::default();
        let mut config = Config::read(Some(Path::new("test.toml")), toml, &environment).unwrap();
        config.server.listen = "127.0.0.1:0".parse().unwrap();
        config.server.data_dir.clone_from(&data);
        let client = Client::builder()
            .redirect(redirect::Policy::none())
            .build()
            .unwrap();
        Self {
            running: Server::start(config).await.unwrap(),
            data,
            client,
            dir,
        }
    }

    /// Stops the server and starts another one on the same data.
    pub async fn reopen(self, toml: &str) -> Self {
        self.running.stop().await.unwrap();
        Self::open_in(self.dir, toml).await
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!("{}{path}", self.running.url());
        self.client.request(method, url)
    }

    pub async fn get(&self, path: &str) -> Response {
        self.request(Method::GET, path).send().await.unwrap()
    }

    pub async fn form(&self, path: &str, cookie: &str, fields: &[(&str, &str)]) -> Response {
        let mut body = form_urlencoded::Serializer::new(String::new());
        body.extend_pairs(fields);
        self.request(Method::POST, path)
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(COOKIE, cookie)
            .body(body.finish())
            .send()
            .await
            .unwrap()
    }

    /// Sets the admin's password over the first link and returns the cookie of that sign-in.
    pub async fn enter_first(&self, password: &str) -> String {
        let token = self.running.first_run().unwrap().to_owned();
        let fields = [
            ("token", token.as_str()),
            ("name", "admin"),
            ("password", password),
            ("repeat", password),
        ];
        let response = self.form("/first-run", "", &fields).await;
        assert_eq!(location(&response), "/sessions");
        cookie(&response)
    }

    /// Whether that cookie opens the console.
    pub async fn is_inside(&self, cookie: &str) -> bool {
        let request = self.request(Method::GET, "/sessions");
        let request = request.header(COOKIE, cookie).header("accept", "text/html");
        request.send().await.unwrap().status() == 200
    }

    /// A visitor's cookie on the channel `demo`.
    pub async fn visit(&self) -> String {
        cookie(&self.get("/chat/demo").await)
    }

    pub async fn write(&self, visitor: &str, id: &str, text: &str) -> Response {
        let body = serde_json::json!({ "id": id, "text": text });
        let request = self.request(Method::POST, "/chat/demo/messages");
        request
            .header(COOKIE, visitor)
            .json(&body)
            .send()
            .await
            .unwrap()
    }

    /// An open stream of what happens to this visitor.
    pub async fn listen(&self, visitor: &str) -> Response {
        let request = self.request(Method::GET, "/chat/demo/events");
        request.header(COOKIE, visitor).send().await.unwrap()
    }

    pub async fn history(&self, visitor: &str) -> Vec<Value> {
        let request = self.request(Method::GET, "/chat/demo/history");
        let response = request.header(COOKIE, visitor).send().await.unwrap();
        let mut answer: Value = response.json().await.unwrap();
        serde_json::from_value(answer["lines"].take()).unwrap()
    }
}

/// Reads the stream until a frame of that event, and returns its data.
pub async fn heard(stream: &mut Response, event: &str) -> Value {
    let mut text = String::new();
    let wanted = format!("event: {event}\n");
    loop {
        let chunk = stream.chunk().await.unwrap().expect("the stream goes on");
        text.push_str(&String::from_utf8_lossy(&chunk));
        let mut frames = text
            .split("\n\n")
            .filter(|frame| frame.contains(wanted.trim_end()));
        let data = frames.find_map(|frame| frame.split("data: ").nth(1));
        if let Some(Ok(data)) = data.map(serde_json::from_str) {
            return data;
        }
    }
}

pub fn location(response: &Response) -> &str {
    assert_eq!(response.status(), 303);
    response.headers()[LOCATION].to_str().unwrap()
}

pub fn cookie(response: &Response) -> String {
    let whole = response.headers()[SET_COOKIE].to_str().unwrap();
    whole.split(';').next().unwrap().to_owned()
}
