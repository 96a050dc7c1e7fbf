//! One operation that is planned, one that runs.

use super::{Fake, ago, page, shop};
use async_trait::async_trait;
use replygate_app::console::Operations;
use replygate_app::view::*;

fn operation(state: OperationWord) -> OperationRow {
    OperationRow {
        id: "op_1".into(),
        version: 3,
        choice: Choice::Send,
        state,
        by: "Ana".to_owned(),
        reason: Some("the channel is back".to_owned()),
        pace: Pace::usual(37),
        planned: ago(120),
        started: None,
        ended: None,
        counts: vec![(ItemWord::Ready, 36), (ItemWord::Skipped, 1)],
    }
}

#[async_trait]
impl Operations for Fake {
    async fn plan(&self, who: &Caller, asked: PlanAsked) -> Result<OperationId, ConsoleError> {
        who.need(Permission::ActOnMany)?;
        match asked.set {
            PlanSet::Picked(picks) if picks == [("rep_7".into(), 1)] => Ok("op_1".into()),
            _ => Err(ConsoleError::Invalid {
                field: "pick".to_owned(),
                value: String::new(),
                allowed: "at least one reply".to_owned(),
            }),
        }
    }

    async fn operations(
        &self,
        who: &Caller,
        query: PageQuery,
    ) -> Result<Page<OperationRow>, ConsoleError> {
        who.need(Permission::See)?;
        let rows = vec![operation(OperationWord::Running)];
        Ok(if query.after.is_some() {
            page(Vec::new(), None)
        } else {
            page(rows, None)
        })
    }

    async fn operation(
        &self,
        who: &Caller,
        id: OperationId,
        outcome: Option<ItemWord>,
        _page: PageQuery,
    ) -> Result<OperationDetail, ConsoleError> {
        who.need(Permission::See)?;
        let state = match id.as_str() {
            "op_1" => OperationWord::Planned,
            "op_2" => OperationWord::Running,
            _ => {
                return Err(ConsoleError::NotFound {
                    what: "operation".to_owned(),
                });
            }
        };
        let shop = shop();
        let item = |place, state, why: Option<&str>| OperationItem {
            place,
            reply: format!("rep_{place}").into(),
            session: "ses_1".into(),
            channel: shop.clone(),
            state,
            why: why.map(str::to_owned),
            at: ago(100),
        };
        let items = [
            item(0, ItemWord::Ready, None),
            item(1, ItemWord::Skipped, Some("person")),
        ];
        let wanted = |item: &OperationItem| outcome.is_none_or(|outcome| item.state == outcome);
        let plan = PlanSummary {
            channels: vec![(shop.clone(), 36)],
            skipped: vec![("person".to_owned(), 1)],
            noticed: vec![("newer_messages".to_owned(), 12)],
            written: Some((ago(10_800), ago(1_080))),
            expires: ago(-780),
        };
        Ok(OperationDetail {
            row: OperationRow {
                id,
                ..operation(state)
            },
            plan: (state == OperationWord::Planned).then_some(plan),
            behind: None,
            items: page(items.into_iter().filter(wanted).collect(), None),
        })
    }

    async fn steer(&self, who: &Caller, asked: SteerAsked) -> Result<(), ConsoleError> {
        who.need(Permission::ActOnMany)?;
        if asked.steer == Steer::Start && asked.reason.is_none() {
            return Err(ConsoleError::Invalid {
                field: "reason".to_owned(),
                value: String::new(),
                allowed: "why".to_owned(),
            });
        }
        Ok(())
    }
}
