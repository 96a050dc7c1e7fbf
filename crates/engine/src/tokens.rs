//! Counts what models are asked, for `/metrics`. Must never count what no model was asked for: a line without tokens
//! would say nothing.

use replygate_gate::Usage;

/// Whose tokens they are.
#[derive(Clone, Copy, Debug)]
pub enum Spender {
    /// The agent of a turn.
    Agent,
    /// The evaluator of a triage.
    Evaluator,
}

impl Spender {
    const fn word(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Evaluator => "evaluator",
        }
    }
}

/// Adds to `replygate_tokens_total`, by channel, spender and direction.
pub fn count(channel: &str, spender: Spender, usage: Usage) {
    for (direction, tokens) in [("input", usage.input), ("output", usage.output)] {
        if tokens > 0 {
            metrics::counter!(
                "replygate_tokens_total",
                "channel" => channel.to_owned(),
                "spender" => spender.word(),
                "direction" => direction
            )
            .increment(tokens);
        }
    }
}
