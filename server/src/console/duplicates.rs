//! The area of avoided duplicates: the guard's ledger, with texts masked.

use async_trait::async_trait;
use replygate_app::console::{Activity, Duplicates};
use replygate_app::view as seen;
use replygate_app::view::{
    ActivityFilter, Caller, ConsoleError, DuplicateDeed, DuplicateDetail, DuplicateFilter,
    DuplicateRow, GuardFigures, OpinionWord, Page, PageQuery, Permission, SettledCall, UnknownCall,
    VeiledList,
};
use replygate_gate::tools::{CallState, Settled};
use replygate_gate::{self as gate, ActionId, DuplicateId};
use replygate_ports::activity::ActivityQuery;
use replygate_ports::feed::News;
use replygate_ports::ledger::{
    By, CallQuery, Duplicate, DuplicateQuery, Judged, LedgerError, NewPass, Settlement, Verdict,
};
use replygate_ports::tools::Effect;
use serde_json::Value;

use super::compared::{arguments, first, opinion, row, what};
use super::{ServerConsole, at, channel, cursor, id, masking, not_found, unavailable};
use crate::activity::Entry;

/// So many calls of unknown outcome are shown at once.
const UNKNOWN: u32 = 20;
/// Leave for one more call ends unused after an hour.
const PASS_MS: u64 = 3_600_000;
/// The longest reason or comment, in characters.
const LONGEST_REASON: usize = 500;
/// So many deeds of people stand on a record's page.
const DEEDS: u16 = 20;

#[async_trait]
impl Duplicates for ServerConsole {
    async fn duplicates(
        &self,
        who: &Caller,
        filter: DuplicateFilter,
        page: PageQuery,
    ) -> Result<Page<DuplicateRow>, ConsoleError> {
        who.need(Permission::See)?;
        let as_of = self.time();
        let limit = cursor::limit(&page);
        let after = cursor::read(page.after.as_ref())?;
        let query = DuplicateQuery {
            tool: filter.tool,
            channel: filter.channel,
            opinion: filter.verdict.map(opinion),
            unjudged_only: filter.unjudged,
            from: filter.from.map(|at| gate::At(at.0)),
            to: filter.to.map(|at| gate::At(at.0)),
            after: after.map(|(at, id)| (at, DuplicateId(id))),
            limit,
            ..DuplicateQuery::default()
        };
        let ledger = &self.service.stores.ledger;
        let found = ledger.duplicates(&query).await.map_err(unavailable)?;
        let last = found.last().filter(|_| found.len() == limit as usize);
        let sight = self.sight(who, VeiledList::Duplicates).await?;
        Ok(Page {
            next: last.map(|last| cursor::behind(last.call.at, last.call.id.0)),
            rows: self.duplicate_lines(sight, &found).await?,
            as_of,
            total: self
                .counted(|most| ledger.count_duplicates(&query, most))
                .await,
        })
    }

    async fn duplicate_rows(
        &self,
        who: &Caller,
        ids: Vec<String>,
    ) -> Result<Page<DuplicateRow>, ConsoleError> {
        who.need(Permission::See)?;
        let as_of = self.time();
        let mut found = Vec::new();
        for id in ids.iter().take(usize::from(PageQuery::MOST)) {
            let Ok(id) = id.parse::<DuplicateId>() else {
                continue;
            };
            let record = self.service.stores.ledger.duplicate(id).await;
            found.extend(record.map_err(unavailable)?);
        }
        let sight = self.sight(who, VeiledList::Duplicates).await?;
        Ok(Page {
            rows: self.duplicate_lines(sight, &found).await?,
            next: None,
            as_of,
            total: None,
        })
    }

    async fn guard_figures(&self, who: &Caller) -> Result<Option<GuardFigures>, ConsoleError> {
        who.need(Permission::See)?;
        self.figures_of_guard().await
    }

    async fn tool_names(&self, who: &Caller) -> Result<Vec<String>, ConsoleError> {
        who.need(Permission::See)?;
        let tools = self.service.engine.toolbox().tools();
        let guarded = tools
            .iter()
            .filter(|live| live.tool.effect == Effect::Write);
        let mut names: Vec<String> = guarded.map(|live| live.tool.name.clone()).collect();
        names.sort_unstable();
        Ok(names)
    }

