//! One reply that waits, and one that no longer does.

use super::{Fake, NASTY, NOW, ago, page, shop, text};
use async_trait::async_trait;
use replygate_app::console::Parked;
use replygate_app::view::*;

fn parked(who: &Caller) -> ParkedRow {
    ParkedRow {
        reply: "rep_7".into(),
        session: "ses_1".into(),
        version: 7,
        generation: 1,
        status: StatusWord::Parked,
        channel: shop(),
        contact: text(who, "Ana"),
        text: text(who, NASTY),
        why: "channel_failed".to_owned(),
        code: Some("http_503".to_owned()),
        attempts: 4,
        written: ago(900),
        since: ago(600),
        returns: 1,
        meanwhile: Meanwhile::NewerMessages { count: 2 },
    }
}

#[async_trait]
impl Parked for Fake {
    async fn parked(
        &self,
        who: &Caller,
        filter: ParkedFilter,
        _page: PageQuery,
    ) -> Result<Inbox, ConsoleError> {
        who.need(Permission::See)?;
        let rows = [parked(who)];
        let wanted = |row: &ParkedRow| filter.why.as_ref().is_none_or(|why| *why == row.why);
        Ok(Inbox {
            page: page(rows.into_iter().filter(wanted).collect(), None),
            reasons: vec![("channel_failed".to_owned(), 1)],
            cause: None,
        })
    }

    async fn parked_rows(
        &self,
        who: &Caller,
        _ids: Vec<ReplyId>,
    ) -> Result<Page<ParkedRow>, ConsoleError> {
        who.need(Permission::See)?;
        Ok(page(vec![parked(who)], None))
    }

    async fn parked_reply(&self, who: &Caller, id: ReplyId) -> Result<ParkedDetail, ConsoleError> {
        who.need(Permission::See)?;
        let waits = match id.as_str() {
            "rep_7" => true,
            "rep_8" => false,
            _ => {
                return Err(ConsoleError::NotFound {
                    what: "reply".to_owned(),
                });
            }
        };
        let row = ParkedRow {
            status: if waits {
                StatusWord::Parked
            } else {
                StatusWord::Delivered
            },
            ..parked(who)
        };
        let check = Check {
            word: CheckWord::SameText,
            weight: Weight::Refuses,
            against: vec![Choice::Send],
            count: None,
            by: None,
            at: Some(ago(60)),
        };
        Ok(ParkedDetail {
            row,
            parts: vec![text(who, NASTY)],
            checks: if waits { vec![check] } else { Vec::new() },
            usual: waits.then_some(Choice::Discard),
            last_deed: (!waits).then(|| LastDeed {
                kind: "requeued".to_owned(),
                by: "Ana".to_owned(),
                at: ago(3),
            }),
            as_of: NOW,
        })
    }
}
