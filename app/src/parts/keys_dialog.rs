//! The list of keys, closed until somebody asks for it with `?`. Where single keys are switched off it is not there.

use crate::view::Section;
use crate::words::words;
use leptos::prelude::*;

/// The dialog; the browser half opens it.
#[component]
#[cfg(feature = "ssr")]
pub(crate) fn KeysDialog() -> impl IntoView {
    let words = &words().keys;
    view! {
        <dialog id="keys" aria-labelledby="keys-title">
            <h2 id="keys-title">{words.title}</h2>
            <KeysList/>
            <form method="dialog"><button>{words.close}</button></form>
        </dialog>
    }
}

/// Every key and what it does.
#[component]
#[cfg(feature = "ssr")]
pub(crate) fn KeysList() -> impl IntoView {
    let (shell, words) = (&words().shell, &words().keys);
    let sections = Section::MENU.iter().map(|section| {
        view! {
            <div><dt><kbd>"g"</kbd>" "<kbd>{section.key()}</kbd></dt><dd>{(shell.section)(*section)}</dd></div>
        }
    });
    let others = words.others.iter().map(|(keys, what)| {
        let keys = keys
            .split(' ')
            .map(|key| view! { <kbd>{key}</kbd>" " })
            .collect_view();
        view! { <div><dt>{keys}</dt><dd>{*what}</dd></div> }
    });
    view! { <dl class="keys">{others.collect_view()}{sections.collect_view()}</dl> }
}
