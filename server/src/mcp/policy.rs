//! Whether calls of a tool are guarded, and how: what the configuration says, and the server's own hints only as far as it
//! trusts them.

use replygate_gate::tools::{Guarding, OnUnknown, Recipe, Scope};
use replygate_mcp::Hints;
use replygate_ports::tools::{Effect, Tool};

use crate::config::{McpConfig, Undeclared};

/// How calls of one tool are guarded.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Guarded {
    /// What it is called in the ledger.
    pub(crate) name: String,
    pub(crate) recipe: Recipe,
    pub(crate) scope: Scope,
    pub(crate) guarding: Guarding,
    pub(crate) timeout_ms: u64,
}

impl Guarded {
    /// Whether the same call may be sent again when nobody knows what came of it.
    pub(crate) fn may_repeat(&self) -> bool {
        self.guarding.on_unknown == OnUnknown::Retry
    }
}

/// What is done with calls of a tool.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Policy {
    /// They pass.
    Pass,
    /// Each meaning happens once.
    Guard(Box<Guarded>),
}

impl Policy {
    pub(super) fn of(config: &McpConfig, tool: &str, hints: Hints) -> Self {
        match config.tools.get(tool) {
            Some(declared) if declared.effect == Effect::Read => Self::Pass,
            Some(declared) => Self::guard(declared, OnUnknown::Hold),
            None if config.undeclared == Undeclared::Pass => Self::Pass,
            None if config.trust.read_only && hints.read_only => Self::Pass,
            None => {
                let repeats = config.trust.idempotent && hints.idempotent;
                let on_unknown = if repeats {
                    OnUnknown::Retry
                } else {
                    OnUnknown::Hold
                };
                Self::guard(&config.undeclared_tool(tool), on_unknown)
            }
        }
    }

    fn guard(tool: &Tool, otherwise: OnUnknown) -> Self {
        let guarding = tool.guarding();
        let on_unknown = match guarding.on_unknown {
            OnUnknown::Hold => otherwise,
            said => said,
        };
        Self::Guard(Box::new(Guarded {
            name: tool.name.clone(),
            recipe: tool.recipe.clone(),
            scope: tool.scope,
            guarding: Guarding {
                on_unknown,
                ..guarding
            },
            timeout_ms: tool.timeout_ms,
        }))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use replygate_ports::settings::Choice;

    use super::*;
    use crate::config::Trust;

    fn config(trust: Trust, undeclared: Undeclared) -> McpConfig {
        let tool = |name: &str, effect| Tool::new(&format!("cal.{name}"), effect, Choice::named("mcp"));
        McpConfig {
            name: "cal".to_owned(),
            url: "http://127.0.0.1/".parse().unwrap(),
            headers: http::HeaderMap::new(),
            channel: None,
            trust,
            undeclared,
            tools: BTreeMap::from([
                ("look".to_owned(), tool("look", Effect::Read)),
                ("book".to_owned(), tool("book", Effect::Write)),
            ]),
        }
    }

    const SAYS_IT_ONLY_READS: Hints = Hints {
        read_only: true,
        idempotent: true,
    };

    fn guards(policy: &Policy) -> bool {
        matches!(policy, Policy::Guard(_))
    }

    #[test]
    fn what_is_declared_counts_whatever_the_server_says() {
        let trusting = config(
            Trust {
                read_only: true,
                idempotent: true,
            },
            Undeclared::Pass,
        );
        let Policy::Guard(book) = Policy::of(&trusting, "book", SAYS_IT_ONLY_READS) else {
            panic!("declared to have an effect");
        };
        assert!(!book.may_repeat());
        assert_eq!(book.name, "cal.book");
        assert_eq!(Policy::of(&trusting, "look", Hints::default()), Policy::Pass);
    }

    #[test]
    fn hints_count_only_as_far_as_they_are_trusted() {
        let wary = config(Trust::default(), Undeclared::Guard);
        assert!(guards(&Policy::of(&wary, "other", SAYS_IT_ONLY_READS)));
        let trust = Trust {
            read_only: true,
            idempotent: false,
        };
        let trusting = config(trust, Undeclared::Guard);
        assert_eq!(Policy::of(&trusting, "other", SAYS_IT_ONLY_READS), Policy::Pass);
        assert!(guards(&Policy::of(&trusting, "other", Hints::default())));
    }

    #[test]
    fn an_idempotent_tool_may_be_called_again_where_that_is_trusted() {
        let hints = Hints {
            read_only: false,
            idempotent: true,
        };
        let repeats = |trust| match Policy::of(&config(trust, Undeclared::Guard), "set", hints) {
            Policy::Guard(guarded) => guarded.may_repeat(),
            Policy::Pass => panic!("it has an effect"),
        };
        assert!(!repeats(Trust::default()));
        assert!(repeats(Trust {
            read_only: false,
            idempotent: true
        }));
    }

    #[test]
    fn undeclared_tools_pass_only_where_that_is_said() {
        let open = config(Trust::default(), Undeclared::Pass);
        assert_eq!(Policy::of(&open, "other", Hints::default()), Policy::Pass);
    }
}
