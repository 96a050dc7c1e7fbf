//! The area of avoided duplicates: the guard's ledger, with texts masked.

use async_trait::async_trait;
use replygate_app::console::Duplicates;
use replygate_app::view::{
    ArgumentRow, Caller, ConsoleError, DuplicateDeed, DuplicateDetail, DuplicateFilter,
    DuplicateRow, DuplicateVerdict, FirstCall, OpinionWord, Page, PageQuery, Permission, Personal,
    SessionId, UnknownCall,
};
use replygate_gate::tools::{CallState, Opinion, differences};
use replygate_gate::{ActionId, DuplicateId, SessionKey};
use replygate_ports::ledger::{
    By, Call, CallQuery, Duplicate, DuplicateQuery, LedgerError, NewPass, Settlement, Verdict,
};
use replygate_ports::views::SessionQuery;
use serde_json::Value;

use super::{ServerConsole, at, channel, cursor, id, masking, not_found, unavailable};
use crate::activity::Entry;

/// So many calls of unknown outcome are shown at once.
const UNKNOWN: u32 = 20;
/// Leave for one more call ends unused after an hour.
const PASS_MS: u64 = 3_600_000;

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
            after: after.map(|(at, id)| (at, DuplicateId(id))),
            limit,
            ..DuplicateQuery::default()
        };
        let found = self.service.stores.ledger.duplicates(&query).await;
        let found = found.map_err(unavailable)?;
        let last = found.last().filter(|_| found.len() == limit as usize);
        Ok(Page {
            next: last.map(|last| cursor::behind(last.call.at, last.call.id.0)),
            rows: found.iter().map(|found| row(who, found)).collect(),
            as_of,
            total: None,
        })
    }

    async fn unknown_calls(&self, who: &Caller) -> Result<Vec<UnknownCall>, ConsoleError> {
        who.need(Permission::See)?;
        let query = CallQuery {
            states: vec![CallState::Unknown],
            limit: UNKNOWN,
            ..CallQuery::default()
        };
        let found = self.service.stores.ledger.calls(&query).await;
        let found = found.map_err(unavailable)?;
        // What another call took the place of is nobody's question any more.
        let open = found.iter().filter(|call| call.entry.is_live());
        Ok(open
            .map(|call| UnknownCall {
                id: call.entry.action.to_string(),
                tool: call.tool.clone(),
                channel: channel(&call.whom.channel),
                contact: masking::contact(who, &call.whom.contact),
                at: at(call.entry.reserved_at),
                code: call.code.clone(),
            })
            .collect())
    }

    async fn duplicate(
        &self,
        who: &Caller,
        duplicate: String,
    ) -> Result<DuplicateDetail, ConsoleError> {
        who.need(Permission::See)?;
        let found = self.record(&duplicate).await?;
        let said = match found.said {
            Some(reply) => self.said(who, reply).await?,
            None => None,
        };
        let session = self.session_of(&found.call.whom).await?;
        let comparison = &found.call.comparison;
        let compared = comparison.compared.iter();
        Ok(DuplicateDetail {
            row: row(who, &found),
            session,
            first: found.first.as_ref().map(|call| first(who, call)),
            arguments: arguments(who, &found),
            compared: compared
                .map(|field| (field.name.clone(), masking::text(who, &field.value)))
                .collect(),
            recipe: comparison.recipe.clone(),
            missing: comparison.missing.clone(),
            note: masking::text(who, &found.call.note),
            said,
            as_of: self.time(),
        })
    }

    async fn judge(
        &self,
        who: &Caller,
        deed: DuplicateDeed,
        word: OpinionWord,
    ) -> Result<(), ConsoleError> {
        who.need(Permission::Verdict)?;
        let found = self.record(&deed.id).await?;
        let verdict = Verdict {
            opinion: opinion(word),
            comment: deed.reason.clone(),
            by: who.name.clone(),
            at: self.service.stores.clock.now(),
        };
        let judged = self
            .service
            .stores
            .ledger
            .judge(found.call.id, verdict)
            .await;
        judged.map_err(refused)?;
        let before = found
            .verdict
            .map(|verdict| verdict.opinion.as_str().to_owned());
        let after = Some(word.stored().to_owned());
        self.done(who, entry("verdict", &deed, before, after)).await;
        Ok(())
    }

    async fn allow_once(&self, who: &Caller, deed: DuplicateDeed) -> Result<(), ConsoleError> {
        who.need(Permission::AllowOnce)?;
        let by = by(who, &deed)?;
        let found = self.record(&deed.id).await?;
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
        settled.map_err(refused)?;
        let before = Some("unknown".to_owned());
        self.done(who, entry("settle", &deed, before, Some(after.to_owned())))
            .await;
        Ok(())
    }
}

impl ServerConsole {
    async fn record(&self, duplicate: &str) -> Result<Duplicate, ConsoleError> {
        let duplicate: DuplicateId = id("duplicate", duplicate)?;
        let found = self.service.stores.ledger.duplicate(duplicate).await;
        let found = found.map_err(unavailable)?;
        found.ok_or_else(|| not_found("duplicate"))
    }

