//! The wheel of an operation: the plan and its start, or pause, resume and stop. Plain forms; nothing happens without one.

use crate::api::OperationView;
use crate::parts::Erase;
use crate::view::{At, ItemWord, OperationRow, OperationWord, Pace, PlanSummary, Steer};
use crate::words::words;
use leptos::prelude::*;

/// What may be done with the operation in its present state.
#[component]
pub(super) fn Steering(shown: RwSignal<OperationView>) -> impl IntoView {
    // The forms are made anew only when the state changes, so that nobody's typing is lost to a count.
    let state = Memo::new(move |_| {
        let shown = shown.read();
        (shown.detail.row.state, shown.may_steer)
    });
    move || {
        let (state, may_steer) = state.get();
        let view = shown.get_untracked();
        let row = view.detail.row;
        if state == OperationWord::Planned {
            let now = view.detail.items.as_of;
            return view
                .detail
                .plan
                .map(|plan| view! { <Plan row plan may_steer now/> }.kept());
        }
        (!state.is_over()).then(|| view! { <Wheel row may_steer/> }.kept())
    }
}

#[component]
fn Plan(row: OperationRow, plan: PlanSummary, may_steer: bool, now: At) -> impl IntoView {
    let words = words();
    let own = &words.operation;
    let ready = row.count(ItemWord::Ready);
    let written = plan.written.map(|(from, to)| {
        let ago = |at: At| (words.measure.ago)(now.since(at));
        (own.customers)(row.choice, ready, &ago(to), &ago(from))
    });
    let skipped = lines(&plan.skipped, own.skipped);
    let noticed = lines(&plan.noticed, own.noticed);
    let channels = (plan.channels.len() > 1).then(|| {
        let each = plan.channels.iter();
        let each: Vec<String> = each
            .map(|(channel, count)| format!("{} {count}", channel.name))
            .collect();
        each.join(", ")
    });
    let asks = plan.asks_for_the_number();
    let pace = Pace::usual(ready);
    let reason_needed = ready > 1;
    view! {
        <section class="plan" aria-labelledby="plan">
            <h2 id="plan">{(own.question)(row.choice, ready)}</h2>
            {written.map(|text| view! { <p>{text}</p> })}
            <ul class="checks">{skipped}{noticed}</ul>
            {channels.map(|text| view! { <p>{own.by_channel}" "{text}</p> })}
            <p>{own.not_included}" "{(own.no_way_back)(row.choice)}</p>
            <form class="fields" method="post" action=row.id.address()>
                <label class="wide">
                    {own.reason}
                    <input name="reason" maxlength="500" required=reason_needed/>
                </label>
                <fieldset>
                    <legend>{own.pace}</legend>
                    <label>{own.per_minute}<input name="per_minute" type="number" min="1" max="6000" value=pace.per_minute/></label>
                    <label>{own.first}<input name="first" type="number" min="0" value=pace.first aria-describedby="first-hint"/></label>
                    <p id="first-hint" class="hint">{own.first_hint}</p>
                    <label>{own.halt}<input name="halt_percent" type="number" min="1" max="100" value=pace.halt_percent/></label>
                </fieldset>
                {asks.then(|| view! {
                    <label>{(own.typed)(ready)}<input name="typed" inputmode="numeric" autocomplete="off" required/></label>
                })}
                <div class="buttons">
                    <button type="submit" class="primary" name="steer" value=Steer::Start.stored()
                        disabled=!may_steer || ready == 0>
                        {(own.start)(row.choice, ready)}
                    </button>
                    <a href="/parked">{own.keep}</a>
                </div>
                {(!may_steer).then(|| view! { <p class="hint">{own.may_not}</p> })}
            </form>
        </section>
    }
}

/// How many are skipped or noticed, and why.
fn lines(groups: &[(String, u32)], word: fn(u32, &str) -> String) -> impl IntoView + use<> {
    let own = &words().operation;
    groups
        .iter()
        .map(|(why, count)| view! { <li>{word(*count, &(own.why_of)(why))}</li> })
        .collect_view()
}

#[component]
fn Wheel(row: OperationRow, may_steer: bool) -> impl IntoView {
    let own = &words().operation;
    let goes = matches!(row.state, OperationWord::Running | OperationWord::Waiting);
    let first = if goes {
        (Steer::Pause, own.pause)
    } else {
        (Steer::Resume, own.resume)
    };
    let buttons = [first, (Steer::Stop, own.stop)];
    let hint = (own.wheel)(row.state);
    let buttons = buttons
        .into_iter()
        .map(|(steer, word)| {
            view! {
                <button type="submit" name="steer" value=steer.stored() disabled=!may_steer>{word}</button>
            }
        })
        .collect_view();
    view! {
        <form class="buttons" method="post" action=row.id.address()>
            {buttons}
            <span class="hint">{hint}</span>
        </form>
    }
}
