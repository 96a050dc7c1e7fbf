//! The invariants of the gate, told from what an observer saw.

use std::collections::BTreeSet;

use replygate_gate::{Guarantee, MessageId, ReplyStatus, Strategy};
use stateright::{Model, Property};

use crate::choices::Step;
use crate::steps::{Gate, Locked};
use crate::world::{Booked, Fate, World};

impl Model for Gate {
    type State = World;
    type Action = Step;

    fn init_states(&self) -> Vec<World> {
        let mut world = World {
            left: self.budget,
            strategy: self.strategy,
            ..World::default()
        };
        if self.locked == Locked::Stuck {
            world.session.lock = Some(replygate_gate::OutsideLock {
                holder: "crm".to_owned(),
                lease_until: replygate_gate::At(0),
                expires: replygate_gate::At(1),
            });
        }
        vec![world]
    }

    fn actions(&self, world: &World, steps: &mut Vec<Step>) {
        self.steps(world, steps);
    }

    fn next_state(&self, last: &World, step: Step) -> Option<World> {
        self.step(last, &step)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("I1", |_, world| taken_back_never_left(world)),
            Property::always("I2", handed_over_once),
            Property::always("I3", |_, world: &World| world.breach != Some("I3")),
            Property::always("I4", |_, world| answered_once(world)),
            Property::always("I5", |_, world| superseded_is_covered(world)),
            Property::always("I6", |_, world: &World| world.breach != Some("I6")),
            Property::always("I7", |_, world: &World| world.breach != Some("I7")),
            Property::always("I8", |_, world| nothing_vanishes(world)),
            Property::always("hold", |_, world: &World| world.breach != Some("hold")),
            Property::always("final is final", |_, world: &World| {
                world.breach != Some("final is final")
            }),
            Property::always("effects stand", |_, world: &World| {
                world.breach != Some("effects stand")
            }),
            Property::always("queue", |_, world: &World| world.breach != Some("queue")),
            Property::always("numbers grow", |_, world: &World| {
                world.breach != Some("numbers grow")
            }),
            Property::eventually("L1", |_, world| at_rest(world)),
            Property::sometimes(
                "every message has a reply that is delivered",
                |gate: &Gate, world: &World| {
                    let delivered = world.book.iter().filter(|booked| booked.handed > 0);
                    delivered.count() == usize::from(gate.budget.arrivals)
                },
            ),
        ]
        .into_iter()
        .chain(self.marks())
        .collect()
    }
}

impl Gate {
    /// What the strategy is there for: a model that never gets there proves nothing about it.
    fn marks(&self) -> Vec<Property<Self>> {
        let superseded = Property::sometimes(
            "a reply is superseded and its replacement delivered",
            |_, world: &World| world.book.iter().any(|booked| is_replaced(world, booked)),
        );
        let stopped = Property::sometimes("a newer message stops a turn", |_, world: &World| {
            world
                .session
                .uncovered
                .iter()
                .any(|waiting| waiting.reopened)
        });
        match self.strategy {
            Strategy::Triage => vec![superseded],
            Strategy::Enqueue => Vec::new(),
            Strategy::Reject => vec![Property::sometimes(
                "a message is refused",
                |_, world: &World| !world.rejected.is_empty(),
            )],
            Strategy::Interrupt | Strategy::Rollback => vec![superseded, stopped],
        }
    }
}

fn is_replaced(world: &World, booked: &Booked) -> bool {
    matches!(booked.fate, Fate::Superseded(by)
        if world.booked(by).is_some_and(|by| by.fate == Fate::Delivered))
}

fn taken_back_never_left(world: &World) -> bool {
    world.book.iter().all(|booked| {
        !matches!(booked.fate, Fate::Cancelled | Fate::Superseded(_)) || booked.handed == 0
    })
}

fn handed_over_once(gate: &Gate, world: &World) -> bool {
    let allowed = match gate.rules.guarantee {
        Guarantee::AtMostOnce => 1,
        Guarantee::AtLeastOnce => 1 + gate.faults(world).min(gate.rules.channel_ladder_ms.len()),
    };
    world
        .book
        .iter()
        .all(|booked| usize::from(booked.handed) <= allowed)
}

fn answered_once(world: &World) -> bool {
    let mut seen = BTreeSet::<MessageId>::new();
    world
        .book
        .iter()
        .filter(|booked| booked.handed > 0)
        .flat_map(|booked| &booked.covers)
        .all(|message| seen.insert(*message))
}

fn superseded_is_covered(world: &World) -> bool {
    world.book.iter().all(|old| {
        let Fate::Superseded(by) = old.fate else {
            return true;
        };
        world.booked(by).is_some_and(|by| {
            by.seq > old.seq && old.covers.iter().all(|message| by.covers.contains(message))
        })
    })
}

fn nothing_vanishes(world: &World) -> bool {
    (1..=u128::from(world.arrived))
        .map(MessageId)
        .all(|message| {
            world
                .session
                .uncovered
                .iter()
                .any(|waiting| waiting.id == message)
                || world.silent.contains(&message)
                || world.rejected.contains(&message)
                || world
                    .book
                    .iter()
                    .any(|booked| booked.covers.contains(&message))
        })
}

/// Whether nothing is left to do but for people.
fn at_rest(world: &World) -> bool {
    world.left.arrivals == 0
        && world.session.uncovered.is_empty()
        && world.session.owner.is_none()
        && world
            .session
            .replies
            .iter()
            .all(|reply| match reply.status {
                ReplyStatus::Parked => true,
                ReplyStatus::Unknown => reply.retry_at.is_none(),
                _ => false,
            })
        && world
            .book
            .iter()
            .all(|booked| booked.fate != Fate::Open || world.session.reply(booked.id).is_some())
}
