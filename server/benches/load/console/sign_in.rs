//! Somebody who may see everything, by the link that the command line prints.

use std::process::Command;

use anyhow::{Context as _, Result};
use reqwest::header::{CONTENT_TYPE, COOKIE, SET_COOKIE};
use reqwest::{Client, RequestBuilder, redirect};

use crate::process::Process;

const PASSWORD: &str = "correct horse battery staple";

/// A browser without a page: asks as one that is signed in.
#[derive(Clone)]
pub(crate) struct Browser {
    client: Client,
    url: String,
    /// What names the sign-in.
    pub(crate) cookie: String,
}

impl Browser {
    /// Signs in at a server.
    pub(crate) async fn sign_in(server: &Process) -> Result<Self> {
        let output = Command::new(env!("CARGO_BIN_EXE_replygate"))
            .args(["user", "add", "bench", "--role", "owner", "--reset"])
            .arg("--config")
            .arg(server.config())
            .arg("--data")
            .arg(server.data())
            .output()?;
        let text = String::from_utf8(output.stdout)?;
        let token = text.trim().rsplit_once("token=").context("no link")?.1;
        let mut body = form_urlencoded::Serializer::new(String::new());
        body.extend_pairs([
            ("token", token),
            ("password", PASSWORD),
            ("repeat", PASSWORD),
        ]);
        let client = Client::builder()
            .redirect(redirect::Policy::none())
            .build()?;
        let url = format!("http://{}", server.address);
        let request = client.post(format!("{url}/first-run"));
        let request = request.header(CONTENT_TYPE, "application/x-www-form-urlencoded");
        let response = request.body(body.finish()).send().await?;
        let cookie = response.headers().get(SET_COOKIE).context("no cookie")?;
        let cookie = cookie.to_str()?.split(';').next().unwrap_or_default();
        Ok(Self {
            client,
            url,
            cookie: cookie.to_owned(),
        })
    }

    /// A page to ask for.
    pub(crate) fn get(&self, path: &str) -> RequestBuilder {
        let request = self.client.get(format!("{}{path}", self.url));
        request
            .header(COOKIE, &self.cookie)
            .header("accept", "text/html")
    }

    /// What a page asks for once it is open.
    pub(crate) fn ask(&self, path: &str, body: String) -> RequestBuilder {
        let request = self.client.post(format!("{}{path}", self.url));
        request
            .header(COOKIE, &self.cookie)
            .header(CONTENT_TYPE, "application/json")
            .body(body)
    }
}
