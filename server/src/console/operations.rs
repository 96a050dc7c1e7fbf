//! The area of operations: plans on a frozen set, and their steering. Carrying them out is [`runs`](super::runs)'
//! business.

use std::collections::HashSet;

use async_trait::async_trait;
use replygate_app::console::Operations;
use replygate_app::view::{
    Caller, ChannelRef, Choice, ConsoleError, Cursor, ItemWord, OperationDetail, OperationId,
    OperationItem, OperationRow, OperationWord, Pace, Page, PageQuery, ParkedFilter, Permission,
    PlanAsked, PlanSet, PlanSummary, ReplyId, Steer, SteerAsked, Weight,
};
use replygate_gate as gate;
use replygate_ports::operations::{
    self as ports, ChangeError, Item, ItemState, Operation, OperationState, OperationVerb,
    PlanError,
};
use replygate_ports::views::ReplyView;

use super::{ServerConsole, at, channel, cursor, id, not_found, unavailable};
use crate::activity::Entry;

/// A plan that was not started within this time has to be made anew: fifteen minutes.
pub(super) const PLAN_LIFE_MS: u64 = 900_000;
/// No operation is about more replies.
const MOST: usize = 10_000;
/// Replies are looked up in portions.
const PORTION: usize = 200;
/// How often a change that somebody else was faster with is tried again.
const TRIES: usize = 20;

#[async_trait]
impl Operations for ServerConsole {
    async fn plan(&self, who: &Caller, asked: PlanAsked) -> Result<OperationId, ConsoleError> {
        who.need(Permission::ActOnMany)?;
        let verb = verb(asked.choice)?;
        let set = match asked.set {
            PlanSet::Picked(picks) => self.picked(&picks).await?,
            PlanSet::Matching { filter, as_of } => self.all_matching(who, &filter, as_of).await?,
        };
        limit(who, set.len())?;
        let items = self.items(asked.choice, set).await?;
        let now = self.service.stores.clock.now();
        let planned = Operation {
            id: gate::OperationId(self.new_id()),
            version: 1,
            request_id: asked.request_id.0,
            verb,
            state: OperationState::Planned,
            by: who.name.clone(),
            reason: None,
            pace: pace(Pace::usual(items.len() as u32)),
            planned_at: now,
            started_at: None,
            ended_at: None,
            counts: std::collections::BTreeMap::new(),
        };
        let new = planned.id;
        let entry = Entry {
            verb: "plan".to_owned(),
            object: new.to_string(),
            after: Some(format!("{} of {} replies", verb.as_str(), items.len())),
            request_id: Some(planned.request_id.clone()),
            ..Entry::default()
        };
        match self.service.stores.operations.plan(planned, items).await {
            Ok(()) => {
                self.done(who, entry).await;
                Ok(new.to_string().into())
            }
            Err(PlanError::Repeated(first)) => Ok(first.to_string().into()),
            Err(PlanError::Store(error)) => Err(unavailable(error)),
        }
    }

    async fn operations(
        &self,
        who: &Caller,
        page: PageQuery,
    ) -> Result<Page<OperationRow>, ConsoleError> {
        who.need(Permission::See)?;
        let as_of = self.time();
        let after = cursor::read(page.after.as_ref())?;
        let limit = cursor::limit(&page);
        let after = after.map(|(at, id)| (at, gate::OperationId(id)));
        let found = self
            .service
            .stores
            .operations
            .operations(after, limit)
            .await;
        let found = found.map_err(unavailable)?;
        let last = found.last().filter(|_| found.len() == limit as usize);
        Ok(Page {
            next: last.map(|last| cursor::behind(last.planned_at, last.id.0)),
            rows: found
                .iter()
                .map(|operation| self.row_of(operation))
                .collect(),
            as_of,
            total: None,
        })
    }

