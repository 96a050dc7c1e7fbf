//! Reminding those who decide: a ticket for what is due, a wake-up for everything else.

use replygate_engine::Peers;
use replygate_gate::At;
use replygate_ports::tickets::{Ticket, Tickets, TicketsUnavailable};
use replygate_ports::wakes::Wake;

use super::{Ailment, Kind};

/// Reminds of each ailment that a reminder can help; how many there were.
pub(crate) async fn mend(
    ailments: &[Ailment],
    tickets: &dyn Tickets,
    peers: &Peers,
    now: At,
) -> Result<usize, TicketsUnavailable> {
    let mut mended = 0;
    for ailment in ailments {
        match (ailment.kind, ailment.reply) {
            (Kind::NoTicket, Some(reply)) => {
                let ticket = Ticket {
                    reply,
                    session: ailment.session,
                    attempt: ailment.attempt,
                    version: None,
                };
                tickets.publish(ticket, now).await?;
            }
            (Kind::NoTimer | Kind::Held, _) => {
                let wake = Wake {
                    session: ailment.session,
                    version: ailment.version,
                    at: now,
                };
                peers.wakes.tell(wake).await;
            }
            _ => continue,
        }
        mended += 1;
    }
    Ok(mended)
}
