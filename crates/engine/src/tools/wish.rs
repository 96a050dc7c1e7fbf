//! A call as somebody wishes it.

use replygate_gate::text::Tongue;
use replygate_gate::tools::{Comparison, Fingerprint, Guarding, Recipe, Runner, Scope};
use replygate_gate::{ActionId, SessionKey, TurnId};
use replygate_ports::ledger::NewCall;
use replygate_ports::tools::Tool;
use serde_json::Value;

/// A call with an effect, and how it is guarded.
#[derive(Clone, Debug, PartialEq)]
pub struct Wish {
    /// The tool.
    pub tool: String,
    /// The arguments.
    pub arguments: Value,
    /// For whom.
    pub whom: SessionKey,
    /// The turn that wishes it; none for an agent elsewhere.
    pub turn: Option<TurnId>,
    /// Who carries it out.
    pub runner: Runner,
    /// The language of the notes.
    pub tongue: Tongue,
    /// What makes two calls the same.
    pub recipe: Recipe,
    /// Among whose calls.
    pub scope: Scope,
    /// Window, lease, and what an unknown outcome does.
    pub guarding: Guarding,
}

impl Wish {
    /// A call of a tool that no settings know, by an agent elsewhere: recognised by its name, else by all arguments.
    #[must_use]
    pub fn undeclared(tool: &str, arguments: Value, whom: SessionKey) -> Self {
        Self {
            tool: tool.to_owned(),
            arguments,
            whom,
            turn: None,
            runner: Runner::Outside,
            tongue: Tongue::default(),
            recipe: Recipe::default(),
            scope: Scope::default(),
            guarding: Guarding::default(),
        }
    }

    /// A call of a declared tool, by an agent elsewhere.
    #[must_use]
    pub fn of(tool: &Tool, arguments: Value, whom: SessionKey) -> Self {
        Self {
            recipe: tool.recipe.clone(),
            scope: tool.scope,
            guarding: tool.guarding(),
            ..Self::undeclared(&tool.name, arguments, whom)
        }
    }

    /// The same call, made by a turn of this process.
    #[must_use]
    pub fn by_turn(self, turn: TurnId, tongue: Tongue) -> Self {
        Self {
            turn: Some(turn),
            runner: Runner::Engine,
            tongue,
            ..self
        }
    }

    /// What makes its identity.
    #[must_use]
    pub fn comparison(&self) -> Comparison {
        self.recipe.compare(&self.tool, &self.arguments)
    }

    pub(super) fn call(&self, action: ActionId) -> NewCall {
        let comparison = self.comparison();
        NewCall {
            action,
            fingerprint: Fingerprint::of(&self.tool, &comparison, self.scope, &self.whom),
            tool: self.tool.clone(),
            whom: self.whom.clone(),
            turn: self.turn,
            arguments: self.arguments.clone(),
            comparison,
            guarding: self.guarding,
            runner: self.runner,
        }
    }
}
