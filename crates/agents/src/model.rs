//! A language model as agents and evaluators ask it: lines in, words or calls of tools out. Must never run a tool, and
//! never knows of turns or replies.

mod anthropic;
mod ask;
mod count;
mod openai;
mod setup;

use async_trait::async_trait;

pub(crate) use anthropic::Anthropic;
pub(crate) use ask::{Ask, Call, Heard, Line, NoObject, Said, Shape, Tool, ToolResult};
pub(crate) use count::Meter;
pub(crate) use openai::OpenAi;
pub(crate) use setup::{Defaults, OPTIONS, below};

use crate::transport::{Deadline, Transport};
use crate::unanswered::Unanswered;

/// A language model behind an address.
#[async_trait]
pub(crate) trait Model: Send + Sync {
    /// Asks once. Dropping the future closes the connection, by which the other side stops. The meter is told what was
    /// used however the call ends, if the other side may have begun.
    async fn ask(
        &self,
        ask: &Ask<'_>,
        deadline: Deadline,
        meter: Meter<'_>,
    ) -> Result<Said, Unanswered>;

    /// How it is reached.
    fn transport(&self) -> &Transport;

    /// The name under which the model is known to its provider.
    fn name(&self) -> &str;
}
