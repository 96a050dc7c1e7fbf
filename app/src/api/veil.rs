//! Whether texts and contacts of a page are hidden from its reader.

use crate::console::Console;
use crate::view::{Caller, ConsoleError, Permission, Veil, Veiled};

/// The veil over what a page is about, unless the reader lifted it; `back` is the page's address.
pub(crate) async fn veil(
    console: &dyn Console,
    who: &Caller,
    over: &Veiled,
    back: String,
) -> Result<Option<Veil>, ConsoleError> {
    let is_revealed = console.is_revealed(who, over).await?;
    Ok((!is_revealed).then(|| Veil {
        over: over.stored().to_owned(),
        back,
        may_lift: who.may(Permission::Reveal),
    }))
}
