//! A storm for people.

use std::fmt::Write as _;

use super::{Outcome, Spread};

/// What a storm showed, line by line.
#[must_use]
pub fn print(outcome: &Outcome) -> String {
    let mut text = String::new();
    let rate = outcome.sent as f64 / outcome.seconds.max(0.001);
    let _ = writeln!(
        text,
        "{} messages of {} customers in {:.1} s ({rate:.0} a second), {} of them sent again, {} not accepted",
        outcome.sent, outcome.sessions, outcome.seconds, outcome.duplicates, outcome.refused
    );
    let ends: Vec<String> = outcome
        .ends
        .iter()
        .map(|(status, count)| format!("{count} {status}"))
        .collect();
    let _ = writeln!(
        text,
        "replies: {}; {} handed over, {} open",
        ends.join(", "),
        outcome.delivered,
        outcome.open
    );
    let _ = writeln!(text, "over the ideal: {}", spread(&outcome.over_ideal_ms));
    let _ = writeln!(
        text,
        "after a hold ended: {}",
        spread(&outcome.over_hold_ms)
    );
    let all = &outcome.breaches;
    let _ = writeln!(
        text,
        "breaches: I1 {} I2 {} I3 {} I4 {} I5 {} I6 {} I7 {} I8 {}; lost {}",
        all.i1, all.i2, all.i3, all.i4, all.i5, all.i6, all.i7, all.i8, outcome.lost
    );
    let _ = writeln!(text, "{}", if outcome.ok { "OK" } else { "DIFFERS" });
    text
}

fn spread(spread: &Spread) -> String {
    format!(
        "p50 {:.0} ms, p99 {:.0} ms, at most {:.0} ms ({} replies)",
        spread.p50, spread.p99, spread.max, spread.n
    )
}
