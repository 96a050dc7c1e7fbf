//! One event, one that was cancelled, and one mail.

use super::{Fake, NASTY, ago, page, shop, text};
use async_trait::async_trait;
use replygate_app::console::BuiltInTools;
use replygate_app::view::*;

fn event(who: &Caller, id: &str, cancelled: Option<At>) -> EventRow {
    EventRow {
        id: id.to_owned(),
        start: ago(-3_600),
        end: Some(ago(-7_200)),
        title: text(who, NASTY),
        channel: shop(),
        contact: text(who, "Ana"),
        session: Some("ses_1".into()),
        guests: vec![text(who, "paula@example.org")],
        made: ago(60),
        cancelled,
    }
}

#[async_trait]
impl BuiltInTools for Fake {
    async fn built_in(&self, who: &Caller, asked: BuiltInAsked) -> Result<BuiltIn, ConsoleError> {
        who.need(Permission::See)?;
        if asked.contact.is_some() {
            who.need(Permission::Reveal)?;
        }
        let is_here = asked.channel.as_deref().is_none_or(|one| one == "shop");
        let events = vec![event(who, "act_1", None), event(who, "act_2", Some(ago(9)))];
        let mail = MailRow {
            id: "act_3".to_owned(),
            sent: ago(30),
            to: vec![text(who, "rui@example.org")],
            subject: text(who, "Invoice F-7"),
            body: text(who, "It is 100."),
            channel: shop(),
            contact: text(who, "Ana"),
            session: None,
        };
        let events = if is_here && asked.events.is_none() {
            events
        } else {
            Vec::new()
        };
        let mails = if is_here { vec![mail] } else { Vec::new() };
        Ok(BuiltIn {
            events: page(events, asked.events.is_none().then_some("9.2")),
            mails: page(mails, None),
        })
    }
}