    async fn unknown_calls(&self, who: &Caller) -> Result<Vec<UnknownCall>, ConsoleError> {
        who.need(Permission::See)?;
        let query = CallQuery {
            states: vec![CallState::Unknown],
            live_only: true,
            limit: UNKNOWN,
            ..CallQuery::default()
        };
        let found = self.service.stores.ledger.calls(&query).await;
        let sight = self.sight(who, VeiledList::Duplicates).await?;
        let found = found.map_err(unavailable)?;
        Ok(found
            .iter()
            .map(|call| UnknownCall {
                id: call.entry.action.to_string(),
                tool: call.tool.clone(),
                channel: channel(&call.whom.channel),
                contact: masking::contact(sight, &call.whom.contact),
                what: what(sight, &call.comparison),
                at: at(call.entry.reserved_at),
                code: call.code.clone(),
            })
            .collect())
    }

    async fn settlement(
        &self,
        who: &Caller,
        call: String,
    ) -> Result<Option<SettledCall>, ConsoleError> {
        who.need(Permission::See)?;
        let Ok(action) = call.parse::<ActionId>() else {
            return Ok(None);
        };
        let found = self.service.stores.ledger.call(action).await;
        Ok(found.map_err(unavailable)?.and_then(|call| {
            Some(SettledCall {
                tool: call.tool,
                happened: call.entry.state == CallState::Done,
                by: call.settled_by?,
            })
        }))
    }

    async fn duplicate(
        &self,
        who: &Caller,
        duplicate: String,
    ) -> Result<DuplicateDetail, ConsoleError> {
        who.need(Permission::See)?;
        let found = self.record(&duplicate).await?;
        let is_known = !self.known(std::slice::from_ref(&found)).await?.is_empty();
        let sight = if is_known {
            self.sight_of(who, found.call.whom.session()).await?
        } else {
            self.sight(who, VeiledList::Duplicates).await?
        };
        let said = match found.said {
            Some(reply) => self.said(sight, reply).await?,
            None => None,
        };
        let deeds = ActivityFilter {
            object: Some(found.call.id.to_string()),
            ..ActivityFilter::default()
        };
        let newest = PageQuery {
            limit: DEEDS,
            ..PageQuery::first()
        };
        let comparison = &found.call.comparison;
        let compared = comparison.compared.iter();
        Ok(DuplicateDetail {
            row: row(sight, &found, is_known),
            first: found.first.as_ref().map(|call| first(sight, call)),
            arguments: arguments(sight, &found),
            compared: compared
                .map(|field| (field.name.clone(), masking::text(sight, &field.value)))
                .collect(),
            recipe: comparison.recipe.clone(),
            missing: comparison.missing.clone(),
            said,
            deeds: self.activity(who, deeds, newest).await?.rows,
            as_of: self.time(),
        })
    }

    async fn judge(
        &self,
        who: &Caller,
        deed: DuplicateDeed,
        seen: Option<seen::At>,
        word: OpinionWord,
    ) -> Result<(), ConsoleError> {
        who.need(Permission::Verdict)?;
        is_short(&deed)?;
        let found = self.record(&deed.id).await?;
        if self.was_done(&deed).await? {
            return Ok(());
        }
        let seen = seen.map(|at| gate::At(at.0));
        let now = self.service.stores.clock.now();
        let verdict = Verdict {
            opinion: opinion(word),
            comment: deed.reason.clone(),
            by: who.name.clone(),
            // Verdicts are told apart by their times.
            at: seen.map_or(now, |seen| now.max(seen.plus(1))),
        };
        let ledger = &self.service.stores.ledger;
        let judged = ledger.judge(found.call.id, seen, verdict.clone()).await;
        match judged.map_err(refused)? {
            Judged::Now => {}
            // This very form, a moment ago.
            Judged::Other(Some(other)) if is_same(&other, &verdict) => return Ok(()),
            Judged::Other(other) => return Err(overtaken(other)),
        }
        let before = found
            .verdict
            .as_ref()
            .map(|verdict| verdict.opinion.as_str().to_owned());
        let after = Some(word.stored().to_owned());
        self.done(who, entry("verdict", &deed, before, after)).await;
        self.tell(&found).await;
        Ok(())
    }

    async fn allow_once(&self, who: &Caller, deed: DuplicateDeed) -> Result<(), ConsoleError> {
        who.need(Permission::AllowOnce)?;
        let by = by(who, &deed)?;
        let found = self.record(&deed.id).await?;
        if self.was_done(&deed).await? {
            return Ok(());
        }
        let now = self.service.stores.clock.now();
        let pass = NewPass {
            fingerprint: found.call.fingerprint,
            at: now,
            until: now.plus(PASS_MS),
            by,
        };
        let allowed = self.service.stores.ledger.allow_once(pass).await;
        allowed.map_err(unavailable)?;
        let after = Some("one call more, within an hour".to_owned());
        self.done(who, entry("allow_once", &deed, None, after))
            .await;
        Ok(())
    }

