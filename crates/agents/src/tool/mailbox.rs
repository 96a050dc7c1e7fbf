//! The built-in mailbox as a tool: mails are kept, not sent further. Must never show one person the mails of another.

use std::sync::Arc;

use async_trait::async_trait;
use replygate_gate::tools::{Field, Recipe, Spelling};
use replygate_ports::mailbox::{Mail, MailQuery, Mailbox};
use replygate_ports::tools::{ToolCall, ToolError, ToolHost};
use serde_json::{Value, json};

use super::arguments::{refused, text, texts};

/// The most mails that one call lists.
const MOST: u32 = 100;

/// What the tool does with the mailbox.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Deed {
    Send,
    List,
}

/// The mailbox as a tool.
pub(crate) struct MailTool {
    mailbox: Arc<dyn Mailbox>,
    deed: Deed,
}

impl MailTool {
    pub(crate) fn new(mailbox: Arc<dyn Mailbox>, deed: Deed) -> Self {
        Self { mailbox, deed }
    }

    async fn send(&self, call: &ToolCall) -> Result<Value, ToolError> {
        let to = texts(&call.arguments, &["to"])?;
        if to.is_empty() || !to.iter().all(|one| is_address(one)) {
            return Err(refused(
                "to",
                &format!("{to:?}"),
                "one or more e-mail addresses",
            ));
        }
        let mail = Mail {
            // A call that is repeated under one key sends one mail.
            id: call.key,
            whom: call.whom.clone(),
            to,
            subject: text(&call.arguments, &["subject"])?,
            body: text(&call.arguments, &["body", "text"])?,
            sent_at: call.at,
        };
        let answer = told(&mail);
        match self.mailbox.send_mail(mail).await {
            Ok(()) => Ok(answer),
            // A write that came back with a fault may have been made.
            Err(_) => Err(ToolError::Unknown {
                code: "store".to_owned(),
            }),
        }
    }

    async fn list(&self, call: &ToolCall) -> Result<Value, ToolError> {
        let query = MailQuery {
            channel: Some(call.whom.channel.clone()),
            contact: Some(call.whom.contact.clone()),
            after: None,
            limit: MOST,
        };
        match self.mailbox.mails(&query).await {
            Ok(mails) => Ok(json!({ "mails": mails.iter().map(told).collect::<Vec<_>>() })),
            Err(_) => Err(ToolError::Failed {
                code: "store".to_owned(),
                message: "the mailbox cannot be read at the moment".to_owned(),
            }),
        }
    }
}

#[async_trait]
impl ToolHost for MailTool {
    async fn run(&self, call: &ToolCall) -> Result<Value, ToolError> {
        match self.deed {
            Deed::Send => self.send(call).await,
            Deed::List => self.list(call).await,
        }
    }
}

/// Whether the guard reads it as an address too.
fn is_address(text: &str) -> bool {
    let recipe = Recipe::fields(vec![Field::named("to", Spelling::Email)]);
    let read = recipe.compare("", &json!({ "to": text }));
    read.compared.iter().any(|field| field.value.contains('@'))
}

fn told(mail: &Mail) -> Value {
    json!({
        "mail": mail.id,
        "to": mail.to,
        "subject": mail.subject,
        "sent_ms": mail.sent_at,
    })
}
