//! Lines over time.

use super::bars::grid;
use super::scale::{Scale, place};
use leptos::prelude::*;
use std::fmt::Write as _;

const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 140.0;
const LEFT: f64 = 48.0;
const BELOW: f64 = 18.0;

/// One line. A part without a value is a gap.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    /// Its style name.
    pub(crate) name: &'static str,
    /// Its word.
    pub(crate) word: String,
    /// Its values.
    pub(crate) values: Vec<Option<f64>>,
}

/// A chart of lines over the same times.
#[component]
#[expect(
    clippy::needless_pass_by_value,
    reason = "a component owns what it shows"
)]
pub(crate) fn Lines(
    title: &'static str,
    /// A sentence that says what the chart shows.
    summary: String,
    /// A sentence for a scale on which each step is ten times the one before.
    tenfold: &'static str,
    lines: Vec<Line>,
    /// The times, for people.
    labels: Vec<String>,
    /// The word over the times in the table.
    time: &'static str,
    /// The word for the table.
    numbers: &'static str,
) -> impl IntoView {
    let values = lines.iter().flat_map(|line| line.values.iter().flatten());
    let scale = Scale::for_all(values.copied(), HEIGHT);
    let summary = if scale.is_tenfold() {
        format!("{summary} {tenfold}")
    } else {
        summary
    };
    let step = WIDTH / labels.len().max(1) as f64;
    let drawn = lines
        .iter()
        .map(|line| {
            let path = path(&line.values, step, scale);
            view! { <path class=format!("line {}", line.name) d=path></path> }
        })
        .collect_view();
    let legend = lines
        .iter()
        .map(|line| {
            view! {
                <li>
                    <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true"><rect class=line.name width="10" height="10"></rect></svg>
                    {line.word.clone()}
                </li>
            }
        })
        .collect_view();
    let every = labels.len().div_ceil(6).max(1);
    let times = labels
        .iter()
        .enumerate()
        .filter(|(at, _)| at % every == 0)
        .map(|(at, label)| {
            let x = place(LEFT + step * (at as f64 + 0.5));
            view! { <text class="tick" x=x y=place(HEIGHT + BELOW) text-anchor="middle">{label.clone()}</text> }
        })
        .collect_view();
    let view_box = format!(
        "0 -8 {} {}",
        place(WIDTH + LEFT),
        place(HEIGHT + BELOW + 16.0)
    );
    let heads = lines
        .iter()
        .map(|line| view! { <th scope="col" class="number">{line.word.clone()}</th> })
        .collect_view();
    let rows = labels
        .iter()
        .enumerate()
        .map(|(at, label)| {
            let cells = lines
                .iter()
                .map(|line| {
                    let value = line.values.get(at).copied().flatten();
                    view! { <td class="number">{value.map(place)}</td> }
                })
                .collect_view();
            view! { <tr><th scope="row" class="number">{label.clone()}</th>{cells}</tr> }
        })
        .collect_view();
    view! {
        <figure class="chart">
            <figcaption><h3>{title}</h3><p class="hint">{summary.clone()}</p></figcaption>
            <svg viewBox=view_box role="img" aria-label=summary>
                {grid(scale)}{drawn}{times}
            </svg>
            <ul class="legend">{legend}</ul>
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

/// The way through the values; a gap begins anew behind it, and a lonely value is a short stroke.
fn path(values: &[Option<f64>], step: f64, scale: Scale) -> String {
    let mut path = String::new();
    let mut pen_is_down = false;
    for (at, value) in values.iter().enumerate() {
        let Some(value) = value else {
            pen_is_down = false;
            continue;
        };
        let (x, y) = spot(at, *value, step, scale);
        let verb = if pen_is_down { "L" } else { "M" };
        // Writing to a String cannot fail.
        let _ = write!(path, "{verb}{} {}", place(x), place(y));
        if !pen_is_down {
            let _ = write!(path, "h0.1");
        }
        pen_is_down = true;
    }
    path
}

fn spot(at: usize, value: f64, step: f64, scale: Scale) -> (f64, f64) {
    (
        LEFT + step * (at as f64 + 0.5),
        HEIGHT + 4.0 - scale.of(value),
    )
}

#[cfg(test)]
mod tests {
    use super::super::scale::Scale;
    use super::path;

    #[test]
    fn a_gap_lifts_the_pen() {
        let scale = Scale::up_to(10.0, 140.0);
        let values = [Some(0.0), Some(10.0), None, Some(5.0)];
        assert_eq!(path(&values, 150.0, scale), "M123 144h0.1L273 4M573 74h0.1");
        assert_eq!(path(&[], 150.0, scale), "");
    }
}