    async fn operation(
        &self,
        who: &Caller,
        wanted: OperationId,
        outcome: Option<ItemWord>,
        page: PageQuery,
    ) -> Result<OperationDetail, ConsoleError> {
        who.need(Permission::See)?;
        let as_of = self.time();
        let found = self.found(&wanted).await?;
        let after = cursor::number(page.after.as_ref())?;
        let after = after.map(|place| u32::try_from(place).unwrap_or(u32::MAX));
        let limit = cursor::limit(&page);
        let state = outcome.map(state);
        let stores = &self.service.stores;
        let items = stores.operations.items(found.id, state, after, limit).await;
        let items = items.map_err(unavailable)?;
        let next = items.last().filter(|_| items.len() == limit as usize);
        let plan = match found.state {
            OperationState::Planned => Some(self.summary_of(&found).await?),
            _ => None,
        };
        Ok(OperationDetail {
            row: self.row_of(&found),
            plan,
            behind: self.behind(&found).await?,
            items: Page {
                next: next.map(|item| Cursor(item.place.to_string())),
                rows: items.iter().map(shown).collect(),
                as_of,
                total: None,
            },
        })
    }

    async fn steer(&self, who: &Caller, asked: SteerAsked) -> Result<(), ConsoleError> {
        who.need(Permission::ActOnMany)?;
        for _ in 0..TRIES {
            let found = self.found(&asked.operation).await?;
            let before = found.state;
            let Some(next) = self.steered(&found, &asked).await? else {
                return Ok(());
            };
            let entry = Entry {
                verb: format!("{}_operation", asked.steer.stored()),
                object: found.id.to_string(),
                before: Some(before.as_str().to_owned()),
                after: Some(next.state.as_str().to_owned()),
                reason: asked.reason.clone(),
                ..Entry::default()
            };
            match self.service.stores.operations.change(next).await {
                Ok(version) => {
                    self.went_on(found.id, version).await;
                    self.wake_runs();
                    self.done(who, entry).await;
                    return Ok(());
                }
                // The run goes on meanwhile, so its version moves: look again.
                Err(ChangeError::Conflict) => {}
                Err(ChangeError::Store(error)) => return Err(unavailable(error)),
            }
        }
        Err(ConsoleError::Unavailable)
    }
}

impl ServerConsole {
    pub(super) async fn found(&self, wanted: &OperationId) -> Result<Operation, ConsoleError> {
        let wanted: gate::OperationId = id("operation", wanted.as_str())?;
        let found = self.service.stores.operations.operation(wanted).await;
        found
            .map_err(unavailable)?
            .ok_or_else(|| not_found("operation"))
    }

    /// The operation after a turn of the wheel; `None` where it is so already.
    async fn steered(
        &self,
        found: &Operation,
        asked: &SteerAsked,
    ) -> Result<Option<Operation>, ConsoleError> {
        use OperationState::{Halted, Paused, Planned, Running, Stopped, Waiting};
        let now = self.service.stores.clock.now();
        let next = |state| Operation {
            state,
            ..found.clone()
        };
        let changed = match (asked.steer, found.state) {
            (Steer::Start, Planned) => {
                if now.since(found.planned_at) > PLAN_LIFE_MS {
                    return Err(conflict(OperationWord::Expired, found));
                }
                self.may_start(found, asked).await?;
                Operation {
                    reason: asked.reason.clone(),
                    pace: checked_pace(asked.pace)?,
                    started_at: Some(now),
                    ..next(Running)
                }
            }
            (Steer::Start | Steer::Resume, Running | Waiting)
            | (Steer::Pause, Paused)
            | (Steer::Stop, Stopped) => return Ok(None),
            (Steer::Pause, Running | Waiting) => next(Paused),
            (Steer::Resume, Paused) => next(Running),
            // Whoever goes on after a halt has seen what came back: it does not halt for that again.
            (Steer::Resume, Halted) => Operation {
                pace: ports::Pace {
                    first: 0,
                    halt_percent: 100,
                    ..found.pace
                },
                ..next(Running)
            },
            (Steer::Stop, Planned | Running | Waiting | Paused | Halted) => Operation {
                ended_at: Some(now),
                ..next(Stopped)
            },
            _ => return Err(conflict(self.word(found), found)),
        };
        Ok(Some(changed))
    }

