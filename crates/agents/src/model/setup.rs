//! The options that every model has. Must never let a key pass that is written out.

use std::sync::Arc;

use replygate_ports::settings::SettingError;
use reqwest::Url;
use reqwest::header::HeaderValue;
use serde_json::{Map, Value};

use crate::kind::AgentDeps;
use crate::options::Options;
use crate::secret;
use crate::transport::{Patience, Transport};

/// The options that [`Setup::read`] reads.
pub(crate) const OPTIONS: &[&str] = &[
    "base_url",
    "model",
    "api_key",
    "temperature",
    "max_tokens",
    "stream",
    "extra",
    "first_byte_ms",
    "idle_ms",
    "timeout_ms",
];

const MODEL: &str = "a model's name as its provider spells it";

/// What holds where the options say nothing: agents take their time, evaluators have none.
#[derive(Clone, Copy)]
pub(crate) struct Defaults {
    stream: bool,
    patience: Patience,
    temperature: Option<f64>,
    max_tokens: Option<u64>,
}

impl Defaults {
    /// For an agent.
    pub(crate) const AGENT: Self = Self {
        stream: true,
        patience: Patience::AGENT,
        temperature: None,
        max_tokens: None,
    };
    /// For an evaluator: one short answer, the same for the same question.
    pub(crate) const EVALUATOR: Self = Self {
        stream: false,
        patience: Patience::EVALUATOR,
        temperature: Some(0.0),
        max_tokens: Some(300),
    };
}

/// Where a provider is by itself, and what it wants before the key.
#[derive(Clone, Copy)]
pub(crate) struct Home {
    pub(crate) base_url: &'static str,
    pub(crate) key_prefix: &'static str,
}

/// A model's options, read.
pub(crate) struct Setup {
    pub(crate) transport: Transport,
    pub(crate) base: Url,
    /// Whether the address is the provider's own.
    pub(crate) at_home: bool,
    pub(crate) key: Option<HeaderValue>,
    pub(crate) model: String,
    pub(crate) temperature: Option<f64>,
    pub(crate) max_tokens: Option<u64>,
    pub(crate) stream: bool,
    /// Fields that are sent as they are.
    pub(crate) extra: Map<String, Value>,
}

impl Setup {
    /// Reads them. `taken` are the fields of a request that `extra` may not name.
    pub(crate) fn read(
        options: &Options<'_>,
        deps: &AgentDeps,
        home: Home,
        defaults: Defaults,
        taken: &[&str],
    ) -> Result<Self, SettingError> {
        let given = options.address("base_url")?;
        let at_home = given.is_none();
        let base = match given {
            Some(base) => base,
            None => Url::parse(home.base_url)
                .map_err(|_| options.wrong("base_url", home.base_url, "an address"))?,
        };
        let key = secret::header(options, "api_key", home.key_prefix, &deps.secret)?;
        if key.is_none() && at_home {
            return Err(options.wrong("api_key", "not set", secret::ALLOWED));
        }
        let stream = options.switch("stream")?.unwrap_or(defaults.stream);
        let patience = Patience::read(options, defaults.patience)?;
        let patience = if stream {
            patience
        } else {
            patience.unstreamed()
        };
        Ok(Self {
            transport: Transport::new(deps.client.clone(), Arc::clone(&deps.clock), patience),
            base,
            at_home,
            key,
            model: options
                .text("model", MODEL)?
                .ok_or_else(|| options.wrong("model", "not set", MODEL))?
                .to_owned(),
            temperature: options
                .fraction("temperature", 0.0, 2.0)?
                .or(defaults.temperature),
            max_tokens: options
                .number("max_tokens", 1, 1_000_000)?
                .or(defaults.max_tokens),
            stream,
            extra: options.table("extra", taken)?,
        })
    }

    /// An address below the base.
    pub(crate) fn below(&self, path: &str) -> Url {
        below(&self.base, path)
    }
}

/// The address `path` below `base`, whether or not that ends with a slash; its query stays.
pub(crate) fn below(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    let whole = format!("{}/{path}", base.path().trim_end_matches('/'));
    url.set_path(&whole);
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_goes_below_the_base_whatever_its_end() {
        for (base, whole) in [
            ("http://a", "http://a/chat/completions"),
            ("http://a/v1", "http://a/v1/chat/completions"),
            ("http://a/v1/", "http://a/v1/chat/completions"),
            ("http://a/v1?x=1", "http://a/v1/chat/completions?x=1"),
        ] {
            let base = Url::parse(base).unwrap();
            assert_eq!(below(&base, "chat/completions").as_str(), whole);
        }
    }
}
