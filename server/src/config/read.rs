//! From values to a configuration, with everything wrong at once.

use std::path::Path;

use serde_json::{Map, Value};

use super::channel::Reading;
use super::document::Document;
use super::environment::Environment;
use super::problem::{Problem, Problems};
use super::{ChannelConfig, Config, Retention, ServerConfig};

/// The longest that texts may be kept: ten years.
const MOST_DAYS: i64 = 3_650;

pub(super) fn read(
    file: Option<&Path>,
    text: &str,
    environment: &Environment,
) -> Result<Config, Problems> {
    let mut document =
        Document::parse(text).map_err(|problem| Problems::new(file, vec![problem]))?;
    if file.is_none() {
        let demo = serde_json::json!([{ "id": "demo", "kind": "webchat" }]);
        document.root.insert("channels".to_owned(), demo);
    }
    let mut problems = Vec::new();
    environment.apply(&mut document, &mut problems);
    let mut reader = Reader {
        document: &document,
        environment,
        problems,
    };
    reader.sections();
    let config = Config {
        server: reader.server(),
        retention: reader.retention(),
        channels: reader.channels(),
        environment: environment.clone(),
    };
    if reader.problems.is_empty() {
        Ok(config)
    } else {
        Err(Problems::new(file, reader.problems))
    }
}

struct Reader<'a> {
    document: &'a Document,
    environment: &'a Environment,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    fn sections(&mut self) {
        for name in self.document.root.keys() {
            if !["server", "retention", "channels"].contains(&name.as_str()) {
                self.wrong(name, "is no section, allowed: server, retention, channels");
            }
        }
    }

    fn server(&mut self) -> ServerConfig {
        let mut server = ServerConfig::default();
        for (key, value) in self.table("server") {
            let path = format!("server.{key}");
            match (key.as_str(), value.as_str()) {
                ("listen", Some(text)) => match text.parse() {
                    Ok(listen) => server.listen = listen,
                    Err(_) => self.refused(&path, value, LISTEN),
                },
                ("listen", None) => self.refused(&path, value, LISTEN),
                ("data_dir", Some(text)) if !text.is_empty() => server.data_dir = text.into(),
                ("data_dir", _) => self.refused(&path, value, "a folder"),
                ("mode", Some("embedded")) => {}
                ("mode", _) => self.refused(&path, value, "embedded"),
                ("public_url", Some(text)) if is_site(text) => {
                    server.public_url = Some(text.trim_end_matches('/').to_owned());
                }
                ("public_url", _) => self.refused(&path, value, "http:// or https:// and a host"),
                _ => self.wrong(
                    &path,
                    "is no setting, allowed: listen, data_dir, mode, public_url",
                ),
            }
        }
        server
    }

    fn retention(&mut self) -> Retention {
        let mut retention = Retention::default();
        for (key, value) in self.table("retention") {
            let path = format!("retention.{key}");
            match (key.as_str(), value.as_i64()) {
                ("texts_days", Some(days)) if (1..=MOST_DAYS).contains(&days) => {
                    retention.texts_days = days as u32;
                }
                ("texts_days", _) => self.refused(&path, value, "1 to 3650 days"),
                _ => self.wrong(&path, "is no setting, allowed: texts_days"),
            }
        }
        retention
    }

    fn channels(&mut self) -> Vec<ChannelConfig> {
        let Some(value) = self.document.root.get("channels") else {
            return Vec::new();
        };
        let Some(list) = value.as_array() else {
            self.refused("channels", value, "tables with the head [[channels]]");
            return Vec::new();
        };
        let mut channels: Vec<ChannelConfig> = Vec::new();
        for (place, value) in list.iter().enumerate() {
            let Some(table) = value.as_object() else {
                self.refused(&format!("channels.{place}"), value, "a table");
                continue;
            };
            let id = table.get("id").and_then(Value::as_str);
            let reading = Reading::new(self.document, self.environment, place, id);
            match reading.read(table) {
                Ok(channel) if self.is_twice(&channels, &channel, place) => {}
                Ok(channel) => channels.push(channel),
                Err(problems) => self.problems.extend(problems),
            }
        }
        channels
    }

    fn is_twice(
        &mut self,
        others: &[ChannelConfig],
        channel: &ChannelConfig,
        place: usize,
    ) -> bool {
        let id = &channel.settings.id;
        let twice = others.iter().any(|other| other.settings.id == *id);
        if twice {
            let origin = self.document.origin(&format!("channels.{place}.id"));
            let message = format!("`channels[{place}].id` is `{id}`, allowed: an id of its own");
            self.problems.push(Problem::new(origin, message));
        }
        twice
    }

    fn table(&mut self, name: &str) -> Vec<(String, Value)> {
        let empty = Map::new();
        let table = match self.document.root.get(name) {
            None => &empty,
            Some(Value::Object(table)) => table,
            Some(other) => {
                self.refused(name, &other.clone(), "a table");
                &empty
            }
        };
        table.clone().into_iter().collect()
    }

    fn refused(&mut self, path: &str, value: impl std::borrow::Borrow<Value>, allowed: &str) {
        let value = super::keys::show(value.borrow());
        self.wrong(path, &format!("is `{value}`, allowed: {allowed}"));
    }

    fn wrong(&mut self, path: &str, words: &str) {
        let origin = self.document.origin(path);
        self.problems
            .push(Problem::new(origin, format!("`{path}` {words}")));
    }
}

const LISTEN: &str = "an address and a port such as 127.0.0.1:8420";

fn is_site(text: &str) -> bool {
    let rest = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    rest.is_some_and(|host| {
        !host.trim_end_matches('/').is_empty() && !host.trim_end_matches('/').contains('/')
    })
}