    async fn said(
        &self,
        who: &Caller,
        reply: replygate_gate::ReplyId,
    ) -> Result<Option<(replygate_app::view::ReplyId, Vec<Personal>)>, ConsoleError> {
        let found = self.service.stores.views.replies_by_id(&[reply]).await;
        let found = found.map_err(unavailable)?.pop();
        Ok(found.map(|reply| {
            let texts = reply.parts.iter().map(|part| masking::text(who, part));
            (reply.id.to_string().into(), texts.collect())
        }))
    }

    async fn session_of(&self, key: &SessionKey) -> Result<Option<SessionId>, ConsoleError> {
        let query = SessionQuery {
            channel: Some(key.channel.clone()),
            contact: Some(key.contact.clone()),
            limit: 20,
            ..SessionQuery::default()
        };
        let found = self.service.stores.views.sessions(&query).await;
        let found = found.map_err(unavailable)?;
        let session = found.into_iter().find(|session| session.stored.key == *key);
        Ok(session.map(|session| session.id.to_string().into()))
    }
}

fn row(who: &Caller, found: &Duplicate) -> DuplicateRow {
    let call = &found.call;
    let differs = found.first.as_ref().map(|first| {
        let each = differences(&first.arguments, &call.arguments).into_iter();
        each.map(|difference| difference.path).collect()
    });
    DuplicateRow {
        id: call.id.to_string(),
        at: at(call.at),
        tool: call.tool.clone(),
        channel: channel(&call.whom.channel),
        contact: masking::contact(who, &call.whom.contact),
        avoided: call.avoided.as_str().to_owned(),
        age_ms: call.age_ms,
        compared: call
            .comparison
            .compared
            .iter()
            .map(|field| field.name.clone())
            .collect(),
        differs: differs.unwrap_or_default(),
        verdict: found.verdict.as_ref().map(|verdict| DuplicateVerdict {
            word: word(verdict.opinion),
            comment: verdict.comment.clone(),
            by: verdict.by.clone(),
            at: at(verdict.at),
        }),
    }
}

fn first(who: &Caller, call: &Call) -> FirstCall {
    FirstCall {
        id: call.entry.action.to_string(),
        at: at(call.entry.reserved_at),
        state: call.entry.state.as_str().to_owned(),
        result: call
            .result
            .as_ref()
            .filter(|result| !result.is_null())
            .map(|result| masking::text(who, &result.to_string())),
        window_ms: call.entry.guarding.window_ms,
        settled_by: call.settled_by.clone(),
    }
}

/// Both calls' arguments by path.
fn arguments(who: &Caller, found: &Duplicate) -> Vec<ArgumentRow> {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    if let Some(call) = &found.first {
        leaves(&call.arguments, String::new(), &mut before);
    }
    leaves(&found.call.arguments, String::new(), &mut after);
    let mut paths: Vec<&String> = after.iter().chain(&before).map(|(path, _)| path).collect();
    paths.sort();
    paths.dedup();
    let at = |side: &[(String, String)], path: &str| {
        let found = side.iter().find(|(own, _)| own == path);
        found.map(|(_, value)| value.clone())
    };
    let ignored = &found.call.comparison.ignored;
    paths
        .into_iter()
        .map(|path| {
            let (first, second) = (at(&before, path), at(&after, path));
            ArgumentRow {
                path: path.clone(),
                is_ignored: ignored.contains(path),
                differs: found.first.is_some() && first != second,
                first: first.map(|value| masking::text(who, &value)),
                second: second.map(|value| masking::text(who, &value)),
            }
        })
        .collect()
}

/// Every value that holds no other, by path; a list is one value.
fn leaves(value: &Value, path: String, found: &mut Vec<(String, String)>) {
    match value {
        Value::Object(table) if !table.is_empty() => {
            for (name, value) in table {
                let path = if path.is_empty() {
                    name.clone()
                } else {
                    format!("{path}.{name}")
                };
                leaves(value, path, found);
            }
        }
        Value::String(text) => found.push((path, text.clone())),
        other => found.push((path, other.to_string())),
    }
}

const fn opinion(word: OpinionWord) -> Opinion {
    match word {
        OpinionWord::Right => Opinion::Right,
        OpinionWord::ShouldHaveRun => Opinion::ShouldHaveRun,
        OpinionWord::Unsure => Opinion::Unsure,
    }
}

const fn word(opinion: Opinion) -> OpinionWord {
    match opinion {
        Opinion::Right => OpinionWord::Right,
        Opinion::ShouldHaveRun => OpinionWord::ShouldHaveRun,
        Opinion::Unsure => OpinionWord::Unsure,
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
    Ok(By {
        name: who.name.clone(),
        reason: deed.reason.clone(),
        request_id: deed.request_id.0.clone(),
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
