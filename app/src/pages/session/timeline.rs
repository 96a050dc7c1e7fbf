//! A session's lanes on a shared axis of time, with the same as a table.

use crate::api::{SessionPart, SessionView};
use crate::parts::{Erase, Moment};
use crate::view::{Axis, LaneWord, Lanes, Span};
use crate::words::words;
use leptos::prelude::*;

/// The drawing, in its own units.
const LEFT: f64 = 84.0;
const WIDTH: f64 = 540.0;
const ROW: f64 = 24.0;
/// A bar is at least so wide: an instant is seen too.
const LEAST: f64 = 3.0;

/// Lanes and table.
#[component]
pub(super) fn Timeline(shown: RwSignal<SessionView>) -> impl IntoView {
    let own = &words().session_page;
    let lanes = Memo::new(move |_| {
        shown.with(|shown| match &shown.part {
            SessionPart::Timeline(lanes) => lanes.clone(),
            _ => Lanes::default(),
        })
    });
    view! {
        <section aria-labelledby="timeline">
            <h2 id="timeline" class="quiet">{own.timeline}</h2>
            {move || lanes.with(|lanes| {
                if lanes.spans.is_empty() {
                    return view! { <p class="empty">{words().session.silent}</p> }.kept();
                }
                view! { <Drawing lanes=lanes.clone()/> <p class="hint">{own.timeline_hint}</p> <Numbers lanes=lanes.clone()/> }.kept()
            })}
        </section>
    }
}

#[component]
fn Drawing(lanes: Lanes) -> impl IntoView {
    let own = &words().session_page;
    let axis = Axis::of(&lanes.spans);
    let there: Vec<LaneWord> = LaneWord::ALL
        .iter()
        .copied()
        .filter(|lane| lanes.spans.iter().any(|span| span.lane == *lane))
        .collect();
    let high = ROW * there.len() as f64 + 8.0;
    let names = there
        .iter()
        .enumerate()
        .map(|(row, lane)| {
            let y = whole(ROW * row as f64 + ROW / 2.0 + 4.0);
            view! { <text class="tick" x="0" y=y dominant-baseline="middle">{(own.lane_of)(*lane)}</text> }
        })
        .collect_view();
    let folds = axis
        .folds()
        .map(|place| {
            let x = whole(LEFT + place * WIDTH);
            view! { <line class="fold" x1=x.clone() x2=x y1="0" y2=whole(high)></line> }
        })
        .collect_view();
    let bars = lanes
        .spans
        .iter()
        .filter_map(|span| {
            let row = there.iter().position(|lane| *lane == span.lane)?;
            Some(bar(span, row, &axis))
        })
        .collect_view();
    let view_box = format!("0 0 {} {}", whole(LEFT + WIDTH + 4.0), whole(high));
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label=own.timeline>
            <svg class="lanes" viewBox=view_box role="img" aria-label=own.timeline_summary>
                {folds}{names}{bars}
            </svg>
        </div>
    }
}

fn bar(span: &Span, row: usize, axis: &Axis) -> impl IntoView + use<> {
    let own = &words().session_page;
    let (from, to) = (axis.place(span.from), axis.place(span.to));
    let wide = ((to - from) * WIDTH).max(LEAST);
    let ms = span.to.since(span.from);
    let length = (words().measure.seconds)(ms);
    let told = format!("{}, {length}", (own.span_of)(span.word));
    view! {
        <rect data-span=span.word.stored() x=whole(LEFT + from * WIDTH) y=whole(ROW * row as f64 + 8.0)
            width=whole(wide) height="16" rx="2">
            <title>{told}</title>
        </rect>
    }
}

#[component]
fn Numbers(lanes: Lanes) -> impl IntoView {
    let own = &words().session_page;
    let rows = lanes
        .spans
        .into_iter()
        .map(|span| {
            let length = (words().measure.seconds)(span.to.since(span.from));
            view! {
                <tr>
                    <th scope="row" class="number"><Moment at=span.from/></th>
                    <td>{(own.lane_of)(span.lane)}</td>
                    <td>{(own.span_of)(span.word)}</td>
                    <td class="number">{length}</td>
                    <td><code>{span.about}</code></td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <details>
            <summary>{own.as_table}</summary>
            <div class="panel scroll">
                <table class="plain">
                    <caption class="quiet">{own.timeline}</caption>
                    <thead>
                        <tr>
                            <th scope="col">{own.when}</th>
                            <th scope="col">{own.lane}</th>
                            <th scope="col">{own.what}</th>
                            <th scope="col" class="number">{own.length}</th>
                            <th scope="col">{own.about}</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        </details>
    }
}

/// A place on the drawing with one decimal, the same text in both halves.
fn whole(value: f64) -> String {
    let tenths = (value * 10.0).round() as i64;
    format!("{}.{}", tenths / 10, (tenths % 10).abs())
}
