//! Deeds that are done at once.

use super::{Fake, UNASKED, ago};
use async_trait::async_trait;
use replygate_app::console::Commands;
use replygate_app::view::*;

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
        Ok((request.as_str() == "req_1").then(|| outcome(Action::Reprocess)))
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

    async fn say(&self, _: &Caller, _: SessionAction, _: String) -> Result<Outcome, ConsoleError> {
        Err(UNASKED)
    }

    async fn release_hold(&self, _: &Caller, _: SessionAction) -> Result<Outcome, ConsoleError> {
        Err(UNASKED)
    }

    async fn unlock(
        &self,
        _: &Caller,
        _: SessionAction,
        _: LockOwner,
    ) -> Result<Outcome, ConsoleError> {
        Err(UNASKED)
    }

    async fn take_over(&self, _: &Caller, _: SessionAction) -> Result<Outcome, ConsoleError> {
        Err(UNASKED)
    }

    async fn hand_back(&self, _: &Caller, _: SessionAction) -> Result<Outcome, ConsoleError> {
        Err(UNASKED)
    }
}