    /// What a start needs besides the plan: a reason for more than one, and the number where it is asked for.
    async fn may_start(&self, found: &Operation, asked: &SteerAsked) -> Result<(), ConsoleError> {
        let ready = found.count(ItemState::Ready);
        let reason = asked.reason.as_deref().map(str::trim).unwrap_or_default();
        if ready > 1 && reason.is_empty() {
            return Err(wrong(
                "reason",
                "",
                "why this is done with more than one reply",
            ));
        }
        if ready == 0 {
            return Err(wrong(
                "plan",
                "0",
                "at least one reply that can be acted on",
            ));
        }
        let typed = asked.typed.as_deref().map(str::trim).unwrap_or_default();
        if self.summary_of(found).await?.asks_for_the_number() && typed != ready.to_string() {
            return Err(wrong(
                "typed",
                typed,
                &format!("the number of replies, {ready}"),
            ));
        }
        Ok(())
    }

    /// What was picked, as it is now. One that changed since is in the set, to be skipped by name.
    async fn picked(
        &self,
        picks: &[(ReplyId, u32)],
    ) -> Result<Vec<(ReplyView, u32)>, ConsoleError> {
        let mut set = Vec::with_capacity(picks.len());
        let mut seen = HashSet::new();
        for portion in picks.chunks(PORTION) {
            let ids: Vec<gate::ReplyId> = portion
                .iter()
                .filter_map(|(reply, _)| reply.as_str().parse().ok())
                .collect();
            let views = self.service.stores.views.replies_by_id(&ids).await;
            for view in views.map_err(unavailable)? {
                let name = view.id.to_string();
                let pick = portion.iter().find(|(reply, _)| *reply.0 == name);
                if let Some((_, generation)) = pick
                    && seen.insert(view.id)
                {
                    set.push((view, *generation));
                }
            }
        }
        Ok(set)
    }

    /// All that match and came to wait no later than `as_of`.
    async fn all_matching(
        &self,
        who: &Caller,
        filter: &ParkedFilter,
        as_of: replygate_app::view::At,
    ) -> Result<Vec<(ReplyView, u32)>, ConsoleError> {
        if filter.is_empty() {
            return Err(wrong("filter", "", "at least one term, or single replies"));
        }
        let mut set = Vec::new();
        let mut page = PageQuery {
            after: None,
            limit: PageQuery::MOST,
        };
        loop {
            let (rows, next) = self.waiting(who, filter, &page).await?;
            let picks: Vec<(ReplyId, u32)> = rows
                .into_iter()
                .filter(|row| row.since <= as_of)
                .map(|row| (row.reply, row.generation))
                .collect();
            set.extend(self.picked(&picks).await?);
            if set.len() > MOST {
                return Err(wrong(
                    "filter",
                    &set.len().to_string(),
                    "at most 10000 replies",
                ));
            }
            match next {
                Some((at, id)) => page.after = Some(cursor::behind(at, id.0)),
                None => return Ok(set),
            }
        }
    }

    /// The set in the order of acting, oldest first, each with what speaks against it.
    async fn items(
        &self,
        choice: Choice,
        mut set: Vec<(ReplyView, u32)>,
    ) -> Result<Vec<Item>, ConsoleError> {
        set.sort_by_key(|(view, _)| (view.created_at, view.id));
        let now = self.service.stores.clock.now();
        let mut items = Vec::with_capacity(set.len());
        for (place, (view, generation)) in set.iter().enumerate() {
            let summary = self.summary(&view.session.to_string()).await?;
            let (state, code) = if view.generation == *generation {
                self.standing(choice, view).await?
            } else {
                (ItemState::Skipped, Some("changed".to_owned()))
            };
            items.push(Item {
                place: place as u32,
                reply: view.id,
                generation: *generation,
                session: view.session,
                channel: summary.stored.key.channel,
                state,
                code,
                at: now,
            });
        }
        Ok(items)
    }

