//! The channels that a play needs, as a configuration file has them: for our own server, and for whoever plays against
//! another one.

/// The channels of the stories. `secret` begins with `whsec_`.
#[must_use]
pub fn seeds_toml(deliver_url: &str, secret: &str) -> String {
    let channel = |id: &str, debounce: bool| {
        format!(
            r#"[[channels]]
id = "{id}"
kind = "generic"
deliver_url = "{deliver_url}"
signing_secret = "{secret}"
operational_delay_ms = 600
ladder_ms = [300, 600, 1200]
agent = "demo"
evaluator = "rules"
debounce = {{ enabled = {debounce} }}
"#
        )
    };
    format!(
        "{}\n{}",
        channel("seeds", false),
        channel("seeds-debounce", true)
    )
}

/// The channels of a storm: agents and evaluators take their time, most of it short and some of it long.
#[must_use]
pub fn storm_toml(deliver_url: &str, secret: &str) -> String {
    let channel = |id: &str, debounce: &str| {
        format!(
            r#"[[channels]]
id = "{id}"
kind = "generic"
deliver_url = "{deliver_url}"
signing_secret = "{secret}"
operational_delay_ms = 600
agent = {{ kind = "echo", latency_p50_ms = 100, latency_p99_ms = 900, seed = 1 }}
evaluator = {{ kind = "marker", latency_p50_ms = 80, latency_p99_ms = 1200, seed = 2 }}
debounce = {{ {debounce} }}
"#
        )
    };
    let windows =
        "enabled = true, closed_ms = 300, neutral_ms = 400, greeting_ms = 600, dangling_ms = 600";
    format!(
        "{}\n{}",
        channel("storm", "enabled = false"),
        channel("storm-debounce", windows)
    )
}

#[cfg(test)]
mod tests {
    use replygate_gate::debounce::Windows;

    use super::*;
    use crate::config::{Config, Environment};

    fn config(text: &str) -> Config {
        let file = Some(std::path::Path::new("simulation"));
        Config::read(file, text, &Environment::default()).unwrap()
    }

    #[test]
    fn the_stories_play_with_the_default_windows() {
        let config = config(&seeds_toml(
            "http://127.0.0.1:1/",
            &crate::simulate::new_secret(),
        ));
        let debounce = config.channel("seeds-debounce").unwrap().settings.debounce;
        assert_eq!(debounce, Windows::default());
        assert!(!config.channel("seeds").unwrap().settings.debounce.enabled);
    }

    #[test]
    fn the_storm_has_one_channel_with_debounce_and_one_without() {
        let config = config(&storm_toml(
            "http://127.0.0.1:1/",
            &crate::simulate::new_secret(),
        ));
        let enabled = config
            .channels
            .iter()
            .map(|channel| channel.settings.debounce.enabled);
        assert_eq!(enabled.collect::<Vec<_>>(), [false, true]);
    }
}
