//! A program that uses `/v1` with a token of its own.

use reqwest::Method;
use serde_json::Value;

use crate::document::Document;
use crate::house::House;

pub struct Program<'a> {
    pub house: &'a House,
    pub token: String,
}

impl<'a> Program<'a> {
    /// A program that operates.
    pub fn of(house: &'a House) -> Self {
        Self::with_scope(house, "operate")
    }

    /// A program with a token made by the command line beside the running server, which a configuration file names.
    pub fn with_scope(house: &'a House, scope: &str) -> Self {
        let file = house.data.parent().unwrap().join("own.toml");
        let folder = house.data.to_str().unwrap();
        std::fs::write(&file, format!("[server]\ndata_dir = {folder:?}\n")).unwrap();
        let made = std::process::Command::new(env!("CARGO_BIN_EXE_replygate"))
            .args([
                "token", "create", "--scope", scope, "--name", "crm", "--config",
            ])
            .arg(&file)
            .current_dir(house.data.parent().unwrap())
            .output()
            .unwrap();
        assert!(
            made.status.success(),
            "{}",
            String::from_utf8_lossy(&made.stderr)
        );
        let out = String::from_utf8(made.stdout).unwrap();
        let token = out.split_whitespace().last().unwrap().to_owned();
        Self { house, token }
    }

    /// Asks, and sees that the exchange is as the document says.
    pub async fn ask(&self, method: Method, path: &str, body: Value) -> (u16, Value) {
        let request = self
            .house
            .request(method.clone(), path)
            .bearer_auth(&self.token)
            .json(&body);
        let response = request.send().await.unwrap();
        let status = response.status().as_u16();
        let answer: Value = response.json().await.unwrap();
        let document = Document::of(self.house).await;
        let found = document.problems((&method, path), &body, (status, &answer));
        assert_eq!(found, [""; 0], "{method} {path}");
        (status, answer)
    }

    pub async fn get(&self, path: &str) -> Value {
        let (status, answer) = self.ask(Method::GET, path, Value::Null).await;
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }
}
