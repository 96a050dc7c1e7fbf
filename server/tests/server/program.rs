//! A program that uses `/v1` with a token of its own.

use reqwest::Method;
use serde_json::Value;

use crate::house::House;

pub struct Program<'a> {
    pub house: &'a House,
    pub token: String,
}

impl<'a> Program<'a> {
    /// A program that operates, with a token made by the command line beside the running server.
    pub fn of(house: &'a House) -> Self {
        let data = house.data.to_str().unwrap();
        let made = std::process::Command::new(env!("CARGO_BIN_EXE_replygate"))
            .args([
                "token", "create", "--scope", "operate", "--name", "crm", "--data", data,
            ])
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

    pub async fn ask(&self, method: Method, path: &str, body: Value) -> (u16, Value) {
        let request = self
            .house
            .request(method, path)
            .bearer_auth(&self.token)
            .json(&body);
        let response = request.send().await.unwrap();
        (response.status().as_u16(), response.json().await.unwrap())
    }

    pub async fn get(&self, path: &str) -> Value {
        let (status, answer) = self.ask(Method::GET, path, Value::Null).await;
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }
}
