//! Recorded messages under both settings: figures side by side, what changes, and what a replay cannot know.

use crate::parts::{Erase, Stamp};
use crate::view::{At, ChangedBurst, Measures, Replay, SessionTab};
use crate::words::words;
use leptos::prelude::*;

/// Fewer turns than this say little.
const FEW: u32 = 50;

#[component]
#[expect(
    clippy::needless_pass_by_value,
    reason = "a component owns what it shows"
)]
pub(super) fn Replayed(replay: Replay, as_of: At) -> impl IntoView {
    let own = &words().lab;
    let (Some(from), Some(to)) = (replay.from, replay.to) else {
        return view! { <p class="empty">{own.nothing_recorded}</p> }.erased();
    };
    let few = replay.in_force.turns < FEW;
    let figures = figures(&replay.in_force, &replay.proposed);
    let changed = replay.changed.clone();
    let is_quiet = changed.is_empty();
    view! {
        <p>
            {(own.replayed)(replay.messages, replay.pruned, replay.is_cut)}" "
            <Stamp at=from now=as_of/>" – "<Stamp at=to now=as_of/>
        </p>
        {few.then(|| view! { <p class="warning">{(own.few)(replay.in_force.turns, FEW)}</p> })}
        <div class="panel">
            <table class="stack">
                <caption class="quiet">{own.measures}</caption>
                <thead>
                    <tr>
                        <th scope="col">{own.measure}</th>
                        <th scope="col">{own.in_force_name}</th>
                        <th scope="col">{own.proposed_name}</th>
                        <th scope="col">{own.change}</th>
                    </tr>
                </thead>
                <tbody>{figures}</tbody>
            </table>
        </div>
        <h3>{(own.changes)(replay.changed.len(), replay.changed_total)}</h3>
        {is_quiet.then(|| view! { <p class="empty">{own.no_change}</p> })}
        {(!is_quiet).then(|| view! { <Changed changed as_of/> })}
        <p class="hint">{own.cannot_know}</p>
    }
    .erased()
}

fn figures(before: &Measures, after: &Measures) -> impl IntoView + use<> {
    let own = &words().lab;
    let seconds = words().measure.seconds;
    let share = |part: u32, of: u32| i64::from(part) * 1_000 / i64::from(of.max(1));
    let percent = |permille: i64| format!("{}.{} %", permille / 10, permille % 10);
    let row = |name: &'static str, old: String, new: String, change: String| {
        view! {
            <tr>
                <th scope="row" data-label=own.measure>{name}</th>
                <td class="number" data-label=own.in_force_name>{old}</td>
                <td class="number" data-label=own.proposed_name>{new}</td>
                <td class="number" data-label=own.change>{change}</td>
            </tr>
        }
    };
    let count = |name, old: u32, new: u32| {
        let change = i64::from(new) - i64::from(old);
        row(
            name,
            old.to_string(),
            new.to_string(),
            signed(change, &change.abs().to_string()),
        )
    };
    let part = |name, old: u32, new: u32| {
        let (old, new) = (share(old, before.turns), share(new, after.turns));
        let change = new - old;
        let told = format!("{}.{} pt", change.abs() / 10, change.abs() % 10);
        row(name, percent(old), percent(new), signed(change, &told))
    };
    let time = |name, old: u32, new: u32| {
        let change = i64::from(new) - i64::from(old);
        let (old, new) = (seconds(old.into()), seconds(new.into()));
        row(name, old, new, signed(change, &seconds(change.abs())))
    };
    view! {
        {count(own.measure_turns, before.turns, after.turns)}
        {part(own.measure_splits, before.splits, after.splits)}
        {time(own.measure_median, before.wait_median_ms, after.wait_median_ms)}
        {time(own.measure_p95, before.wait_p95_ms, after.wait_p95_ms)}
        {part(own.measure_ceiling, before.at_ceiling, after.at_ceiling)}
    }
}

/// A change with its sign; nothing where there is none.
fn signed(change: i64, told: &str) -> String {
    match change {
        0 => "–".to_owned(),
        1.. => format!("+{told}"),
        _ => format!("−{told}"),
    }
}

#[component]
fn Changed(changed: Vec<ChangedBurst>, as_of: At) -> impl IntoView {
    let own = &words().lab;
    let rows = changed
        .into_iter()
        .map(|change| {
            let seconds = words().measure.seconds;
            let address = SessionTab::Timeline.address(&change.session, None);
            let (old, new) = change.wait_ms;
            let waits = (seconds(old.into()), seconds(new.into()));
            view! {
                <tr>
                    <th scope="row" class="number" data-label=own.when>
                        <a href=address><Stamp at=change.at now=as_of/></a>
                    </th>
                    <td data-label=own.becomes><span class="state" data-change=change.word.stored()>{(own.change_of)(change.word)}</span></td>
                    <td class="number" data-label=own.messages>{change.messages}</td>
                    <td class="number change" data-label=own.measure_turns><del>{change.turns.0}</del>" "<ins>{change.turns.1}</ins></td>
                    <td class="number change" data-label=own.wait><del>{waits.0}</del>" "<ins>{waits.1}</ins></td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <div class="panel">
            <table class="stack">
                <caption class="quiet">{own.changed}</caption>
                <thead>
                    <tr>
                        <th scope="col">{own.when}</th>
                        <th scope="col">{own.becomes}</th>
                        <th scope="col">{own.messages}</th>
                        <th scope="col">{own.measure_turns}</th>
                        <th scope="col">{own.wait}</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}
