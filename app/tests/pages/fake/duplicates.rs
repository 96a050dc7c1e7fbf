//! One call that was held back, and one of unknown outcome.

use super::{Fake, NASTY, NOW, ago, page, shop, text};
use async_trait::async_trait;
use replygate_app::console::Duplicates;
use replygate_app::view::*;

fn row(who: &Caller) -> DuplicateRow {
    DuplicateRow {
        id: "dup_1".to_owned(),
        at: ago(30),
        tool: "create_event".to_owned(),
        channel: shop(),
        contact: text(who, "Ana"),
        avoided: "repeated".to_owned(),
        age_ms: 12_000,
        compared: vec!["title".to_owned(), "start".to_owned()],
        differs: vec!["end".to_owned()],
        verdict: None,
    }
}

fn there(id: &str, known: &str) -> Result<(), ConsoleError> {
    if id == known {
        return Ok(());
    }
    Err(ConsoleError::NotFound {
        what: "duplicate".to_owned(),
    })
}

fn reason(deed: &DuplicateDeed) -> Result<(), ConsoleError> {
    if deed.reason.is_some() {
        return Ok(());
    }
    Err(ConsoleError::Invalid {
        field: "reason".to_owned(),
        value: String::new(),
        allowed: "why".to_owned(),
    })
}

#[async_trait]
impl Duplicates for Fake {
    async fn duplicates(
        &self,
        who: &Caller,
        filter: DuplicateFilter,
        _: PageQuery,
    ) -> Result<Page<DuplicateRow>, ConsoleError> {
        who.need(Permission::See)?;
        let is_wanted = filter.verdict.is_none();
        Ok(page(
            if is_wanted {
                vec![row(who)]
            } else {
                Vec::new()
            },
            None,
        ))
    }

    async fn unknown_calls(&self, who: &Caller) -> Result<Vec<UnknownCall>, ConsoleError> {
        who.need(Permission::See)?;
        Ok(vec![UnknownCall {
            id: "act_9".to_owned(),
            tool: "send_email".to_owned(),
            channel: shop(),
            contact: text(who, "Ana"),
            at: ago(300),
            code: Some("timeout".to_owned()),
        }])
    }

    async fn duplicate(&self, who: &Caller, id: String) -> Result<DuplicateDetail, ConsoleError> {
        who.need(Permission::See)?;
        there(&id, "dup_1")?;
        let argument =
            |path: &str, first: Option<&str>, second: Option<&str>, is_ignored| ArgumentRow {
                path: path.to_owned(),
                first: first.map(|value| text(who, value)),
                second: second.map(|value| text(who, value)),
                is_ignored,
                differs: first != second,
            };
        Ok(DuplicateDetail {
            row: row(who),
            session: Some("ses_1".into()),
            first: Some(FirstCall {
                id: "act_1".to_owned(),
                at: ago(42),
                state: "done".to_owned(),
                result: Some(text(who, "event 7")),
                window_ms: 600_000,
                settled_by: None,
            }),
            arguments: vec![
                argument("title", Some(NASTY), Some(NASTY), false),
                argument("end", None, Some("16:00"), true),
            ],
            compared: vec![("title".to_owned(), text(who, "psicologia"))],
            recipe: "calendar".to_owned(),
            missing: None,
            note: text(who, "This event exists already."),
            said: Some(("rep_4".into(), vec![text(who, "It is booked.")])),
            as_of: NOW,
        })
    }

    async fn judge(
        &self,
        who: &Caller,
        deed: DuplicateDeed,
        _: OpinionWord,
    ) -> Result<(), ConsoleError> {
        who.need(Permission::Verdict)?;
        there(&deed.id, "dup_1")
    }

    async fn allow_once(&self, who: &Caller, deed: DuplicateDeed) -> Result<(), ConsoleError> {
        who.need(Permission::AllowOnce)?;
        reason(&deed)?;
        there(&deed.id, "dup_1")
    }

    async fn settle_call(
        &self,
        who: &Caller,
        deed: DuplicateDeed,
        _: bool,
    ) -> Result<(), ConsoleError> {
        who.need(Permission::ActOnOne)?;
        reason(&deed)?;
        there(&deed.id, "act_9")
    }
}
