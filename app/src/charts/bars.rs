//! Stacked bars over time.

use super::scale::{Scale, place};
use leptos::prelude::*;

const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 140.0;
/// Room for the numbers of the scale and for the times below.
const LEFT: f64 = 48.0;
const BELOW: f64 = 18.0;
/// Between two parts of a stack, in the colour of the surface.
const GAP: f64 = 1.0;

/// One bar.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bar {
    /// Its time, for people.
    pub(crate) label: String,
    /// The counts of its parts, in the order of the series.
    pub(crate) counts: Vec<u64>,
}

/// A chart of stacked bars. `series` are the style names and words of the parts, from bottom to top.
#[component]
#[expect(
    clippy::needless_pass_by_value,
    reason = "a component owns what it shows"
)]
pub(crate) fn StackedBars(
    title: &'static str,
    /// A sentence that says what the chart shows.
    summary: String,
    series: Vec<(&'static str, String)>,
    bars: Vec<Bar>,
    /// The word over the times in the table.
    time: &'static str,
    /// The word for the table.
    numbers: &'static str,
) -> impl IntoView {
    let most = bars.iter().map(|bar| bar.counts.iter().sum::<u64>()).max();
    let scale = Scale::up_to(most.unwrap_or(0) as f64, HEIGHT);
    let grid = grid(scale);
    let drawn = drawn(&bars, &series, scale);
    let labels = labels(&bars);
    let view_box = format!(
        "0 -8 {} {}",
        place(WIDTH + LEFT),
        place(HEIGHT + BELOW + 16.0)
    );
    let legend = legend(&series, &bars);
    let heads = series
        .iter()
        .map(|(_, word)| view! { <th scope="col" class="number">{word.clone()}</th> })
        .collect_view();
    let rows = bars
        .into_iter()
        .map(|bar| {
            let cells = bar.counts.into_iter();
            let cells = cells
                .map(|count| view! { <td class="number">{count}</td> })
                .collect_view();
            view! { <tr><th scope="row" class="number">{bar.label}</th>{cells}</tr> }
        })
        .collect_view();
    view! {
        <figure class="chart">
            <figcaption><h3>{title}</h3><p class="hint">{summary.clone()}</p></figcaption>
            <svg viewBox=view_box role="img" aria-label=summary>
                {grid}{drawn}{labels}
            </svg>
            {legend}
            <details>
                <summary>{numbers}</summary>
                <div class="panel scroll"><table class="plain">
                    <caption class="quiet">{title}</caption>
                    <thead><tr><th scope="col">{time}</th>{heads}</tr></thead>
                    <tbody>{rows}</tbody>
                </table></div>
            </details>
        </figure>
    }
}

/// What the colours mean; only of what is there.
fn legend(series: &[(&'static str, String)], bars: &[Bar]) -> impl IntoView + use<> {
    let entries = series
        .iter()
        .enumerate()
        .filter(|(place, _)| bars.iter().any(|bar| bar.counts.get(*place).is_some_and(|count| *count > 0)))
        .map(|(_, (name, word))| {
            view! {
                <li>
                    <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true"><rect class=*name width="10" height="10"></rect></svg>
                    {word.clone()}
                </li>
            }
        })
        .collect_view();
    view! { <ul class="legend">{entries}</ul> }
}

pub(super) fn grid(scale: Scale) -> impl IntoView + use<> {
    scale
        .ticks()
        .into_iter()
        .map(|tick| {
            let y = place(HEIGHT + 4.0 - scale.of(tick));
            view! {
                <line class="grid" x1=place(LEFT) x2=place(WIDTH + LEFT) y1=y.clone() y2=y.clone()></line>
                <text class="tick" x=place(LEFT - 4.0) y=y text-anchor="end" dominant-baseline="middle">{place(tick)}</text>
            }
        })
        .collect_view()
}

fn drawn(bars: &[Bar], series: &[(&'static str, String)], scale: Scale) -> impl IntoView + use<> {
    let slot = WIDTH / bars.len().max(1) as f64;
    let wide = (slot * 0.75).max(1.0);
    bars.iter()
        .enumerate()
        .flat_map(|(at, bar)| {
            let x = LEFT + slot * at as f64 + (slot - wide) / 2.0;
            let mut below = 0.0;
            bar.counts
                .iter()
                .zip(series)
                .filter(|(count, _)| **count > 0)
                .map(|(count, (name, word))| {
                    let high = scale.of(*count as f64);
                    let y = HEIGHT + 4.0 - below - high;
                    below += high;
                    let told = format!("{}: {word} {count}", bar.label);
                    view! {
                        <rect class=*name x=place(x) y=place(y) width=place(wide) height=place((high - GAP).max(0.6))>
                            <title>{told}</title>
                        </rect>
                    }
                })
                .collect::<Vec<_>>()
        })
        .collect_view()
}

/// The times of a few bars: the first, the last, and some between.
fn labels(bars: &[Bar]) -> impl IntoView + use<> {
    let every = bars.len().div_ceil(6).max(1);
    let slot = WIDTH / bars.len().max(1) as f64;
    bars.iter()
        .enumerate()
        .filter(|(at, _)| at % every == 0)
        .map(|(at, bar)| {
            let x = place(LEFT + slot * (at as f64 + 0.5));
            view! {
                <text class="tick" x=x y=place(HEIGHT + BELOW) text-anchor="middle">{bar.label.clone()}</text>
            }
        })
        .collect_view()
}
