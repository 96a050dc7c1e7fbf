//! The area of the built-in tools: the calendar and the mailbox, with texts masked until they are revealed.

use std::collections::HashSet;

use async_trait::async_trait;
use replygate_app::console::BuiltInTools;
use replygate_app::view::{
    BuiltIn, BuiltInAsked, Caller, ConsoleError, EventRow, MailRow, Page, PageQuery, Permission,
    VeiledList,
};
use replygate_gate::{self as gate, ActionId, SessionKey};
use replygate_ports::calendar::{CalendarEvent, EventQuery};
use replygate_ports::mailbox::{Mail, MailQuery};

use super::masking::Sight;
use super::{ServerConsole, at, channel, cursor, masking, unavailable};

#[async_trait]
impl BuiltInTools for ServerConsole {
    async fn built_in(&self, who: &Caller, asked: BuiltInAsked) -> Result<BuiltIn, ConsoleError> {
        who.need(Permission::See)?;
        if asked.contact.is_some() {
            who.need(Permission::Reveal)?;
        }
        let sight = self.sight(who, VeiledList::BuiltIn).await?;
        Ok(BuiltIn {
            events: self.events_in_calendar(sight, &asked).await?,
            mails: self.mails_in_mailbox(sight, &asked).await?,
        })
    }
}

impl ServerConsole {
    async fn events_in_calendar(
        &self,
        sight: Sight,
        asked: &BuiltInAsked,
    ) -> Result<Page<EventRow>, ConsoleError> {
        let as_of = self.time();
        let after = cursor::read(asked.events.as_ref())?;
        let query = EventQuery {
            channel: asked.channel.clone(),
            contact: asked.contact.clone(),
            after: after.map(|(at, id)| (at, ActionId(id))),
            limit: cursor::limit(&PageQuery::first()),
            ..EventQuery::default()
        };
        let found = self.service.stores.calendar.events(&query).await;
        let found = found.map_err(unavailable)?;
        let known = self.known_of(found.iter().map(|event| &event.whom)).await?;
        let last = found.last().filter(|_| found.len() == query.limit as usize);
        Ok(Page {
            next: last.map(|last| cursor::behind(last.start, last.id.0)),
            rows: found.iter().map(|one| event(sight, one, &known)).collect(),
            as_of,
            total: None,
        })
    }

    async fn mails_in_mailbox(
        &self,
        sight: Sight,
        asked: &BuiltInAsked,
    ) -> Result<Page<MailRow>, ConsoleError> {
        let as_of = self.time();
        let after = cursor::read(asked.mails.as_ref())?;
        let query = MailQuery {
            channel: asked.channel.clone(),
            contact: asked.contact.clone(),
            after: after.map(|(at, id)| (at, ActionId(id))),
            limit: cursor::limit(&PageQuery::first()),
        };
        let found = self.service.stores.mailbox.mails(&query).await;
        let found = found.map_err(unavailable)?;
        let known = self.known_of(found.iter().map(|mail| &mail.whom)).await?;
        let last = found.last().filter(|_| found.len() == query.limit as usize);
        Ok(Page {
            next: last.map(|last| cursor::behind(last.sent_at, last.id.0)),
            rows: found.iter().map(|one| mail(sight, one, &known)).collect(),
            as_of,
            total: None,
        })
    }

    /// Those of these sessions that exist: an agent elsewhere may act for somebody who never wrote here.
    async fn known_of(
        &self,
        whom: impl Iterator<Item = &SessionKey>,
    ) -> Result<HashSet<gate::SessionId>, ConsoleError> {
        let sessions: HashSet<gate::SessionId> = whom.map(SessionKey::session).collect();
        self.known_among(sessions).await
    }
}

fn event(sight: Sight, event: &CalendarEvent, known: &HashSet<gate::SessionId>) -> EventRow {
    let session = event.whom.session();
    EventRow {
        id: event.id.to_string(),
        start: at(event.start),
        end: event.end.map(at),
        title: masking::cut(sight, &event.title),
        channel: channel(&event.whom.channel),
        contact: masking::contact(sight, &event.whom.contact),
        session: known.contains(&session).then(|| session.to_string().into()),
        guests: event
            .guests
            .iter()
            .map(|guest| masking::contact(sight, guest))
            .collect(),
        made: at(event.created_at),
        cancelled: event.cancelled_at.map(at),
    }
}

fn mail(sight: Sight, mail: &Mail, known: &HashSet<gate::SessionId>) -> MailRow {
    let session = mail.whom.session();
    MailRow {
        id: mail.id.to_string(),
        sent: at(mail.sent_at),
        to: mail
            .to
            .iter()
            .map(|to| masking::contact(sight, to))
            .collect(),
        subject: masking::cut(sight, &mail.subject),
        body: masking::cut(sight, &mail.body),
        channel: channel(&mail.whom.channel),
        contact: masking::contact(sight, &mail.whom.contact),
        session: known.contains(&session).then(|| session.to_string().into()),
    }
}
