//! `/`: whether anything waits for a person, and whether the system keeps up.

use crate::charts::{Bar, Line, Lines, StackedBars};
use crate::parts::{Heading, Options, Trouble, zone};
use crate::plain::Asked;
use crate::view::range::instant;
use crate::view::{
    At, ConsoleError, FlowStation, Need, OutcomePart, Overview, OverviewAsked, StatusWord,
};
use crate::words::words;
use leptos::prelude::*;

/// Without a wish the charts show so much.
const USUAL: &str = "now-6h";
/// The final statuses in the order of the stack, with their style names.
const STACK: [(StatusWord, &str); 7] = [
    (StatusWord::Delivered, "delivered"),
    (StatusWord::Superseded, "merged"),
    (StatusWord::Cancelled, "cancelled"),
    (StatusWord::Discarded, "discarded"),
    (StatusWord::Expired, "expired"),
    (StatusWord::Parked, "parked"),
    (StatusWord::Unknown, "unknown"),
];

/// The page.
pub(super) async fn page(asked: Asked) -> AnyView {
    let from = asked.term("from").unwrap_or_else(|| USUAL.to_owned());
    let channel = asked.term("channel");
    match read(&asked, &from, channel.clone()).await {
        Ok(overview) => view! { <Sheet overview from channel/> }.into_any(),
        Err(error) => view! { <Trouble error/> }.into_any(),
    }
}

async fn read(
    asked: &Asked,
    from: &str,
    channel: Option<String>,
) -> Result<Overview, ConsoleError> {
    let (console, caller) = asked.inside()?;
    let (now, zone) = (console.now(), &asked.viewer.zone);
    let to = asked.term("to").unwrap_or_else(|| "now".to_owned());
    let wanted = OverviewAsked {
        from: instant("from", from, now, zone)?,
        to: instant("to", &to, now, zone)?,
        channel: channel.map(Into::into),
    };
    if wanted.from >= wanted.to {
        return Err(ConsoleError::Invalid {
            field: "from".to_owned(),
            value: from.to_owned(),
            allowed: "a time before the end".to_owned(),
        });
    }
    console.overview(&caller, wanted).await
}

#[component]
fn Sheet(overview: Overview, from: String, channel: Option<String>) -> impl IntoView {
    let own = &words().overview;
    let channels = overview
        .channels
        .iter()
        .map(|channel| (channel.id.0.clone(), channel.name.clone()))
        .collect();
    let ranges = own
        .ranges
        .iter()
        .map(|(value, word)| {
            let is_chosen = *value == from;
            view! { <option value=*value selected=is_chosen>{*word}</option> }
        })
        .collect_view();
    view! {
        <Heading title=own.title at=overview.as_of/>
        <Needs overview=overview.clone()/>
        <Flow flow=overview.flow.clone()/>
        <form class="filter" method="get" action="/" aria-label=own.range>
            <label>{own.range}<select name="from">{ranges}</select></label>
            <Options label=words().filter.channel name="channel" options=channels chosen=channel/>
            <button type="submit">{words().filter.apply}</button>
        </form>
        <div class="charts">
            <Outcomes overview=overview.clone()/>
            <Times overview=overview.clone()/>
            <Saved overview/>
        </div>
    }
}

#[component]
fn Needs(overview: Overview) -> impl IntoView {
    let words = words();
    let own = &words.overview;
    let now = overview.as_of;
    let median = overview.median_ms.map(own.wait);
    let is_quiet = overview.needs.is_empty();
    let lines = overview
        .needs
        .into_iter()
        .map(|need| {
            let oldest = match &need {
                Need::Parked { oldest, .. } => oldest.map(|at| (words.measure.ago)(now.since(at))),
                _ => None,
            };
            let text = (own.need)(&need, oldest.as_deref());
            view! { <li data-need=name(&need)><a href=address(&need)>{text}</a></li> }
        })
        .collect_view();
    let quiet = (own.quiet)(overview.delivered, median.as_deref());
    view! {
        <section aria-labelledby="needs">
            <h2 id="needs">{own.needs}</h2>
            {if is_quiet {
                view! { <p class="notice done">{quiet}</p> }.into_any()
            } else {
                view! { <ul class="needs">{lines}</ul> }.into_any()
            }}
        </section>
    }
}

const fn name(need: &Need) -> &'static str {
    match need {
        Need::Unknown { .. }
        | Need::UnknownCalls { .. }
        | Need::Parked { .. }
        | Need::Halted { .. } => "parked",
        Need::Unjudged { .. } => "avoided",
        Need::Locked { .. } | Need::Failing { .. } => "stuck",
    }
}

