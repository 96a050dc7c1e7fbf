//! A person at the chat page of the channel `demo`, as a browser would be one.

use std::time::Duration;

use replygate_embedded::SystemClock;
use replygate_ports::clock::Clock as _;
use reqwest::header::{COOKIE, SET_COOKIE};
use reqwest::{Client, Response};
use serde_json::{Value, json};

/// What is not there after this time does not come.
const PATIENCE: Duration = Duration::from_secs(20);

pub struct Visitor {
    client: Client,
    url: String,
    cookie: String,
}

impl Visitor {
    /// Opens the page.
    pub async fn at(url: &str) -> Self {
        let client = Client::new();
        let page = client.get(format!("{url}/chat/demo")).send().await.unwrap();
        assert_eq!(page.status(), 200);
        let cookie = page.headers()[SET_COOKIE].to_str().unwrap();
        let cookie = cookie.split(';').next().unwrap().to_owned();
        Self {
            client,
            url: url.to_owned(),
            cookie,
        }
    }

    /// The same person at another process.
    pub fn at_another(&self, url: &str) -> Self {
        Self {
            client: self.client.clone(),
            url: url.to_owned(),
            cookie: self.cookie.clone(),
        }
    }

    pub async fn say(&self, id: &str, text: &str) {
        let request = self
            .client
            .post(format!("{}/chat/demo/messages", self.url))
            .header(COOKIE, &self.cookie)
            .json(&json!({ "id": id, "text": text }));
        assert_eq!(request.send().await.unwrap().status(), 202, "{text}");
    }

    /// What happens from now on.
    pub async fn listen(&self) -> Stream {
        let request = self.client.get(format!("{}/chat/demo/events", self.url));
        let response = request.header(COOKIE, &self.cookie).send().await.unwrap();
        assert_eq!(response.status(), 200);
        Stream::of(response)
    }

    /// The texts on the page after a reload: who said it, and what.
    pub async fn history(&self) -> Vec<(String, String)> {
        let request = self.client.get(format!("{}/chat/demo/history", self.url));
        let response = request.header(COOKIE, &self.cookie).send().await.unwrap();
        let answer: Value = response.json().await.unwrap();
        let word = |line: &Value, key: &str| line[key].as_str().unwrap_or_default().to_owned();
        let lines = answer["lines"].as_array().unwrap().iter();
        lines
            .map(|line| (word(line, "from"), word(line, "text")))
            .collect()
    }
}

/// An open page's stream.
pub struct Stream {
    response: Response,
    text: String,
}

impl Stream {
    /// What this answer brings.
    pub fn of(response: Response) -> Self {
        Self {
            response,
            text: String::new(),
        }
    }

    /// The next frame: its event and its data.
    pub async fn next(&mut self) -> (String, Value) {
        let clock = SystemClock::start();
        tokio::select! {
            frame = self.frame() => frame,
            () = clock.sleep(PATIENCE) => panic!("nothing came"),
        }
    }

    /// The next frame of that event; what comes before it is passed over.
    pub async fn next_of(&mut self, event: &str) -> Value {
        loop {
            let (found, data) = self.next().await;
            if found == event {
                return data;
            }
        }
    }

    async fn frame(&mut self) -> (String, Value) {
        loop {
            while let Some(end) = self.text.find("\n\n") {
                let frame: String = self.text.drain(..end + 2).collect();
                if let Some(read) = read(&frame) {
                    return read;
                }
            }
            let chunk = self.response.chunk().await.unwrap();
            let chunk = chunk.expect("the stream goes on");
            self.text.push_str(&String::from_utf8_lossy(&chunk));
        }
    }
}

/// A comment that keeps the connection is no frame.
fn read(frame: &str) -> Option<(String, Value)> {
    let field = |name: &str| frame.lines().find_map(|line| line.strip_prefix(name));
    let event = field("event: ")?.to_owned();
    let data = field("data: ")?;
    // A beat has no more to say than that.
    Some((event, serde_json::from_str(data).unwrap_or_default()))
}