    /// Whether a reply can be acted on now, and what is noticed about that.
    pub(super) async fn standing(
        &self,
        choice: Choice,
        view: &ReplyView,
    ) -> Result<(ItemState, Option<String>), ConsoleError> {
        if !super::parked::WAITING.contains(&view.status) {
            return Ok((ItemState::Skipped, Some("changed".to_owned())));
        }
        let summary = self.summary(&view.session.to_string()).await?;
        let findings = self.findings(view, &summary).await?;
        let checks = findings.checks();
        let against = checks.iter().find(|check| check.against.contains(&choice));
        let Some(check) = against else {
            return Ok((ItemState::Ready, None));
        };
        let code = Some(check.word.stored().to_owned());
        match check.weight {
            Weight::Refuses | Weight::Blocks => Ok((ItemState::Skipped, code)),
            _ => Ok((ItemState::Ready, code)),
        }
    }

    /// What a plan says: who gets something, who does not, and what was noticed.
    async fn summary_of(&self, operation: &Operation) -> Result<PlanSummary, ConsoleError> {
        let stores = &self.service.stores;
        let (mut channels, mut skipped, mut noticed) = (Vec::new(), Vec::new(), Vec::new());
        let mut written: Option<(gate::At, gate::At)> = None;
        let mut after = None;
        loop {
            let items = stores
                .operations
                .items(operation.id, None, after, PORTION as u32);
            let items = items.await.map_err(unavailable)?;
            let Some(last) = items.last() else { break };
            after = Some(last.place);
            let ready: Vec<gate::ReplyId> = items
                .iter()
                .filter(|item| item.state == ItemState::Ready)
                .map(|item| item.reply)
                .collect();
            for view in stores
                .views
                .replies_by_id(&ready)
                .await
                .map_err(unavailable)?
            {
                let (from, to) = written.unwrap_or((view.created_at, view.created_at));
                written = Some((from.min(view.created_at), to.max(view.created_at)));
            }
            for item in &items {
                let code = item.code.clone();
                if item.state == ItemState::Skipped {
                    count(&mut skipped, code.unwrap_or_default());
                } else {
                    count(&mut channels, item.channel.clone());
                    if let Some(code) = code {
                        count(&mut noticed, code);
                    }
                }
            }
        }
        let channels: Vec<(ChannelRef, u32)> = channels
            .into_iter()
            .map(|(id, count): (String, u32)| (channel(&id), count))
            .collect();
        Ok(PlanSummary {
            channels,
            skipped,
            noticed,
            written: written.map(|(from, to)| (at(from), at(to))),
            expires: at(operation.planned_at.plus(PLAN_LIFE_MS)),
        })
    }

    /// The operation that is carried out first, while this one waits for it.
    async fn behind(&self, operation: &Operation) -> Result<Option<OperationId>, ConsoleError> {
        if !operation.state.is_active() {
            return Ok(None);
        }
        let active = self.service.stores.operations.active().await;
        let first = active.map_err(unavailable)?.into_iter().next();
        let first = first.filter(|first| first.id != operation.id);
        Ok(first.map(|first| first.id.to_string().into()))
    }

    fn word(&self, operation: &Operation) -> OperationWord {
        let age = self.service.stores.clock.now().since(operation.planned_at);
        match operation.state {
            OperationState::Planned if age > PLAN_LIFE_MS => OperationWord::Expired,
            OperationState::Planned => OperationWord::Planned,
            OperationState::Running => OperationWord::Running,
            OperationState::Waiting => OperationWord::Waiting,
            OperationState::Paused => OperationWord::Paused,
            OperationState::Halted => OperationWord::Halted,
            OperationState::Stopped => OperationWord::Stopped,
            OperationState::Finished => OperationWord::Finished,
        }
    }

    fn row_of(&self, operation: &Operation) -> OperationRow {
        let counts = ItemWord::ALL
            .iter()
            .map(|word| (*word, operation.count(state(*word))))
            .filter(|(_, count)| *count > 0)
            .collect();
        OperationRow {
            id: operation.id.to_string().into(),
            version: operation.version,
            choice: choice(operation.verb),
            state: self.word(operation),
            by: operation.by.clone(),
            reason: operation.reason.clone(),
            pace: Pace {
                per_minute: operation.pace.per_minute,
                first: operation.pace.first,
                halt_percent: operation.pace.halt_percent,
            },
            planned: at(operation.planned_at),
            started: operation.started_at.map(at),
            ended: operation.ended_at.map(at),
            counts,
        }
    }
}

