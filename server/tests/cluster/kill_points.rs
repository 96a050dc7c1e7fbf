//! The twenty points at which a process, a service or a machine may fail between a message and its reply. At each of them
//! it does, in the middle of a small day: nothing is lost, nothing is doubled, and everything goes on.

mod blow;
mod day;
mod verdict;

use crate::apart;
use crate::mortal::End;
use crate::place::Place;

/// So many points are tried at once: most of a day is waiting.
const AT_ONCE: usize = 7;

/// What happens at a point.
#[derive(Clone, Copy, Debug)]
enum Blow {
    /// The process aborts there. Each further one is the point at which the process that was started instead dies.
    Dies(&'static [End]),
    /// The process is killed when a customer has read its answer, while the window is open.
    DiesAnswered,
    /// The process is killed when the deliver address has read a request and not answered it.
    DiesSending,
    /// The broker is restarted, and comes back with empty queues.
    BrokerRestarts,
    /// Redis forgets everything and is away for a moment.
    RedisFailsOver,
    /// The disk of PostgreSQL is full for a while.
    DiskIsFull,
    /// The machine's clock is set: when since the beginning, and how far ahead. Milliseconds.
    ClockIsSet(&'static [(u64, i64)]),
}

struct Point {
    number: u8,
    name: &'static str,
    blow: Blow,
}

const fn point(number: u8, name: &'static str, blow: Blow) -> Point {
    Point { number, name, blow }
}

const HOUR_MS: i64 = 3_600_000;

#[rustfmt::skip]
const POINTS: [Point; 20] = [
    point(1, "before the message is stored", Blow::Dies(&[End::before(9, "store.append", "arrived")])),
    point(2, "stored, not answered", Blow::Dies(&[End::behind(9, "store.append", "arrived")])),
    point(3, "answered, before the window is over", Blow::DiesAnswered),
    point(4, "taken, before triage", Blow::Dies(&[End::behind(5, "store.append", "taken")])),
    point(5, "judged and answered, before the commit", Blow::Dies(&[End::before(5, "store.append", "committed")])),
    point(6, "a tool's effect done, before it is marked done", Blow::Dies(&[End::before(1, "ledger.settle", "")])),
    point(7, "committed, before its ticket is published", Blow::Dies(&[End::before(5, "tickets.publish", "first")])),
    point(8, "published, before the confirm is read", Blow::Dies(&[End::behind(5, "tickets.publish", "first")])),
    point(9, "a ticket has come, before the claim", Blow::Dies(&[End::before(4, "store.append", "claimed")])),
    point(10, "claimed, before the hand-over", Blow::Dies(&[End::behind(4, "store.append", "claimed")])),
    point(11, "handed over, before the answer is read", Blow::DiesSending),
    point(12, "answered by the channel, before it is settled", Blow::Dies(&[End::before(4, "store.append", "delivered")])),
    point(13, "settled, before the ticket is acknowledged", Blow::Dies(&[End::behind(4, "store.append", "delivered")])),
    point(14, "on the ladder again, before the ticket is acknowledged", Blow::Dies(&[End::behind(1, "tickets.publish", "again")])),
    point(15, "parked, before the broker is told", Blow::Dies(&[End::behind(1, "store.append", "parked")])),
    point(16, "while it recovers", Blow::Dies(&[
        End::behind(4, "store.append", "claimed"),
        End::behind(1, "store.scheduled", ""),
        End::before(1, "store.append", "outcome_unknown"),
        End::behind(1, "store.append", "outcome_unknown"),
    ])),
    point(17, "the broker restarts", Blow::BrokerRestarts),
    point(18, "Redis fails over", Blow::RedisFailsOver),
    point(19, "the disk is full", Blow::DiskIsFull),
    point(20, "the clock is set", Blow::ClockIsSet(&[(900, -HOUR_MS), (2_000, 0), (3_000, HOUR_MS)])),
];

#[test]
fn each_of_the_twenty_points_is_survived() {
    if apart::runtime().block_on(Place::with("")).is_none() {
        return;
    }
    let name = |point: &Point| format!("{} {}", point.number, point.name);
    let differs = apart::all(&POINTS, AT_ONCE, name, |point| day::play(point.blow));
    assert_eq!(differs, [""; 0]);
}
