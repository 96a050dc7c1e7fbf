//! Sentences under the setting in force, the proposed one and a fixed window: how long each is waited upon and why, and what
//! the agent gets.

use super::lanes::Lanes;
use crate::parts::{Erase, Erased};
use crate::view::{ConsoleError, Line, Played as Outcome, fixed, play, script as lines_of};
use crate::words::words;
use leptos::prelude::*;
use replygate_gate::control::ControlCommands;
use replygate_gate::debounce::{Burst, BurstEnd, Explanation, Signal, Windows};

/// The order in which signals are looked for.
const LADDER: [Signal; 6] = [
    Signal::Command,
    Signal::Media,
    Signal::Greeting,
    Signal::Dangling,
    Signal::Closed,
    Signal::Neutral,
];

/// Everything that is found out about the sentences. A setting that is not allowed is played as the one in force.
#[component]
pub(super) fn Played(
    script: RwSignal<String>,
    commands: StoredValue<ControlCommands>,
    in_force: Windows,
    windows: Memo<Result<Windows, ConsoleError>>,
) -> impl IntoView {
    move || {
        let own = &words().lab;
        let lines = script.with(|text| lines_of(text));
        if lines.is_empty() {
            return view! { <p class="empty">{own.no_script}</p> }.kept();
        }
        let proposed: Result<Windows, ConsoleError> = windows.get();
        let proposed = proposed.unwrap_or(in_force);
        let (before, after, other) = commands.with_value(|commands| {
            let play = |windows: &Windows| play(&lines, commands, windows);
            (play(&in_force), play(&proposed), play(&fixed()))
        });
        let last = after.lines.last().map(|(_, why)| why.signal);
        view! {
            <Table lines=lines.clone() before=before.clone() after=after.clone()/>
            {last.map(|signal| view! { <Ladder signal/> })}
            <Lanes rows=vec![(own.in_force_name, before), (own.proposed_name, after.clone()), (own.fixed_name, other)]/>
            <Turns played=after/>
        }
        .kept()
    }
}

/// Each sentence, with the characters that decided, its rule, and both waits.
#[component]
fn Table(lines: Vec<Line>, before: Outcome, after: Outcome) -> impl IntoView {
    let own = &words().lab;
    let seconds = words().measure.seconds;
    let both = before.lines.into_iter().zip(after.lines);
    let rows = lines
        .into_iter()
        .zip(both)
        .map(|(line, ((_, old), (_, new)))| {
            let reason = (own.rule_of)(new.rule);
            let wait = if old.window_ms == new.window_ms {
                view! { {seconds(new.window_ms as i64)} }.kept()
            } else {
                let (old, new) = (seconds(old.window_ms as i64), seconds(new.window_ms as i64));
                view! { <del>{old}</del>" "<ins>{new}</ins> }.kept()
            };
            view! {
                <tr>
                    <th scope="row" class="number" data-label=own.at>{seconds(line.at_ms)}</th>
                    <td data-label=own.sentence dir="auto">{marked(&line.text, &new)}</td>
                    <td data-label=own.ends>{(own.signal_of)(new.signal)}<span class="hint">{reason}</span></td>
                    <td class="number change" data-label=own.wait>{wait}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <div class="panel">
            <table class="plain">
                <caption class="quiet">{own.sentences}</caption>
                <thead>
                    <tr>
                        <th scope="col">{own.at}</th>
                        <th scope="col">{own.sentence}</th>
                        <th scope="col">{own.ends}</th>
                        <th scope="col">{own.wait}</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}

/// A sentence with the characters marked that decided.
fn marked(text: &str, why: &Explanation) -> Erased {
    let span = why
        .matched
        .as_ref()
        .filter(|span| span.end - span.start < text.len());
    let parts = span.and_then(|span| {
        Some((
            text.get(..span.start)?,
            text.get(span.start..span.end)?,
            text.get(span.end..)?,
        ))
    });
    match parts {
        Some((before, mark, after)) => {
            let (before, mark, after) = (before.to_owned(), mark.to_owned(), after.to_owned());
            view! { <span class="said">{before}<mark>{mark}</mark>{after}</span> }.kept()
        }
        None => view! { <span class="said">{text.to_owned()}</span> }.kept(),
    }
}

/// What is asked about a sentence, in order, for the last one.
#[component]
fn Ladder(signal: Signal) -> impl IntoView {
    let own = &words().lab;
    let found = LADDER
        .iter()
        .position(|each| *each == signal)
        .unwrap_or(LADDER.len());
    let steps = LADDER
        .iter()
        .enumerate()
        .map(|(place, each)| {
            let answer = match place.cmp(&found) {
                std::cmp::Ordering::Less => own.no,
                std::cmp::Ordering::Equal => own.yes,
                std::cmp::Ordering::Greater => own.not_reached,
            };
            let current = (place == found).then_some("step");
            view! { <li aria-current=current>{(own.signal_of)(*each)}" "<span class="hint">{answer}</span></li> }
        })
        .collect_view();
    view! {
        <details>
            <summary>{own.ladder}</summary>
            <ol class="ladder">{steps}</ol>
        </details>
    }
}

/// The turns under the proposed setting, as the agent gets them.
#[component]
fn Turns(played: Outcome) -> impl IntoView {
    let own = &words().lab;
    let seconds = words().measure.seconds;
    let turns = played
        .bursts
        .iter()
        .map(|burst| {
            let texts = texts(&played, burst);
            let when = (own.turn)(&seconds(burst.over), burst.len(), burst.ended);
            let is_dropped = (burst.ended == BurstEnd::Command).then_some("yes");
            view! {
                <li data-dropped=is_dropped>
                    <span class="hint">{when}</span>
                    <blockquote class="bubble customer" dir="auto">{texts}</blockquote>
                </li>
            }
        })
        .collect_view();
    view! {
        <h3>{own.turns}</h3>
        <ol class="turns">{turns}</ol>
    }
}

fn texts(played: &Outcome, burst: &Burst) -> impl IntoView + use<> {
    let lines = played.lines.get(burst.first..burst.end).unwrap_or_default();
    let each = lines.iter().map(|(line, _)| line.text.clone());
    each.map(|text| view! { <p>{text}</p> }).collect_view()
}
