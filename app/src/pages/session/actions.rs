//! What a person may do in a session: take it over, write, hand it back, let held replies go, take a lock off. Plain
//! forms; each carries a request id that was minted with the page.

use crate::api::SessionView;
use crate::parts::{Erase, Erased};
use crate::view::{HoldWhy, SessionAction};
use crate::words::words;
use leptos::prelude::*;

/// What is offered. It follows the state, and only a change of it makes the forms anew, so that nothing typed is lost.
#[derive(Clone, PartialEq, Eq)]
struct Offered {
    taken_over_by: Option<String>,
    is_held: bool,
    lock: Option<(String, String)>,
    may_act: bool,
    may_release: bool,
}

impl Offered {
    fn of(view: &SessionView) -> Self {
        let row = &view.detail.row;
        let lock = row.lock.as_ref();
        let hold = row.hold.as_ref().map(|hold| hold.why);
        Self {
            taken_over_by: row.taken_over.as_ref().map(|by| by.by.clone()),
            is_held: hold == Some(HoldWhy::NewerMessages),
            lock: lock.map(|lock| (lock.owner.name.clone(), lock.owner.token.clone())),
            may_act: view.may_act,
            may_release: view.may_release,
        }
    }
}

/// Where the forms of this page lead, and under which request. Minted with the page and kept: a page that read itself
/// again does not make a second request of a double click.
#[derive(Clone, Copy)]
struct Sending {
    address: StoredValue<String>,
    request: StoredValue<String>,
}

impl Sending {
    fn of(shown: RwSignal<SessionView>) -> Self {
        shown.with_untracked(|view| Self {
            address: StoredValue::new(view.detail.row.id.address()),
            request: StoredValue::new(view.request_id.0.clone()),
        })
    }

    fn request(self, deed: &str) -> String {
        format!("{}-{deed}", self.request.get_value())
    }

    fn button(self, deed: &'static str, word: &'static str, may: bool, main: bool) -> Erased {
        let class = main.then_some("primary");
        view! {
            <form method="post" action=self.address.get_value()>
                <input type="hidden" name="request_id" value=self.request(deed)/>
                <button type="submit" name="deed" value=deed class=class disabled=!may>{word}</button>
            </form>
        }
        .kept()
    }

    fn unlock(self, (holder, token): (String, String), may: bool) -> Erased {
        let word = (words().session_page.unlock)(&holder);
        view! {
            <form method="post" action=self.address.get_value()>
                <input type="hidden" name="request_id" value=self.request("unlock")/>
                <input type="hidden" name="holder" value=holder/>
                <input type="hidden" name="token" value=token/>
                <button type="submit" name="deed" value="unlock" disabled=!may>{word}</button>
            </form>
        }
        .kept()
    }
}

/// The buttons.
#[component]
pub(super) fn Actions(shown: RwSignal<SessionView>) -> impl IntoView {
    let offered = Memo::new(move |_| Offered::of(&shown.read()));
    let sending = Sending::of(shown);
    let me = shown.with_untracked(|view| view.me.clone());
    move || {
        let own = &words().session_page;
        let offered = offered.get();
        let by = offered.taken_over_by.as_deref();
        let (takes, mine) = (by.is_none(), by == Some(me.as_str()));
        let hint = match (offered.may_act, by) {
            (false, _) => own.may_not_act.to_owned(),
            (true, None) => own.take_over_hint.to_owned(),
            (true, Some(_)) if mine => own.hand_back_hint.to_owned(),
            (true, Some(by)) => (own.others)(by),
        };
        view! {
            <div class="actions">
                {takes.then(|| sending.button("take_over", own.take_over, offered.may_act, false))}
                {mine.then(|| sending.button("hand_back", own.hand_back, offered.may_act, false))}
                {offered.is_held.then(|| sending.button("release_hold", own.release_hold, offered.may_release, false))}
                {offered.lock.clone().map(|lock| sending.unlock(lock, offered.may_release))}
                <p class="hint">{hint}</p>
            </div>
        }
    }
}

/// The field for whoever took the session over.
#[component]
pub(super) fn Write(shown: RwSignal<SessionView>) -> impl IntoView {
    let is_mine = Memo::new(move |_| {
        shown.with(|view| {
            let by = view.detail.row.taken_over.as_ref();
            view.may_act && by.is_some_and(|taken| taken.by == view.me)
        })
    });
    let sending = Sending::of(shown);
    move || {
        let own = &words().session_page;
        is_mine.get().then(|| view! {
            <form class="write" method="post" action=sending.address.get_value()>
                <input type="hidden" name="request_id" value=sending.request("say")/>
                <label>
                    {own.write}
                    <textarea name="text" rows="3" maxlength=SessionAction::LONGEST_TEXT required dir="auto"></textarea>
                </label>
                <div class="buttons">
                    <button type="submit" class="primary" name="deed" value="say">{own.send}</button>
                    <span class="hint">{own.send_hint}</span>
                </div>
            </form>
        })
    }
}