fn count(counts: &mut Vec<(String, u32)>, word: String) {
    match counts.iter_mut().find(|(known, _)| *known == word) {
        Some((_, count)) => *count += 1,
        None => counts.push((word, 1)),
    }
}

fn shown(item: &Item) -> OperationItem {
    OperationItem {
        place: item.place,
        reply: item.reply.to_string().into(),
        session: item.session.to_string().into(),
        channel: channel(&item.channel),
        state: word(item.state),
        why: item.code.clone(),
        at: at(item.at),
    }
}

fn limit(who: &Caller, replies: usize) -> Result<(), ConsoleError> {
    if replies == 0 {
        return Err(wrong("pick", "", "at least one reply"));
    }
    match who.role.most_at_once() {
        Some(most) if replies > most as usize => Err(wrong(
            "pick",
            &replies.to_string(),
            &format!("at most {most} replies at once for your role"),
        )),
        _ => Ok(()),
    }
}

fn checked_pace(asked: Pace) -> Result<ports::Pace, ConsoleError> {
    if !(1..=6_000).contains(&asked.per_minute) {
        let value = asked.per_minute.to_string();
        return Err(wrong("per_minute", &value, "1 to 6000"));
    }
    if !(1..=100).contains(&asked.halt_percent) {
        let value = asked.halt_percent.to_string();
        return Err(wrong("halt_percent", &value, "1 to 100"));
    }
    Ok(pace(asked))
}

const fn pace(pace: Pace) -> ports::Pace {
    ports::Pace {
        per_minute: pace.per_minute,
        first: pace.first,
        halt_percent: pace.halt_percent,
    }
}

fn conflict(now: OperationWord, found: &Operation) -> ConsoleError {
    ConsoleError::Conflict {
        now: now.stored().to_owned(),
        by: Some(found.by.clone()),
        at: found.ended_at.or(found.started_at).map(at),
    }
}

fn wrong(field: &str, value: &str, allowed: &str) -> ConsoleError {
    ConsoleError::Invalid {
        field: field.to_owned(),
        value: value.to_owned(),
        allowed: allowed.to_owned(),
    }
}

fn verb(choice: Choice) -> Result<OperationVerb, ConsoleError> {
    match choice {
        Choice::Send => Ok(OperationVerb::Reprocess),
        Choice::Rerun => Ok(OperationVerb::Rerun),
        Choice::Discard => Ok(OperationVerb::Discard),
        Choice::Delivered => Err(wrong("choice", choice.stored(), "send, rerun, discard")),
    }
}

pub(super) const fn choice(verb: OperationVerb) -> Choice {
    match verb {
        OperationVerb::Reprocess => Choice::Send,
        OperationVerb::Rerun => Choice::Rerun,
        OperationVerb::Discard => Choice::Discard,
    }
}

const fn word(state: ItemState) -> ItemWord {
    match state {
        ItemState::Ready => ItemWord::Ready,
        ItemState::Skipped => ItemWord::Skipped,
        ItemState::Queued => ItemWord::Queued,
        ItemState::Delivered => ItemWord::Delivered,
        ItemState::Dropped => ItemWord::Dropped,
        ItemState::CameBack => ItemWord::CameBack,
        ItemState::Failed => ItemWord::Failed,
    }
}

const fn state(word: ItemWord) -> ItemState {
    match word {
        ItemWord::Ready => ItemState::Ready,
        ItemWord::Skipped => ItemState::Skipped,
        ItemWord::Queued => ItemState::Queued,
        ItemWord::Delivered => ItemState::Delivered,
        ItemWord::Dropped => ItemState::Dropped,
        ItemWord::CameBack => ItemState::CameBack,
        ItemWord::Failed => ItemState::Failed,
    }
}
