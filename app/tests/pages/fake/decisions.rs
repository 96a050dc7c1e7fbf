//! One reply that was judged.

use super::{Fake, NASTY, NOW, page, replies, shop, text};
use async_trait::async_trait;
use replygate_app::console::Decisions;
use replygate_app::view::*;

fn decided(who: &Caller) -> DecisionRow {
    let judged = replies(who).next().unwrap();
    DecisionRow {
        reply: judged.id.clone(),
        session: judged.session.clone(),
        channel: shop(),
        contact: text(who, "Ana"),
        text: text(who, NASTY),
        verdict: judged.verdicts[0].clone(),
        tokens_in: 310,
        tokens_out: 12,
        status: Some(StatusWord::Cancelled),
    }
}

#[async_trait]
impl Decisions for Fake {
    async fn decisions(
        &self,
        who: &Caller,
        filter: DecisionFilter,
        query: PageQuery,
    ) -> Result<Page<DecisionRow>, ConsoleError> {
        who.need(Permission::See)?;
        let row = decided(who);
        let wanted = filter
            .verdict
            .is_none_or(|wanted| wanted == row.verdict.word);
        Ok(page(
            if wanted { vec![row] } else { Vec::new() },
            query.after.is_none().then_some("7.a.2"),
        ))
    }

    async fn decision(&self, who: &Caller, id: ReplyId) -> Result<DecisionDetail, ConsoleError> {
        who.need(Permission::See)?;
        let reply = replies(who).find(|reply| reply.id == id);
        Ok(DecisionDetail {
            rows: vec![decided(who)],
            reply: reply.ok_or(ConsoleError::NotFound {
                what: "reply".to_owned(),
            })?,
            asked: Vec::new(),
            newer: Vec::new(),
            as_of: NOW,
        })
    }
}
