//! What the console reads of the guard's ledger: figures, records, and what stands around them. Must never block a page by
//! counting.

use std::collections::HashSet;

use replygate_app::view::{
    ConsoleError, Count, DuplicateRow, GuardFigures, OpinionWord, Personal, ReplyId,
};
use replygate_gate::tools::CallState;
use replygate_gate::{self as gate, DuplicateId};
use replygate_ports::ledger::{CallQuery, Duplicate, DuplicateQuery};
use replygate_ports::views::{MessageView, ReplyView};

use super::compared::{opinion, row};
use super::masking::Sight;
use super::{ServerConsole, at, id, masking, not_found, unavailable};

/// The guard's figures are of so long: two weeks.
const FIGURES_MS: u64 = 14 * 86_400_000;
/// So many records since a message are looked through for those of its replies.
const OF_MESSAGE: u32 = 50;

impl ServerConsole {
    /// How the guard did in the last two weeks; nothing where counting takes too long.
    pub(super) async fn figures_of_guard(&self) -> Result<Option<GuardFigures>, ConsoleError> {
        let since = self.service.stores.clock.now().minus(FIGURES_MS);
        let ledger = &self.service.stores.ledger;
        let calls = CallQuery {
            from: Some(since),
            ..CallQuery::default()
        };
        let avoided = DuplicateQuery {
            from: Some(since),
            ..DuplicateQuery::default()
        };
        let wrong = DuplicateQuery {
            opinion: Some(opinion(OpinionWord::ShouldHaveRun)),
            ..avoided.clone()
        };
        let newest = DuplicateQuery {
            limit: 1,
            ..DuplicateQuery::default()
        };
        let newest = ledger.duplicates(&newest).await.map_err(unavailable)?;
        let made = self.counted(|most| ledger.count_calls(&calls, most)).await;
        let avoided = self
            .counted(|most| ledger.count_duplicates(&avoided, most))
            .await;
        let wrong = self
            .counted(|most| ledger.count_duplicates(&wrong, most))
            .await;
        let (Some(made), Some(avoided), Some(wrong)) = (made, avoided, wrong) else {
            return Ok(None);
        };
        Ok(Some(GuardFigures {
            since: at(since),
            made,
            avoided,
            wrong,
            last: newest.first().map(|record| at(record.call.at)),
        }))
    }

    /// How many calls have an outcome that nobody knows; nothing where there is none, or counting takes too long.
    pub(super) async fn unknown_call_count(&self) -> Option<Count> {
        let query = CallQuery {
            states: vec![CallState::Unknown],
            live_only: true,
            ..CallQuery::default()
        };
        let ledger = &self.service.stores.ledger;
        self.counted(|most| ledger.count_calls(&query, most))
            .await
            .filter(|count| *count != Count::Exactly(0))
    }

    /// How many records have no verdict; nothing where there is none, or counting takes too long.
    pub(super) async fn unjudged_count(&self) -> Option<Count> {
        let query = DuplicateQuery {
            unjudged_only: true,
            ..DuplicateQuery::default()
        };
        let ledger = &self.service.stores.ledger;
        self.counted(|most| ledger.count_duplicates(&query, most))
            .await
            .filter(|count| *count != Count::Exactly(0))
    }

    /// The record of that name.
    pub(super) async fn record(&self, duplicate: &str) -> Result<Duplicate, ConsoleError> {
        let duplicate: DuplicateId = id("duplicate", duplicate)?;
        let found = self.service.stores.ledger.duplicate(duplicate).await;
        let found = found.map_err(unavailable)?;
        found.ok_or_else(|| not_found("duplicate"))
    }

    /// The reply in which the agent went on, and its texts.
    pub(super) async fn said(
        &self,
        sight: Sight,
        reply: gate::ReplyId,
    ) -> Result<Option<(ReplyId, Vec<Personal>)>, ConsoleError> {
        let found = self.service.stores.views.replies_by_id(&[reply]).await;
        let found = found.map_err(unavailable)?.pop();
        Ok(found.map(|reply| {
            let texts = reply.parts.iter().map(|part| masking::text(sight, part));
            (reply.id.to_string().into(), texts.collect())
        }))
    }

    /// The calls that were held back while these replies to a message were made.
    pub(super) async fn avoided_for(
        &self,
        sight: Sight,
        message: &MessageView,
        replies: &[ReplyView],
    ) -> Result<Vec<DuplicateRow>, ConsoleError> {
        let query = DuplicateQuery {
            session: Some(message.session),
            from: Some(message.received_at),
            limit: OF_MESSAGE,
            ..DuplicateQuery::default()
        };
        let found = self.service.stores.ledger.duplicates(&query).await;
        let is_of_it = |record: &Duplicate| {
            let mut own = replies.iter().map(|reply| reply.id);
            own.any(|reply| record.said == Some(reply))
        };
        let mut found = found.map_err(unavailable)?;
        found.retain(is_of_it);
        self.duplicate_lines(sight, &found).await
    }

    /// The lines of these records.
    pub(super) async fn duplicate_lines(
        &self,
        sight: Sight,
        found: &[Duplicate],
    ) -> Result<Vec<DuplicateRow>, ConsoleError> {
        let known = self.known(found).await?;
        let line = |record: &Duplicate| {
            let is_known = known.contains(&record.call.whom.session());
            row(sight, record, is_known)
        };
        Ok(found.iter().map(line).collect())
    }

    /// Those of the records' sessions that exist: an agent elsewhere may call for somebody who never wrote here.
    pub(super) async fn known(
        &self,
        found: &[Duplicate],
    ) -> Result<HashSet<gate::SessionId>, ConsoleError> {
        let sessions: HashSet<gate::SessionId> = found
            .iter()
            .map(|record| record.call.whom.session())
            .collect();
        self.known_among(sessions).await
    }

    /// Those of these sessions that exist.
    pub(super) async fn known_among(
        &self,
        sessions: HashSet<gate::SessionId>,
    ) -> Result<HashSet<gate::SessionId>, ConsoleError> {
        let sessions: Vec<gate::SessionId> = sessions.into_iter().collect();
        let summaries = self.service.stores.views.session_summaries(&sessions).await;
        let summaries = summaries.map_err(unavailable)?;
        Ok(summaries.into_iter().map(|summary| summary.id).collect())
    }
}
