//! What a model is asked and what it says, in no provider's words. Must never hold a key.

use serde_json::{Map, Value};

/// One call of a model.
pub(crate) struct Ask<'a> {
    /// What it is told of its work; what never changes comes first, so that a provider can keep it.
    pub(crate) system: &'a [String],
    /// The conversation, oldest first: the customer's lines and the model's take turns, and the first is the customer's.
    pub(crate) lines: &'a [Line],
    /// The tools that it may call.
    pub(crate) tools: &'a [Tool],
    /// The form that the answer must have.
    pub(crate) shape: Option<&'a Shape>,
    /// Told each piece of the words as it streams in.
    pub(crate) heard: Heard<'a>,
}

/// Who is told the words of an answer as they stream in.
pub(crate) type Heard<'a> = &'a (dyn Fn(&str) + Send + Sync);

/// One line of a conversation.
#[derive(Clone, Debug)]
pub(crate) enum Line {
    /// The customer wrote.
    Customer(String),
    /// The model said.
    Model(Said),
    /// What the calls of the model's last line came to, one for each.
    Results(Vec<ToolResult>),
}

/// What a model said.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Said {
    /// Its words.
    pub(crate) text: String,
    /// The tools that it wants called.
    pub(crate) calls: Vec<Call>,
    /// The same in its provider's words, to be given back unchanged: it may hold signatures that must not get lost.
    pub(crate) raw: Option<Value>,
}

impl Said {
    /// Words alone, as the history has them.
    pub(crate) fn words(text: String) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }
}

/// A tool that the model wants called.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    /// The provider's id of the call; its result names it.
    pub(crate) id: String,
    /// The tool's name.
    pub(crate) tool: String,
    /// The arguments; an error when what the model wrote is no JSON object.
    pub(crate) arguments: Result<Map<String, Value>, NoObject>,
}

/// What the model wrote as arguments is no JSON object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NoObject;

impl Call {
    /// A call from the text that a model wrote as arguments; none at all are no arguments.
    pub(crate) fn read(id: String, tool: String, arguments: &str) -> Self {
        let arguments = if arguments.trim().is_empty() {
            Ok(Map::new())
        } else {
            serde_json::from_str(arguments).map_err(|_| NoObject)
        };
        Self {
            id,
            tool,
            arguments,
        }
    }
}

/// What a call came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ToolResult {
    /// The call's id.
    pub(crate) id: String,
    /// What the model reads.
    pub(crate) content: String,
    /// Whether the tool was not run or failed.
    pub(crate) is_error: bool,
}

/// A tool that the model may call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tool {
    /// Its name, of letters, digits, `_` and `-`.
    pub(crate) name: String,
    /// What it does, for the model.
    pub(crate) description: String,
    /// The JSON schema of its arguments.
    pub(crate) parameters: Value,
}

/// The form of an answer.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// A name for it.
    pub(crate) name: &'static str,
    /// Its JSON schema.
    pub(crate) schema: Value,
}
