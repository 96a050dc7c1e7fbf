//! What stands around a list.

use crate::console::Console;
use crate::view::{Around, Caller, ConsoleError, ListWord, Permission, READY_MADE, ViewLink};
use crate::words::words;

/// The views of a list and what the reader may do with it; `here` is its address with the filter.
pub(crate) async fn around(
    console: &dyn Console,
    who: &Caller,
    list: ListWord,
    here: String,
) -> Result<Around, ConsoleError> {
    let whole = ViewLink {
        name: words().views.all.to_owned(),
        address: format!("/{}", list.stored()),
    };
    let ready = READY_MADE.iter().filter(|(own, ..)| *own == list);
    let ready = ready.map(|(_, slug, address)| ViewLink {
        name: (words().views.ready_made)(slug).to_owned(),
        address: (*address).to_owned(),
    });
    let saved = console.saved_views(who, Some(list)).await?;
    let saved = saved.into_iter().map(|view| ViewLink {
        name: view.name,
        address: view.address,
    });
    Ok(Around {
        here,
        views: std::iter::once(whole).chain(ready).chain(saved).collect(),
        may_share: who.may(Permission::ShareViews),
        may_export: who.may(Permission::Export),
    })
}
