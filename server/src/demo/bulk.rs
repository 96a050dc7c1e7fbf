//! After the outage the operator sends again what it left on the busiest channel: plans it, tries one by itself, starts the
//! rest. All of it goes the way that a person's clicks go, so that the plan skips what the console would skip.

use replygate_app::console::Operations as _;
use replygate_app::view::{
    At, Caller, Choice, ConsoleError, OperationId, Pace, ParkedFilter, PlanAsked, PlanSet, Role,
    Steer, SteerAsked,
};
use replygate_engine::Verb;
use replygate_gate::Target;
use replygate_ports::operations::ItemState;
use replygate_ports::store::StoreError;

use super::office::{OPERATOR, Office, act};
use crate::console::IDLE;

/// Where.
const CHANNEL: &str = "shop";
/// Why.
const REASON: &str = "provider is back";

/// Plans, tries one, starts, and carries out to the end.
pub(super) async fn reprocess(office: &Office) -> Result<(), ConsoleError> {
    let dana = Caller::with_role(OPERATOR.into(), OPERATOR.to_owned(), Role::Operator);
    let planned = {
        let _reads = office.watch.call();
        plan(office, &dana).await?
    };
    {
        let _reads = office.watch.call();
        try_one(office, &planned)
            .await
            .map_err(|_| ConsoleError::Unavailable)?;
        start(office, &dana, planned).await?;
    }
    let clock = &office.service.stores.clock;
    loop {
        let pause = {
            let _reads = office.watch.call();
            office.console.pause_after_step().await
        };
        if pause == IDLE {
            return Ok(());
        }
        clock.sleep(pause).await;
    }
}

/// Everything that waits on the channel, as it is now.
async fn plan(office: &Office, dana: &Caller) -> Result<OperationId, ConsoleError> {
    let asked = PlanAsked {
        choice: Choice::Send,
        set: PlanSet::Matching {
            filter: ParkedFilter {
                channel: Some(CHANNEL.into()),
                ..ParkedFilter::default()
            },
            as_of: At(office.service.stores.clock.now().0),
        },
        request_id: format!("demo-{:032x}", office.service.stores.entropy.bits()).into(),
    };
    office.console.plan(dana, asked).await
}

/// The first of the plan is sent by itself, to see whether the provider is back; the plan then finds it changed.
async fn try_one(office: &Office, planned: &OperationId) -> Result<(), StoreError> {
    let Ok(id) = planned.as_str().parse() else {
        return Ok(());
    };
    let operations = &office.service.stores.operations;
    let first = operations
        .items(id, Some(ItemState::Ready), None, 1)
        .await?;
    for item in first {
        let target = Target {
            reply: item.reply,
            generation: item.generation,
        };
        let verb = Verb::Reprocess(target);
        act(&office.service, item.session, verb, Some(REASON)).await;
    }
    Ok(())
}

async fn start(office: &Office, dana: &Caller, operation: OperationId) -> Result<(), ConsoleError> {
    let asked = SteerAsked {
        operation,
        steer: Steer::Start,
        pace: Pace::usual(1),
        reason: Some(REASON.to_owned()),
        typed: None,
    };
    office.console.steer(dana, asked).await
}
