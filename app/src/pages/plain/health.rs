//! `/health`: whether every part works, and what breaks where one does not.

use crate::parts::{Heading, Trouble, zone};
use crate::plain::Asked;
use crate::view::{At, ConsoleError, Health, HealthReport};
use crate::words::words;
use leptos::prelude::*;

/// The page.
pub(super) async fn page(asked: Asked) -> AnyView {
    match read(&asked).await {
        Ok(report) => view! { <Sheet report/> }.into_any(),
        Err(error) => view! { <Trouble error/> }.into_any(),
    }
}

async fn read(asked: &Asked) -> Result<HealthReport, ConsoleError> {
    let (console, caller) = asked.inside()?;
    console.health(&caller).await
}

#[component]
fn Sheet(report: HealthReport) -> impl IntoView {
    let own = &words().health;
    let since = zone().long(report.since);
    let lines = report
        .parts
        .into_iter()
        .map(|health| view! { <Line health/> })
        .collect_view();
    view! {
        <Heading title=own.title at=report.as_of/>
        <div class="panel">
            <table class="stack">
                <caption>{own.caption}</caption>
                <thead>
                    <tr>
                        <th scope="col">{own.part}</th>
                        <th scope="col">{own.state}</th>
                        <th scope="col">{own.detail}</th>
                        <th scope="col">{own.breaks}</th>
                    </tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
        </div>
        <p class="hint">{(own.version)(&report.version, &since)}</p>
        <p class="hint">{own.probes}</p>
    }
}

#[component]
fn Line(health: Health) -> impl IntoView {
    let own = &words().health;
    let name = (own.name_of)(&health);
    let zone = zone();
    let time = move |at: At| zone.long(at);
    let facts: Vec<String> = health
        .facts
        .iter()
        .map(|fact| (own.fact_of)(fact, &time))
        .collect();
    let detail = facts.join(", ");
    view! {
        <tr>
            <th scope="row" data-label=own.part>{name}</th>
            <td data-label=own.state>
                <span class="state" data-health=health.word.stored()>{(own.word_of)(health.word)}</span>
            </td>
            <td data-label=own.detail>{detail}</td>
            <td data-label=own.breaks>{(own.breaks_of)(&health)}</td>
        </tr>
    }
}