    async fn settle_call(
        &self,
        who: &Caller,
        deed: DuplicateDeed,
        happened: bool,
    ) -> Result<(), ConsoleError> {
        who.need(Permission::ActOnOne)?;
        let by = by(who, &deed)?;
        let action: ActionId = id("call", &deed.id)?;
        let (settlement, after) = if happened {
            let result = Value::Null;
            (Settlement::Done { result }, "done")
        } else {
            let code = "not_happened".to_owned();
            (Settlement::Failed { code }, "failed")
        };
        let moment = self.service.engine.guard().moment();
        let ledger = &self.service.stores.ledger;
        let settled = ledger.settle_by(action, settlement, by, &moment).await;
        if settled.map_err(refused)? == Settled::Before {
            return Ok(());
        }
        let before = Some("unknown".to_owned());
        self.done(who, entry("settle", &deed, before, Some(after.to_owned())))
            .await;
        Ok(())
    }
}

impl ServerConsole {
    /// Whether this very form did it already.
    async fn was_done(&self, deed: &DuplicateDeed) -> Result<bool, ConsoleError> {
        let query = ActivityQuery {
            object: Some(deed.id.clone()),
            limit: u32::from(PageQuery::MOST),
            ..ActivityQuery::default()
        };
        let entries = self.service.stores.activity.entries(&query).await;
        let request = Some(&deed.request_id.0);
        Ok(entries
            .map_err(unavailable)?
            .iter()
            .any(|entry| entry.activity.request_id.as_ref() == request))
    }

    /// Lets other consoles show it as it is now.
    async fn tell(&self, found: &Duplicate) {
        let call = &found.call;
        let news = News::Duplicate {
            duplicate: call.id,
            session: call.whom.session(),
            channel: call.whom.channel.clone(),
            at: call.at,
        };
        self.service.stores.feed.publish(news).await;
    }
}

fn is_same(one: &Verdict, other: &Verdict) -> bool {
    let told = |verdict: &Verdict| (verdict.opinion, verdict.comment.clone(), verdict.by.clone());
    told(one) == told(other)
}

/// Another verdict stands than the one that was seen.
fn overtaken(stands: Option<Verdict>) -> ConsoleError {
    ConsoleError::Conflict {
        now: stands.as_ref().map_or_else(
            || "unjudged".to_owned(),
            |verdict| verdict.opinion.as_str().to_owned(),
        ),
        by: stands.as_ref().map(|verdict| verdict.by.clone()),
        at: stands.map(|verdict| at(verdict.at)),
    }
}

fn by(who: &Caller, deed: &DuplicateDeed) -> Result<By, ConsoleError> {
    if deed.reason.is_none() {
        return Err(ConsoleError::Invalid {
            field: "reason".to_owned(),
            value: String::new(),
            allowed: "why".to_owned(),
        });
    }
    is_short(deed)?;
    Ok(By {
        name: who.name.clone(),
        reason: deed.reason.clone(),
        request_id: deed.request_id.0.clone(),
    })
}

fn is_short(deed: &DuplicateDeed) -> Result<(), ConsoleError> {
    let length = deed.reason.as_ref().map_or(0, |text| text.chars().count());
    if length <= LONGEST_REASON {
        return Ok(());
    }
    Err(ConsoleError::Invalid {
        field: "reason".to_owned(),
        value: format!("{length} characters"),
        allowed: format!("at most {LONGEST_REASON} characters"),
    })
}

fn entry(verb: &str, deed: &DuplicateDeed, before: Option<String>, after: Option<String>) -> Entry {
    Entry {
        verb: verb.to_owned(),
        object: deed.id.clone(),
        before,
        after,
        reason: deed.reason.clone(),
        request_id: Some(deed.request_id.0.clone()),
    }
}

fn refused(error: LedgerError) -> ConsoleError {
    match error {
        LedgerError::NoSuch => not_found("call"),
        LedgerError::Refused(refusal) => ConsoleError::Conflict {
            now: refusal.to_string(),
            by: None,
            at: None,
        },
        LedgerError::Store(error) => unavailable(error),
    }
}
