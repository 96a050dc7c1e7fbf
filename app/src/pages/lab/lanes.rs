//! Turns on an axis of time, one lane per setting. The lists below the drawing say the same in words.

use crate::view::Played;
use crate::words::words;
use leptos::prelude::*;
use replygate_gate::debounce::BurstEnd;

/// The drawing, in its own units.
const LEFT: i64 = 84;
const WIDTH: i64 = 500;
const ROW: i64 = 34;

/// One lane for each named setting: a bar from a burst's first message to its end, a tick for each message.
#[component]
pub(super) fn Lanes(rows: Vec<(&'static str, Played)>) -> impl IntoView {
    let own = &words().lab;
    let ends = rows.iter().flat_map(|(_, played)| &played.bursts);
    let length = ends
        .map(|burst| burst.over)
        .max()
        .unwrap_or_default()
        .max(1_000);
    let place = move |ms: i64| LEFT + ms.max(0) * WIDTH / length;
    let high = ROW * rows.len() as i64 + 20;
    let step = step(length);
    let ticks = (0..=length / step)
        .map(|tick| {
            let x = place(tick * step);
            let told = (words().measure.seconds)(tick * step);
            view! {
                <line class="lane" x1=x x2=x y1="0" y2=high - 18></line>
                <text x=x y=high - 4 text-anchor="middle">{told}</text>
            }
        })
        .collect_view();
    let summary = rows
        .iter()
        .map(|(name, played)| {
            let turns = played
                .bursts
                .iter()
                .filter(|burst| burst.ended != BurstEnd::Command);
            (own.count_of)(name, turns.count())
        })
        .collect::<Vec<_>>()
        .join(" ");
    let lanes = rows
        .into_iter()
        .zip(0_i64..)
        .map(|((name, played), row)| {
            let y = row * ROW + 4;
            let bars = played
                .bursts
                .iter()
                .map(|burst| {
                    let began = played.lines.get(burst.first).map_or(0, |(line, _)| line.at_ms);
                    let word = if burst.ended == BurstEnd::Command { "dropped" } else { "done" };
                    let (from, to) = (place(began), place(burst.over));
                    let told = (own.turn)(&(words().measure.seconds)(burst.over), burst.len(), burst.ended);
                    view! {
                        <rect data-span=word x=from y=y width=(to - from).max(3) height="20" rx="3"><title>{told}</title></rect>
                    }
                })
                .collect_view();
            let messages = played
                .lines
                .iter()
                .map(|(line, _)| view! { <circle cx=place(line.at_ms) cy=y + 10 r="4"></circle> })
                .collect_view();
            view! { <text x="0" y=y + 14>{name}</text>{bars}{messages} }
        })
        .collect_view();
    let view_box = format!("0 0 {} {high}", LEFT + WIDTH + 30);
    view! {
        <p class="summary" aria-live="polite">{summary}</p>
        <div class="scroll" tabindex="0" role="group" aria-label=own.lanes>
            <svg class="lanes" viewBox=view_box role="img" aria-label=own.lanes>{ticks}{lanes}</svg>
        </div>
    }
}

/// A round distance between ticks: at most ten of them.
fn step(length: i64) -> i64 {
    let steps = [
        500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 600_000, 3_600_000,
    ];
    steps
        .into_iter()
        .find(|step| length / step <= 10)
        .unwrap_or(36_000_000)
}
