//! Looking through the tickets that wait in our queues. Whatever is looked at goes back to its place, with the end that it
//! had; must never take out what it was not told to.

use lapin::options::{BasicAckOptions, BasicGetOptions};
use replygate_ports::tickets::Ticket;

use super::letter::Letter;
use super::line::{Ground, Trouble};
use super::names::Plan;
use super::queues::Asking;

/// Looks at up to `most` tickets of each queue and takes those out that `keep` does not want; returns all it looked at.
/// What consumers hold at the moment is not in the queues.
pub async fn sift(
    ground: &Ground,
    most: u32,
    keep: &(dyn Fn(&Ticket) -> bool + Send + Sync),
) -> Result<Vec<Ticket>, Trouble> {
    let mut asking = Asking::begin(ground).await?;
    let mut seen = Vec::new();
    for plan in super::queues::plans(ground) {
        let is_copy = plan.name == *ground.names.parked();
        if !is_copy && asking.find(&plan).await?.is_some() {
            sift_one(&mut asking, &plan, most, keep, &mut seen).await?;
        }
    }
    // With the connection everything that was not taken out goes back.
    asking.end().await;
    Ok(seen)
}

async fn sift_one(
    asking: &mut Asking<'_>,
    plan: &Plan,
    most: u32,
    keep: &(dyn Fn(&Ticket) -> bool + Send + Sync),
    seen: &mut Vec<Ticket>,
) -> Result<(), Trouble> {
    let ground = asking.ground();
    for _ in 0..most {
        let channel = asking.channel().await?;
        let getting = channel.basic_get((&*plan.name).into(), BasicGetOptions::default());
        let Some(message) = ground.answer("a ticket", getting).await? else {
            return Ok(());
        };
        let Some(letter) = Letter::read(&message.delivery.data) else {
            continue;
        };
        let ticket = letter.ticket();
        if !keep(&ticket) {
            let taking_out = message.delivery.acker.ack(BasicAckOptions::default());
            ground.answer("an acknowledgement", taking_out).await?;
        }
        seen.push(ticket);
    }
    Ok(())
}