fn address(need: &Need) -> String {
    match need {
        Need::Unknown { .. } => "/parked?why=unknown".to_owned(),
        Need::Parked { .. } => "/parked".to_owned(),
        Need::UnknownCalls { .. } => "/duplicates".to_owned(),
        Need::Unjudged { .. } => "/duplicates?verdict=none".to_owned(),
        Need::Locked { .. } => "/sessions?state=stuck".to_owned(),
        Need::Halted { operation } => operation.address(),
        Need::Failing { .. } => "/health".to_owned(),
    }
}

/// How much is where: a table that reads as a strip.
#[component]
fn Flow(flow: Vec<(FlowStation, u32)>) -> impl IntoView {
    let own = &words().overview;
    let stations = flow
        .into_iter()
        .map(|(station, count)| {
            let address = match station {
                FlowStation::Parked => "/parked".to_owned(),
                other => format!("/sessions?state={}", other.stored()),
            };
            view! {
                <li data-station=station.stored()>
                    <a href=address>
                        <span class="number">{count}</span>
                        <span>{(own.station_of)(station)}</span>
                    </a>
                </li>
            }
        })
        .collect_view();
    view! {
        <section aria-labelledby="flow">
            <h2 id="flow">{own.flow}</h2>
            <ol class="flow">{stations}</ol>
        </section>
    }
}

#[component]
fn Outcomes(overview: Overview) -> impl IntoView {
    let words = words();
    let own = &words.overview;
    let zone = zone();
    let there: Vec<_> = STACK
        .into_iter()
        .filter(|(status, _)| overview.outcomes.iter().any(|part| part.count(*status) > 0))
        .collect();
    let series = there
        .iter()
        .map(|(status, name)| (*name, (words.domain.status)(*status).to_owned()))
        .collect();
    let bars: Vec<Bar> = overview
        .outcomes
        .iter()
        .map(|part| Bar {
            label: label(&zone, part.at, overview.step_ms),
            counts: there
                .iter()
                .map(|(status, _)| part.count(*status))
                .collect(),
        })
        .collect();
    let summary = (own.outcomes_summary)(total(&overview.outcomes), peak(&bars).as_deref());
    view! {
        <StackedBars title=own.outcomes summary series bars time=own.time numbers=own.numbers/>
    }
}

fn total(parts: &[OutcomePart]) -> u64 {
    let counts = parts.iter().flat_map(|part| &part.counts);
    counts
        .filter(|(status, _)| STACK.iter().any(|(own, _)| own == status))
        .map(|(_, count)| count)
        .sum()
}

/// The time of the highest bar.
fn peak(bars: &[Bar]) -> Option<String> {
    let height = |bar: &&Bar| bar.counts.iter().sum::<u64>();
    let highest = bars.iter().max_by_key(height)?;
    (height(&highest) > 0).then(|| highest.label.clone())
}

#[component]
fn Times(overview: Overview) -> impl IntoView {
    let own = &words().overview;
    let zone = zone();
    let of = |at: At| overview.times.iter().find(|part| part.at == at);
    let seconds = |ms: u64| ms as f64 / 1_000.0;
    let line = |name, word: &str, value: fn(&crate::view::TimePart) -> u64| Line {
        name,
        word: word.to_owned(),
        values: overview
            .outcomes
            .iter()
            .map(|part| of(part.at).map(|time| seconds(value(time))))
            .collect(),
    };
    let lines = vec![
        line("median", own.median, |time| time.median_ms),
        line("p95", own.p95, |time| time.p95_ms),
    ];
    let labels = overview
        .outcomes
        .iter()
        .map(|part| label(&zone, part.at, overview.step_ms))
        .collect();
    let worst = overview.times.iter().map(|time| time.p95_ms).max();
    let summary = (own.times_summary)(worst.map(own.wait).as_deref());
    view! { <Lines title=own.times summary tenfold=own.tenfold lines labels time=own.time numbers=own.numbers/> }
}

/// What merging and cancelling spared customers.
#[component]
fn Saved(overview: Overview) -> impl IntoView {
    let own = &words().overview;
    let of = |status| {
        let parts = overview.outcomes.iter();
        parts.map(|part| part.count(status)).sum::<u64>()
    };
    let (merged, cancelled) = (of(StatusWord::Superseded), of(StatusWord::Cancelled));
    view! {
        <section class="figure" aria-labelledby="saved">
            <h3 id="saved">{own.saved}</h3>
            <p>{(own.saved_text)(merged, cancelled)}</p>
        </section>
    }
}

/// A part's time: the day where parts are days, else the hour and minute.
fn label(zone: &crate::view::Zone, at: At, step_ms: i64) -> String {
    const DAY_MS: i64 = 86_400_000;
    if step_ms >= DAY_MS {
        return zone.ymd(at);
    }
    zone.hm(at)
}
