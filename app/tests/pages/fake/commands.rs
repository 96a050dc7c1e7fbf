//! Deeds on a reply and on a session.

use super::{Fake, ago};
use async_trait::async_trait;
use replygate_app::console::Commands;
use replygate_app::view::*;

/// Nothing here asks for these; whoever calls them has made a mistake.
const UNASKED: ConsoleError = ConsoleError::Unavailable;

fn outcome(action: Action) -> Outcome {
    Outcome {
        action,
        session: "ses_1".into(),
        reply: Some("rep_7".into()),
        by: "Ana".to_owned(),
        at: ago(3),
    }
}

#[async_trait]
impl Commands for Fake {
    fn mint(&self) -> RequestId {
        "req_1".into()
    }

    async fn outcome(
        &self,
        _: &Caller,
        request: RequestId,
    ) -> Result<Option<Outcome>, ConsoleError> {
        let action = match request.as_str() {
            "req_1" => Action::Reprocess,
            "req_1-take_over" => Action::TakeOver,
            "req_1-say" => Action::Say,
            "req_1-hand_back" => Action::HandBack,
            "req_1-unlock" => Action::Unlock,
            "req_1-release_hold" => Action::ReleaseHold,
            _ => return Ok(None),
        };
        Ok(Some(outcome(action)))
    }

    async fn reprocess(&self, who: &Caller, what: ReplyAction) -> Result<Outcome, ConsoleError> {
        who.need(Permission::ActOnOne)?;
        if what.generation != 1 {
            return Err(ConsoleError::Conflict {
                now: "DELIVERED".to_owned(),
                by: Some("Ana".to_owned()),
                at: Some(ago(3)),
            });
        }
        if what.checks == Override::Respect {
            return Err(ConsoleError::Refused {
                check: "same_text".to_owned(),
            });
        }
        Ok(outcome(Action::Reprocess))
    }

    async fn rerun(&self, _: &Caller, _: ReplyAction) -> Result<Outcome, ConsoleError> {
        Err(UNASKED)
    }

    async fn discard(&self, _: &Caller, _: ReplyAction) -> Result<Outcome, ConsoleError> {
        Err(UNASKED)
    }

    async fn mark_delivered(&self, _: &Caller, _: ReplyAction) -> Result<Outcome, ConsoleError> {
        Err(UNASKED)
    }

    async fn say(
        &self,
        who: &Caller,
        _: SessionAction,
        text: String,
    ) -> Result<Outcome, ConsoleError> {
        who.need(Permission::ActOnOne)?;
        if text.is_empty() {
            return Err(ConsoleError::Invalid {
                field: "text".to_owned(),
                value: String::new(),
                allowed: "1 to 4000 characters".to_owned(),
            });
        }
        Ok(outcome(Action::Say))
    }

    async fn release_hold(&self, who: &Caller, _: SessionAction) -> Result<Outcome, ConsoleError> {
        who.need(Permission::ReleaseLocks)?;
        Ok(outcome(Action::ReleaseHold))
    }

    async fn unlock(
        &self,
        who: &Caller,
        _: SessionAction,
        lock: LockOwner,
    ) -> Result<Outcome, ConsoleError> {
        who.need(Permission::ReleaseLocks)?;
        if lock.token == "1.crm" {
            return Ok(outcome(Action::Unlock));
        }
        Err(ConsoleError::Conflict {
            now: "locked".to_owned(),
            by: Some("crm".to_owned()),
            at: Some(ago(3)),
        })
    }

    async fn take_over(&self, who: &Caller, what: SessionAction) -> Result<Outcome, ConsoleError> {
        who.need(Permission::ActOnOne)?;
        if what.session.as_str() == "ses_3" {
            return Err(ConsoleError::Conflict {
                now: "taken_over".to_owned(),
                by: Some("Ana".to_owned()),
                at: None,
            });
        }
        Ok(outcome(Action::TakeOver))
    }

    async fn hand_back(&self, who: &Caller, _: SessionAction) -> Result<Outcome, ConsoleError> {
        who.need(Permission::ActOnOne)?;
        Ok(outcome(Action::HandBack))
    }
}
