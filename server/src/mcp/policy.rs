//! Whether calls of a tool are guarded, and how: what `[[tools]]` declares, and of other tools what the configuration says.
//! The server's own hints count only as far as it trusts them.

use std::sync::Arc;

use replygate_agents::mcp::{Hints, place_of};
use replygate_engine::Toolbox;
use replygate_gate::tools::OnUnknown;
use replygate_ports::settings::Choice;
use replygate_ports::tools::{Effect, Tool};

use crate::config::{McpConfig, Undeclared};

/// What is done with calls of a tool.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Policy {
    /// They pass.
    Pass,
    /// Each meaning happens once, by these settings.
    Guard(Arc<Tool>),
    /// They are refused; why, in words for a model.
    Deny(String),
}

/// The tool that is declared to be this one on that server. Where there are several, one with an effect.
pub(super) fn declared(toolbox: &Toolbox, server: &str, tool: &str) -> Option<Arc<Tool>> {
    let same = toolbox
        .tools()
        .into_iter()
        .map(|live| live.tool)
        .filter(|declared| place_of(declared) == Some((server, tool)));
    same.max_by_key(|declared| declared.effect == Effect::Write)
}

impl Policy {
    pub(super) fn of(
        config: &McpConfig,
        declared: Option<Arc<Tool>>,
        (tool, hints): (&str, Hints),
        channel: &str,
    ) -> Self {
        if let Some(declared) = declared {
            return Self::by(declared, channel);
        }
        let only_reads = config.trust.read_only && hints.read_only;
        if config.undeclared == Undeclared::Pass || only_reads {
            return Self::Pass;
        }
        let may_repeat = config.trust.idempotent && hints.idempotent;
        let name = format!("{}.{tool}", config.name);
        Self::Guard(Arc::new(Tool {
            timeout_ms: config.timeout_ms,
            on_unknown: if may_repeat {
                OnUnknown::Retry
            } else {
                OnUnknown::Hold
            },
            ..Tool::new(&name, Effect::Write, Choice::named("mcp"))
        }))
    }

    fn by(declared: Arc<Tool>, channel: &str) -> Self {
        if !declared.serves(channel) {
            let name = &declared.name;
            return Self::Deny(format!("the tool `{name}` may not be called here"));
        }
        match declared.effect {
            Effect::Read => Self::Pass,
            Effect::Write => Self::Guard(declared),
        }
    }
}

#[cfg(test)]
mod tests {
    use replygate_agents::mcp::ToolErrors;

    use super::*;
    use crate::config::Trust;

    fn config(trust: Trust, undeclared: Undeclared) -> McpConfig {
        McpConfig {
            name: "cal".to_owned(),
            url: "http://127.0.0.1/".parse().unwrap(),
            headers: axum::http::HeaderMap::new(),
            channel: None,
            trust,
            undeclared,
            timeout_ms: 1_000,
            tool_errors: ToolErrors::Failed,
        }
    }

    fn declared(effect: Effect) -> Arc<Tool> {
        Arc::new(Tool::new("book", effect, Choice::named("mcp")))
    }

    const SAYS_IT_ONLY_READS: Hints = Hints {
        read_only: true,
        idempotent: true,
    };
    const TRUSTING: Trust = Trust {
        read_only: true,
        idempotent: true,
    };

    fn undeclared(config: &McpConfig, hints: Hints) -> Policy {
        Policy::of(config, None, ("other", hints), "")
    }

    #[test]
    fn what_is_declared_counts_whatever_the_server_says() {
        let trusting = config(TRUSTING, Undeclared::Pass);
        let of =
            |effect, hints| Policy::of(&trusting, Some(declared(effect)), ("book", hints), "shop");
        assert_eq!(
            of(Effect::Write, SAYS_IT_ONLY_READS),
            Policy::Guard(declared(Effect::Write))
        );
        assert_eq!(of(Effect::Read, Hints::default()), Policy::Pass);
    }

    #[test]
    fn a_tool_that_agents_may_not_call_is_denied() {
        let wary = config(Trust::default(), Undeclared::Guard);
        let off = Arc::new(Tool {
            enabled: false,
            ..(*declared(Effect::Read)).clone()
        });
        let elsewhere = Arc::new(Tool {
            channels: Some(vec!["shop".to_owned()]),
            ..(*declared(Effect::Write)).clone()
        });
        for (tool, channel) in [(&off, "shop"), (&elsewhere, "other"), (&elsewhere, "")] {
            let hints = ("book", Hints::default());
            let policy = Policy::of(&wary, Some(Arc::clone(tool)), hints, channel);
            assert!(matches!(policy, Policy::Deny(_)), "{tool:?} {channel}");
        }
        let policy = Policy::of(
            &wary,
            Some(Arc::clone(&elsewhere)),
            ("book", Hints::default()),
            "shop",
        );
        assert_eq!(policy, Policy::Guard(elsewhere));
    }

    #[test]
    fn hints_count_only_as_far_as_they_are_trusted() {
        let wary = config(Trust::default(), Undeclared::Guard);
        let Policy::Guard(tool) = undeclared(&wary, SAYS_IT_ONLY_READS) else {
            panic!("nobody says that this hint counts");
        };
        assert_eq!(
            (tool.name.as_str(), tool.on_unknown),
            ("cal.other", OnUnknown::Hold)
        );
        let trusting = config(TRUSTING, Undeclared::Guard);
        assert_eq!(undeclared(&trusting, SAYS_IT_ONLY_READS), Policy::Pass);
        let idempotent = Hints {
            read_only: false,
            idempotent: true,
        };
        let Policy::Guard(tool) = undeclared(&trusting, idempotent) else {
            panic!("it has an effect");
        };
        assert_eq!(tool.on_unknown, OnUnknown::Retry);
        let Policy::Guard(tool) = undeclared(&trusting, Hints::default()) else {
            panic!("it says nothing of itself");
        };
        assert_eq!(tool.on_unknown, OnUnknown::Hold);
    }

    #[test]
    fn undeclared_tools_pass_only_where_that_is_said() {
        let open = config(Trust::default(), Undeclared::Pass);
        assert_eq!(undeclared(&open, Hints::default()), Policy::Pass);
    }
}
