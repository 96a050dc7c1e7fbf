//! The declarations of the built-in tools, for whoever wants to try them.

use replygate_gate::tools::{Recipe, RecipeKind};
use replygate_ports::settings::Choice;
use replygate_ports::tools::{Effect, Tool};
use serde_json::{Value, json};

/// The calendar and the mailbox as tools, ready to be called on every channel.
#[must_use]
pub fn built_in_tools() -> Vec<Tool> {
    let event = json!({
        "title": { "type": "string", "description": "What it is" },
        "start_datetime": { "type": "string", "description": "When it begins, with its offset: 2030-01-08T15:00:00-03:00" },
        "end_datetime": { "type": "string", "description": "When it ends" },
        "guests": { "type": "array", "items": { "type": "string" }, "description": "Who else comes" },
    });
    let period = json!({
        "from": { "type": "string", "description": "Beginning at or after" },
        "to": { "type": "string", "description": "Beginning before" },
    });
    let mail = json!({
        "to": { "type": "array", "items": { "type": "string" }, "description": "Addresses" },
        "subject": { "type": "string" },
        "body": { "type": "string" },
    });
    vec![
        tool(
            "calendar.create_event",
            "Puts an event into the calendar.",
            Effect::Write,
            &event,
            &["title", "start_datetime"],
        ),
        tool(
            "calendar.list_events",
            "Lists the events in this person's calendar.",
            Effect::Read,
            &period,
            &[],
        ),
        tool(
            "calendar.cancel_event",
            "Cancels an event in this person's calendar.",
            Effect::Write,
            &json!({ "event": { "type": "string", "description": "The event's id, act_…" } }),
            &["event"],
        ),
        tool(
            "email.send",
            "Sends an e-mail.",
            Effect::Write,
            &mail,
            &["to", "subject", "body"],
        ),
        tool(
            "email.list",
            "Lists the e-mails that were sent for this person.",
            Effect::Read,
            &json!({}),
            &[],
        ),
    ]
}

fn tool(
    name: &str,
    description: &str,
    effect: Effect,
    properties: &Value,
    required: &[&str],
) -> Tool {
    let recipe = match name {
        "calendar.create_event" => RecipeKind::Calendar,
        "email.send" => RecipeKind::Email,
        _ => RecipeKind::Auto,
    };
    Tool {
        description: description.to_owned(),
        arguments: json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        }),
        recipe: Recipe::of(recipe),
        ..Tool::new(name, effect, Choice::named(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_declaration_is_allowed() {
        for tool in built_in_tools() {
            assert_eq!(tool.validate(), Ok(()), "{}", tool.name);
        }
    }
}
