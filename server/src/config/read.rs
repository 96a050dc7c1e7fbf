//! From values to a configuration, with everything wrong at once.

use std::path::Path;

use replygate_ports::tools::Tool;
use serde_json::{Map, Value};

use super::channel::Reading;
use super::document::Document;
use super::environment::Environment;
use super::problem::{Problem, Problems};
use super::{
    ChannelConfig, ClusterSection, Config, McpConfig, Retention, Role, ServerConfig, mcp, tool,
};

const SECTIONS: [&str; 6] = ["server", "cluster", "retention", "channels", "tools", "mcp"];
/// The longest that texts may be kept: ten years.
const MOST_DAYS: i64 = 3_650;

pub(super) fn read(
    file: Option<&Path>,
    text: &str,
    environment: &Environment,
) -> Result<Config, Problems> {
    let mut document =
        Document::parse(text).map_err(|problem| Problems::new(file, vec![problem]))?;
    let mut problems = Vec::new();
    environment.apply(&mut document, &mut problems);
    let mut reader = Reader {
        document: &document,
        environment,
        problems,
    };
    reader.sections();
    let tools = match file {
        None => replygate_agents::built_in_tools(),
        Some(_) => reader.tools(),
    };
    let (server, mode) = reader.server();
    let config = Config {
        cluster: reader.cluster(mode),
        server,
        retention: reader.retention(),
        channels: reader.channels(),
        tools,
        mcp: reader.mcp(),
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

impl<'a> Reader<'a> {
    fn sections(&mut self) {
        for name in self.document.root.keys() {
            if !SECTIONS.contains(&name.as_str()) {
                let known = SECTIONS.join(", ");
                self.wrong(name, &format!("is no section, allowed: {known}"));
            }
        }
    }

    fn server(&mut self) -> (ServerConfig, Mode) {
        let (mut server, mut mode) = (ServerConfig::default(), Mode::Embedded);
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
                ("mode", Some("cluster")) => mode = Mode::Cluster,
                ("mode", _) => self.refused(&path, value, "embedded, cluster"),
                ("role", Some(text)) => match text.parse() {
                    Ok(role) => server.role = role,
                    Err(_) => self.refused(&path, value, ROLES),
                },
                ("role", None) => self.refused(&path, value, ROLES),
                ("public_url", Some(text)) if is_site(text) => {
                    server.public_url = Some(text.trim_end_matches('/').to_owned());
                }
                ("public_url", _) => self.refused(&path, value, "http:// or https:// and a host"),
                _ => self.wrong(
                    &path,
                    "is no setting, allowed: listen, data_dir, mode, role, public_url",
                ),
            }
        }
        if mode == Mode::Embedded && server.role != Role::All {
            let words = format!(
                "is `{}`, allowed: all, for only a cluster has several processes",
                server.role
            );
            self.wrong("server.role", &words);
        }
        (server, mode)
    }

    /// The section is looked through in either mode, and used in one.
    fn cluster(&mut self, mode: Mode) -> Option<ClusterSection> {
        let mut section = ClusterSection::default();
        let environment = self.environment;
        let before = self.problems.len();
        for (key, value) in self.table("cluster") {
            if let Err(words) = section.take(&key, &value, environment) {
                self.wrong(&format!("cluster.{key}"), &words);
            }
        }
        if mode == Mode::Embedded {
            return None;
        }
        if before == self.problems.len() {
            for (key, allowed) in section.missing() {
                self.wrong(
                    &format!("cluster.{key}"),
                    &format!("is not set, allowed: {allowed}"),
                );
            }
        }
        Some(section)
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

    /// The tables under a head such as `[[channels]]`, each with its place.
    fn tables(&mut self, name: &str) -> Vec<(usize, &'a Map<String, Value>)> {
        let document = self.document;
        let list = match document.root.get(name) {
            None => return Vec::new(),
            Some(Value::Array(list)) => list,
            Some(other) => {
                self.refused(name, other, &format!("tables with the head [[{name}]]"));
                return Vec::new();
            }
        };
        let mut tables = Vec::new();
        for (place, value) in list.iter().enumerate() {
            match value {
                Value::Object(table) => tables.push((place, table)),
                other => self.refused(&format!("{name}.{place}"), other, "a table"),
            }
        }
        tables
    }

    fn channels(&mut self) -> Vec<ChannelConfig> {
        let mut channels: Vec<ChannelConfig> = Vec::new();
        for (place, table) in self.tables("channels") {
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

    fn tools(&mut self) -> Vec<Tool> {
        let mut tools: Vec<Tool> = Vec::new();
        for (place, table) in self.tables("tools") {
            match tool::read(self.document, place, table) {
                Ok(tool) => match tool::twin(&tools, &tool) {
                    Some(words) => {
                        let origin = self.document.origin(&format!("tools.{place}.name"));
                        let message = format!("`tools[{place}].name` {words}");
                        self.problems.push(Problem::new(origin, message));
                    }
                    None => tools.push(tool),
                },
                Err(problems) => self.problems.extend(problems),
            }
        }
        tools
    }

    fn mcp(&mut self) -> Vec<McpConfig> {
        let mut servers: Vec<McpConfig> = Vec::new();
        for (place, table) in self.tables("mcp") {
            match mcp::read(table, &servers, self.environment) {
                Ok(server) => servers.push(server),
                Err(wrong) => {
                    let name = table.get("name").and_then(Value::as_str);
                    let name =
                        name.map_or_else(|| format!("mcp[{place}]"), |name| format!("mcp.{name}"));
                    for (key, words) in wrong {
                        let origin = self.document.origin(&format!("mcp.{place}.{key}"));
                        let message = format!("`{name}.{key}` {words}");
                        self.problems.push(Problem::new(origin, message));
                    }
                }
            }
        }
        servers
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
                self.refused(name, other.clone(), "a table");
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

/// What an installation runs on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Embedded,
    Cluster,
}

const ROLES: &str = "web, worker, all";
const LISTEN: &str = "an address and a port such as 127.0.0.1:8420";

fn is_site(text: &str) -> bool {
    let rest = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    rest.is_some_and(|host| {
        !host.trim_end_matches('/').is_empty() && !host.trim_end_matches('/').contains('/')
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::NEWCOMER;

    fn problems(text: &str, environment: &Environment) -> Vec<String> {
        let problems = read(Some(Path::new("replygate.toml")), text, environment).unwrap_err();
        problems.to_string().lines().map(str::to_owned).collect()
    }

    #[test]
    fn everything_wrong_is_told_at_once_with_its_line() {
        let text = "[server]\nlisten = \"everywhere\"\nmode = \"swarm\"\ncolour = 1\n\n[[channels]]\nid = \"shop\"\n\
                    kind = \"webchat\"\noperational_delay_ms = 700000\ndebounce = { closed_ms = \"soon\", closd_ms = 1 }\n\
                    [retention]\ntexts_days = 0\n[sever]\n";
        assert_eq!(
            problems(text, &Environment::default()),
            [
                "replygate.toml:13: `sever` is no section, allowed: server, cluster, retention, channels, tools, mcp",
                "replygate.toml:4: `server.colour` is no setting, allowed: listen, data_dir, mode, role, public_url",
                "replygate.toml:2: `server.listen` is `everywhere`, allowed: an address and a port such as 127.0.0.1:8420",
                "replygate.toml:3: `server.mode` is `swarm`, allowed: embedded, cluster",
                "replygate.toml:12: `retention.texts_days` is `0`, allowed: 1 to 3650 days",
                "replygate.toml:10: `channels.shop.debounce.closd_ms` is no setting, allowed: enabled, closed_ms, \
                 neutral_ms, greeting_ms, dangling_ms, max_wait_ms, max_messages",
                "replygate.toml:10: `channels.shop.debounce.closed_ms` is `soon`, allowed: 0 to 120000",
            ]
        );
    }

    #[test]
    fn everything_wrong_with_a_tool_is_told_at_once_with_its_line() {
        let text = "[[tools]]\nname = \"pay\"\neffect = \"sometimes\"\nhost = 5\ncolour = 1\n\n[[tools]]\neffect = \"read\"\n\n\
                    [[tools]]\nname = \"a.b\"\neffect = \"write\"\nhost = \"x\"\nwindow_ms = 5\nrecipe = \"by_magic\"\n\n\
                    [[tools]]\nname = \"ok\"\neffect = \"write\"\nhost = \"x\"\nwindow_ms = 5\n";
        let told = problems(text, &Environment::default());
        let starts: Vec<&str> = told
            .iter()
            .map(|line| line.split(&[' ', ':'][..]).collect::<Vec<_>>())
            .map(|words| words.get(3).copied().unwrap_or_default())
            .collect();
        assert_eq!(
            starts,
            [
                "`tools.pay.colour`",
                "`tools.pay.effect`",
                "`tools.pay.host`",
                "`tools[1].name`",
                "`tools[1].host`",
                "`tools.a.b.recipe`",
                "`tools.ok.window_ms`",
            ],
            "{told:?}"
        );
        assert!(told[0].starts_with("replygate.toml:5: "), "{told:?}");
        assert!(
            told[5].contains("auto, calendar.create_event, email.send"),
            "{told:?}"
        );
        assert_eq!(
            told[6],
            "replygate.toml:21: `tools.ok.window_ms` is 5, allowed: 1000 to 2592000000"
        );
    }

    #[test]
    fn two_tools_that_models_cannot_tell_apart_are_refused() {
        let tool =
            |name| format!("[[tools]]\nname = \"{name}\"\neffect = \"read\"\nhost = \"x\"\n");
        let found = problems(
            &format!("{}{}", tool("a.b"), tool("a_b")),
            &Environment::default(),
        );
        assert_eq!(
            found,
            [
                "replygate.toml:6: `tools[1].name` is `a_b`, allowed: a name that models can tell from `a.b`: they see . as _"
            ]
        );
    }

    #[test]
    fn a_cluster_needs_its_three_services_and_shows_none() {
        let text =
            "[server]\nmode = \"cluster\"\nrole = \"web\"\n[cluster]\nqueue_kind = \"quorum\"\n";
        let file = Some(Path::new("replygate.toml"));
        assert_eq!(
            problems(text, &Environment::default()),
            [
                "replygate.toml:4: `cluster.database_url` is not set, allowed: postgres://…, postgresql://…, env:NAME, file:PATH",
                "replygate.toml:4: `cluster.redis_url` is not set, allowed: redis://…, rediss://…, env:NAME, file:PATH",
                "replygate.toml:4: `cluster.amqp_url` is not set, allowed: amqp://…, amqps://…, env:NAME, file:PATH",
            ]
        );
        let environment = Environment::of([
            (
                "REPLYGATE__CLUSTER__DATABASE_URL",
                "postgres://u:hunter2@h/d",
            ),
            ("REPLYGATE__CLUSTER__REDIS_URL", "env:REDIS"),
            ("REPLYGATE__CLUSTER__AMQP_URL", "amqps://u:hunter2@h/%2f"),
            ("REDIS", "rediss://:hunter2@h:6379/"),
        ]);
        let config = read(file, text, &environment).unwrap();
        let cluster = config.cluster.as_ref().unwrap();
        assert_eq!(cluster.redis_url, "rediss://:hunter2@h:6379/");
        assert_eq!(config.server.role, Role::Web);
        assert!(!format!("{config:?}").contains("hunter2"));
        let wrong = Environment::of([("REPLYGATE__CLUSTER__AMQP_URL", "http://u:hunter2@h/")]);
        assert_eq!(
            problems(text, &wrong),
            [
                "REPLYGATE__CLUSTER__AMQP_URL: `cluster.amqp_url` is no such address, allowed: amqp://…, amqps://…, env:NAME, file:PATH"
            ]
        );
    }

    #[test]
    fn a_role_is_for_clusters() {
        assert_eq!(
            problems("[server]\nrole = \"worker\"\n", &Environment::default()),
            [
                "replygate.toml:2: `server.role` is `worker`, allowed: all, for only a cluster has several processes"
            ]
        );
    }

    #[test]
    fn a_text_that_has_no_name_is_read_all_the_same() {
        let text = "[[channels]]\nid = \"own\"\nkind = \"webchat\"\n";
        let config = read(None, text, &Environment::default()).unwrap();
        assert_eq!(config.channels[0].settings.id, "own");
        assert!(read(None, "[sever]", &Environment::default()).is_err());
    }

    #[test]
    fn a_value_out_of_range_is_told_once_the_forms_are_right() {
        let text =
            "[[channels]]\nid = \"shop\"\nkind = \"webchat\"\noperational_delay_ms = 700000\n";
        assert_eq!(
            problems(text, &Environment::default()),
            [
                "replygate.toml:4: `channels.shop.operational_delay_ms` is 700000, allowed: 0 to 600000"
            ]
        );
    }

    #[test]
    fn the_environment_overrides_the_file() {
        let text = "[[channels]]\nid = \"my-shop\"\nkind = \"webchat\"\n";
        let environment = Environment::of([
            ("REPLYGATE__SERVER__LISTEN", "127.0.0.1:9"),
            ("REPLYGATE__RETENTION__TEXTS_DAYS", "7"),
            ("REPLYGATE__CHANNELS__MY_SHOP__OPERATIONAL_DELAY_MS", "5"),
            ("REPLYGATE__CHANNELS__0__LADDER_MS", "[1, 2]"),
            (
                "REPLYGATE__CHANNELS__MY_SHOP__EVALUATOR",
                "{ kind = \"marker\", latency_ms = 3 }",
            ),
            ("REPLYGATE__CHANNELS__MY_SHOP__DEBOUNCE__ENABLED", "false"),
            ("REPLYGATE_LOG", "debug"),
        ]);
        let config = read(None, NEWCOMER, &environment);
        assert!(
            config
                .unwrap_err()
                .to_string()
                .contains("there is no channel `my_shop`, allowed: demo")
        );
        let config = read(Some(Path::new("f")), text, &environment).unwrap();
        assert_eq!(config.server.listen.port(), 9);
        assert_eq!(config.retention.texts_days, 7);
        let settings = &config.channels[0].settings;
        assert_eq!(settings.operational_delay_ms, 5);
        assert_eq!(settings.ladder_ms, [1, 2]);
        assert_eq!(settings.evaluator.options["latency_ms"], 3);
        assert!(!settings.debounce.enabled);
    }

    #[test]
    fn a_wrong_variable_is_named() {
        let environment = Environment::of([
            ("REPLYGATE__SERVER__LISTEN", "nowhere"),
            ("REPLYGATE__CHANNELS__DEMO__HISTORY", "all"),
            ("REPLYGATE__SERVER", "x"),
        ]);
        let problems = read(None, NEWCOMER, &environment).unwrap_err().to_string();
        let lines: Vec<&str> = problems.lines().collect();
        assert_eq!(
            lines,
            [
                "REPLYGATE__SERVER: names no key, allowed: REPLYGATE__SECTION__KEY",
                "REPLYGATE__SERVER__LISTEN: `server.listen` is `nowhere`, allowed: an address and a port such as 127.0.0.1:8420",
                "REPLYGATE__CHANNELS__DEMO__HISTORY: `channels.demo.history` is `all`, allowed: 0 to 1000",
            ]
        );
    }

    #[test]
    fn a_secret_is_read_from_where_it_is_named_and_never_shown() {
        let text = "[[channels]]\nid = \"shop\"\nkind = \"generic\"\ndeliver_url = \"http://x/\"\nsigning_secret = \"env:SHOP\"\n";
        let none = problems(text, &Environment::default());
        assert_eq!(
            none,
            [
                "replygate.toml:5: `channels.shop.signing_secret` names the environment variable SHOP, which is not set"
            ]
        );
        let bad = problems(text, &Environment::of([("SHOP", "hunter2hunter2")]));
        assert!(!bad[0].contains("hunter2"), "{bad:?}");
        let good =
            Environment::of([("SHOP", "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")]);
        let config = read(Some(Path::new("f")), text, &good).unwrap();
        assert_eq!(config.channels[0].secrets.len(), 1);
        assert!(!format!("{config:?}").contains("whsec_"));
    }

    #[test]
    fn everything_wrong_with_an_mcp_server_is_told_at_once_with_its_line() {
        let text = "[[mcp]]\nname = \"cal\"\nurl = \"cal\"\n[[mcp]]\nurl = \"http://x/\"\ntoken = \"env:CAL\"\n";
        assert_eq!(
            problems(text, &Environment::default()),
            [
                "replygate.toml:3: `mcp.cal.url` is `cal`, allowed: an http:// or https:// address",
                "replygate.toml:4: `mcp[1].name` is not set, allowed: 1 to 32 of a-z, 0-9, - and _, a name of its own",
                "replygate.toml:6: `mcp[1].token` names the environment variable CAL, which is not set",
            ]
        );
    }

    #[test]
    fn two_channels_cannot_share_an_id() {
        let channel = "[[channels]]\nid = \"shop\"\nkind = \"webchat\"\n";
        assert_eq!(
            problems(&format!("{channel}{channel}"), &Environment::default()),
            ["replygate.toml:5: `channels[1].id` is `shop`, allowed: an id of its own"]
        );
    }

    #[test]
    fn without_a_file_there_is_one_channel_to_try() {
        let config = read(None, NEWCOMER, &Environment::default()).unwrap();
        assert_eq!(config.channels.len(), 1);
        assert_eq!(
            config.channels[0].settings,
            Config::default().channels[0].settings
        );
    }

    #[test]
    fn a_file_that_is_no_toml_is_refused_by_its_line() {
        let found = problems("[server]\nlisten = \n", &Environment::default());
        assert!(found[0].starts_with("replygate.toml:2: "), "{found:?}");
    }
}
