//! The area of reveals. Must never show what could not be written down.

use async_trait::async_trait;
use replygate_app::console::Reveals;
use replygate_app::view::{
    Caller, ConsoleError, Permission, Revealed, Seeing, SessionId as SeenSession, Veiled,
    VeiledList,
};
use replygate_gate::SessionId;
use replygate_ports::accounts::Reveal;
use replygate_ports::activity::{Activity, ActivityResult};

use super::masking::Sight;
use super::{ServerConsole, unavailable};

/// The longest reason, in characters.
const LONGEST_REASON: usize = 500;

#[async_trait]
impl Reveals for ServerConsole {
    async fn is_revealed(&self, who: &Caller, over: &Veiled) -> Result<bool, ConsoleError> {
        who.need(Permission::See)?;
        match who.seeing {
            Seeing::Export => return Ok(who.may(Permission::ExportTexts)),
            Seeing::Page if !who.may(Permission::Reveal) => return Ok(false),
            Seeing::Page => {}
        }
        let accounts = &self.service.stores.accounts;
        let found = accounts.reveal(&who.sign_in, Some(over.stored())).await;
        Ok(found.map_err(unavailable)?.is_some())
    }

    async fn reveal(
        &self,
        who: &Caller,
        over: Veiled,
        reason: Option<String>,
    ) -> Result<Revealed, ConsoleError> {
        who.need(Permission::Reveal)?;
        if let Veiled::Session(session) = &over {
            self.summary(session.as_str()).await?;
        }
        if self.is_revealed(who, &over).await? {
            return Ok(Revealed::Shown);
        }
        let accounts = &self.service.stores.accounts;
        let first = accounts.reveal(&who.sign_in, None).await;
        let first = first.map_err(unavailable)?.map(|first| first.reason);
        let Some(reason) = given(reason)?.or(first) else {
            return Ok(Revealed::ReasonMissing);
        };
        let reveal = Reveal {
            sign_in: who.sign_in.clone(),
            scope: over.stored().to_owned(),
            reason,
            at: self.service.stores.clock.now(),
        };
        let log = &self.service.stores.activity;
        let entry = log.record(entry(who, &over, &reveal)).await;
        entry.map_err(unavailable)?;
        accounts.save_reveal(reveal).await.map_err(unavailable)?;
        Ok(Revealed::Shown)
    }
}

impl ServerConsole {
    /// What the caller sees in the rows of a list.
    pub(super) async fn sight(
        &self,
        who: &Caller,
        list: VeiledList,
    ) -> Result<Sight, ConsoleError> {
        self.sight_under(who, Veiled::List(list)).await
    }

    /// What the caller sees on pages about a session.
    pub(super) async fn sight_of(
        &self,
        who: &Caller,
        session: SessionId,
    ) -> Result<Sight, ConsoleError> {
        let session = SeenSession(session.to_string());
        self.sight_under(who, Veiled::Session(session)).await
    }

    async fn sight_under(&self, who: &Caller, veil: Veiled) -> Result<Sight, ConsoleError> {
        Ok(if self.is_revealed(who, &veil).await? {
            Sight::Clear
        } else {
            Sight::Veiled
        })
    }
}

fn given(reason: Option<String>) -> Result<Option<String>, ConsoleError> {
    let reason = reason.map(|reason| reason.trim().to_owned());
    let reason = reason.filter(|reason| !reason.is_empty());
    let is_long = |reason: &String| reason.chars().count() > LONGEST_REASON;
    if let Some(long) = reason.as_ref().filter(|reason| is_long(reason)) {
        return Err(ConsoleError::Invalid {
            field: "reason".to_owned(),
            value: long.chars().take(64).collect(),
            allowed: format!("at most {LONGEST_REASON} characters"),
        });
    }
    Ok(reason)
}

fn entry(who: &Caller, over: &Veiled, reveal: &Reveal) -> Activity {
    Activity {
        at: reveal.at,
        by: who.name.clone(),
        role: who.role.stored().to_owned(),
        verb: "reveal".to_owned(),
        object: over.object(),
        before: Some("hidden".to_owned()),
        after: Some("shown until the sign-in ends".to_owned()),
        reason: Some(reveal.reason.clone()),
        request_id: None,
        result: ActivityResult::Done,
    }
}
