//! One call that was held back, and one of unknown outcome.

use super::{Fake, NASTY, NOW, ago, page, shop, text};
use async_trait::async_trait;
use replygate_app::console::Duplicates;
use replygate_app::view::*;

pub(super) fn row(who: &Caller) -> DuplicateRow {
    DuplicateRow {
        id: "dup_1".to_owned(),
        at: ago(30),
        tool: "create_event".to_owned(),
        channel: shop(),
        contact: text(who, "Ana"),
        session: Some("ses_1".into()),
        what: text(who, "psicologia · 15:00"),
        avoided: "repeated".to_owned(),
        age_ms: 12_000,
        compared: vec!["title".to_owned(), "start".to_owned()],
        differs: vec![(DifferenceWord::Added, "end".to_owned())],
        note: "This event exists already.".to_owned(),
        verdict: None,
    }
}

/// Two people did something about it.
fn deeds() -> Vec<ActivityRow> {
    let deed = |place, verb: &str, before: Option<&str>, after: &str| ActivityRow {
        place,
        at: ago(20),
        by: "Rui".to_owned(),
        role: "support".to_owned(),
        verb: verb.to_owned(),
        object: "dup_1".to_owned(),
        address: None,
        before: before.map(str::to_owned),
        after: Some(after.to_owned()),
        reason: Some("for her mother".to_owned()),
        result: ActivityResult::Done,
    };
    vec![
        deed(9, "allow_once", None, "one call more"),
        deed(8, "verdict", Some("unsure"), "should_have_run"),
    ]
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

    async fn duplicate_rows(
        &self,
        who: &Caller,
        ids: Vec<String>,
    ) -> Result<Page<DuplicateRow>, ConsoleError> {
        who.need(Permission::See)?;
        let wanted = ids.iter().any(|id| id == "dup_1");
        Ok(page(if wanted { vec![row(who)] } else { Vec::new() }, None))
    }

    async fn guard_figures(&self, who: &Caller) -> Result<Option<GuardFigures>, ConsoleError> {
        who.need(Permission::See)?;
        Ok(Some(GuardFigures {
            since: ago(1_209_600),
            made: Count::Exactly(1_902),
            avoided: Count::Exactly(4),
            wrong: Count::Exactly(1),
            last: Some(ago(30)),
        }))
    }

    async fn tool_names(&self, who: &Caller) -> Result<Vec<String>, ConsoleError> {
        who.need(Permission::See)?;
        Ok(vec!["create_event".to_owned(), "send_email".to_owned()])
    }

    async fn unknown_calls(&self, who: &Caller) -> Result<Vec<UnknownCall>, ConsoleError> {
        who.need(Permission::See)?;
        Ok(vec![UnknownCall {
            id: "act_9".to_owned(),
            tool: "send_email".to_owned(),
            channel: shop(),
            contact: text(who, "Ana"),
            what: text(who, "ana@example.org"),
            at: ago(300),
            code: Some("timeout".to_owned()),
        }])
    }

    async fn settlement(
        &self,
        who: &Caller,
        call: String,
    ) -> Result<Option<SettledCall>, ConsoleError> {
        who.need(Permission::See)?;
        Ok((call == "act_9").then(|| SettledCall {
            tool: "send_email".to_owned(),
            happened: true,
            by: "Marta".to_owned(),
        }))
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
            row: DuplicateRow {
                verdict: Some(DuplicateVerdict {
                    word: OpinionWord::ShouldHaveRun,
                    comment: Some("for her mother".to_owned()),
                    by: "Rui".to_owned(),
                    at: ago(20),
                }),
                ..row(who)
            },
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
            said: Some(("rep_4".into(), vec![text(who, "It is booked.")])),
            deeds: deeds(),
            as_of: NOW,
        })
    }

    async fn judge(
        &self,
        who: &Caller,
        deed: DuplicateDeed,
        seen: Option<At>,
        _: OpinionWord,
    ) -> Result<(), ConsoleError> {
        who.need(Permission::Verdict)?;
        there(&deed.id, "dup_1")?;
        if seen == Some(ago(20)) {
            return Ok(());
        }
        Err(ConsoleError::Conflict {
            now: "should_have_run".to_owned(),
            by: Some("Rui".to_owned()),
            at: Some(ago(20)),
        })
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
