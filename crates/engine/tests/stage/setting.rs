//! How a stage is set: the channels, and how slow everything is.

use std::time::Duration;

use replygate_engine::Tuning;
use replygate_ports::settings::ChannelSettings;
use replygate_ports::tools::Tool;
use replygate_testkit::scripted::Latency;

/// How a stage is set.
pub struct Setting {
    pub agent: Latency,
    pub evaluator: Latency,
    pub channel: Latency,
    pub rules: bool,
    pub settings: Vec<ChannelSettings>,
    pub tool: Latency,
    pub tools: Vec<Tool>,
    pub tuning: Tuning,
    pub peers: bool,
}

impl Default for Setting {
    fn default() -> Self {
        Self {
            agent: Latency::none(),
            evaluator: Latency::none(),
            channel: Latency::none(),
            rules: false,
            settings: vec![ChannelSettings::new("webchat", "webchat")],
            tool: Latency::none(),
            tools: Vec::new(),
            tuning: Tuning::default(),
            peers: false,
        }
    }
}

impl Setting {
    /// One channel of this id with changed settings.
    pub fn channel(change: impl FnOnce(&mut ChannelSettings)) -> Self {
        let mut settings = ChannelSettings::new("webchat", "webchat");
        change(&mut settings);
        Self {
            settings: vec![settings],
            ..Self::default()
        }
    }

    /// Without debounce, every message is a turn at once.
    pub fn without_debounce() -> Self {
        Self::channel(|settings| settings.debounce.enabled = false)
    }

    /// Judged by the product's own rules.
    pub fn by_rules(mut self) -> Self {
        self.rules = true;
        self
    }

    /// With an agent that takes this long.
    pub fn with_agent_ms(mut self, ms: u64) -> Self {
        self.agent = Latency::fixed(Duration::from_millis(ms));
        self
    }

    /// With these tools.
    pub fn with_tools(mut self, tools: impl IntoIterator<Item = Tool>) -> Self {
        self.tools.extend(tools);
        self
    }

    /// With tools that take this long.
    pub fn with_tool_ms(mut self, ms: u64) -> Self {
        self.tool = Latency::fixed(Duration::from_millis(ms));
        self
    }

    /// For several processes over one world: none may think that it is alone.
    pub fn shared(mut self) -> Self {
        self.tuning.alone = false;
        self
    }

    /// For several processes that share one broker and tell each other what they do.
    pub fn with_peers(mut self) -> Self {
        self.peers = true;
        self.shared()
    }

    /// More channels with the default settings.
    pub fn and_channels(mut self, ids: &[&str]) -> Self {
        self.settings
            .extend(ids.iter().map(|id| ChannelSettings::new(id, "webchat")));
        self
    }
}
