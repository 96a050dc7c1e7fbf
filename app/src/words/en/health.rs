//! The health page.

use crate::view::{Ailing, At, Health, HealthFact, HealthPart, HealthWord};
use crate::words::overview::HealthPage;

pub(super) const HEALTH: HealthPage = HealthPage {
    title: "Health",
    caption: "Every part, worst first",
    part: "Part",
    state: "State",
    detail: "Why",
    breaks: "What it breaks",
    name_of: |health: &Health| {
        let sort = match health.part {
            HealthPart::Store => "Database",
            HealthPart::Redis => "Redis",
            HealthPart::Rabbit => "RabbitMQ",
            HealthPart::Queue => "Queue",
            HealthPart::Workers => "Workers",
            HealthPart::Schedule => "Timers",
            HealthPart::Sessions => "Open sessions",
            HealthPart::Channel => "Channel",
            HealthPart::Agent => "Agent of",
            HealthPart::Stream => "Live updates",
        };
        match &health.name {
            Some(name) => format!("{sort} {name}"),
            None => sort.to_owned(),
        }
    },
    word_of: |word| match word {
        HealthWord::Fine => "Fine",
        HealthWord::Strained => "Look at it",
        HealthWord::Down => "Down",
    },
    fact_of: fact,
    breaks_of: |health: &Health| match health.part {
        HealthPart::Store => {
            "Without it webhooks get 503 and channels repeat them; nothing is sent."
        }
        HealthPart::Redis => {
            "Without it everything goes on a little slower, and a console hears of its own process only."
        }
        HealthPart::Rabbit => {
            "Without it replies leave a second or two late, by the look at what is due."
        }
        HealthPart::Queue => "What waits in it leaves later, never twice.",
        HealthPart::Workers => "Without one nothing is answered and nothing leaves.",
        HealthPart::Schedule => "When it is late, windows close late and replies leave late.",
        HealthPart::Sessions => "The customer of a session that is stuck waits.",
        HealthPart::Channel => {
            "Replies are tried again on the channel's ladder, then they are parked."
        }
        HealthPart::Agent => "Bursts stay unanswered and are parked as agent failures.",
        HealthPart::Stream => "Pages say how old they are; everything else goes on.",
    },
    version: |version, since| format!("Replygate {version}, running since {since}."),
    probes: "For machines: /livez says whether the process runs, /readyz whether it takes messages, /metrics its figures.",
};

fn fact(fact: &HealthFact, time: &dyn Fn(At) -> String) -> String {
    match fact {
        HealthFact::AnswersIn(ms) => format!("answers in {ms} ms"),
        HealthFact::Away(None) => "does not answer".into(),
        HealthFact::Away(Some(since)) => format!("no answer since {}", time(*since)),
        HealthFact::Full(since) => format!("takes nothing new since {}", time(*since)),
        HealthFact::TakesNothing => "takes nothing new".into(),
        HealthFact::LastFailure(at) => format!("last failed {}", time(*at)),
        HealthFact::Version(version) => format!("version {version}"),
        HealthFact::DoubtfulVersion(version) => {
            format!("version {version}, with which it may not do")
        }
        HealthFact::ClockOff(ms) => format!("its clock is {ms} ms off"),
        HealthFact::Forgets => "answers before a commit is on its disk".into(),
        HealthFact::Evicts => "drops what it holds when its memory is full".into(),
        HealthFact::Replica => "is a replica and takes no writes".into(),
        HealthFact::WrongQueue(None) => "its queues cannot be looked at".into(),
        HealthFact::WrongQueue(Some(queue)) => {
            format!("{queue} is not as it has to be, see `replygate doctor`")
        }
        HealthFact::Waiting(0) => "nothing waits".into(),
        HealthFact::Waiting(1) => "1 waits".into(),
        HealthFact::Waiting(count) => format!("{count} wait"),
        HealthFact::Readers(0) => "none is seen".into(),
        HealthFact::Readers(1) => "1 is seen".into(),
        HealthFact::Readers(count) => format!("{count} are seen"),
        HealthFact::Overdue(0) => "nothing is overdue".into(),
        HealthFact::Overdue(ms) => format!("the oldest work is {} s overdue", ms / 1_000),
        HealthFact::Failures { of: 0, .. } => "no reply yet".into(),
        HealthFact::Failures { failed, of } => {
            format!("{failed} of its last {of} replies failed")
        }
        HealthFact::Open(0) => "none".into(),
        HealthFact::Open(1) => "1, nothing wrong with it".into(),
        HealthFact::Open(count) => format!("{count}, looked through"),
        HealthFact::TooMany => {
            "too many to be looked through here; `replygate doctor` does it".into()
        }
        HealthFact::Ailing(how, count) => format!("{count} {}", ailing(*how)),
    }
}

const fn ailing(how: Ailing) -> &'static str {
    match how {
        Ailing::NotSent => "with a reply that is due and that nobody sends",
        Ailing::NotLookedAfter => "whose time has come and that nobody looked after",
        Ailing::HeldTooLong => "with a reply held for longer than its channel allows",
        Ailing::LockStuck => "locked by a holder that does not renew",
        Ailing::NoChannel => "on a channel that is not configured",
    }
}
