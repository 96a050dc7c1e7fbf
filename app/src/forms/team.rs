//! `POST /settings/team`: people and roles. A link is shown in the answer itself and nowhere else: an address would keep
//! it.

use super::Posted;
use super::posted::{invalid, refusal, see};
use crate::pages::plain as pages;
use crate::plain;
use crate::view::{ConsoleError, MemberLink, Role};
use axum::Extension;
use axum::response::Response;
use leptos::config::LeptosOptions;

const ADDRESS: &str = "/settings/team";

pub(super) async fn post(options: Extension<LeptosOptions>, form: Posted) -> Response {
    match done(&form).await {
        Ok(None) => see(ADDRESS),
        Ok(Some(link)) => plain::answer(pages::team, &options, form.again(ADDRESS), link).await,
        Err(error) => refusal(ADDRESS, &error),
    }
}

async fn done(form: &Posted) -> Result<Option<MemberLink>, ConsoleError> {
    let (console, who) = (&form.console, &form.caller);
    let name = form.field("name").unwrap_or_default().trim().to_owned();
    match form.field("deed").as_deref() {
        Some("invite") => console.invite(who, name, role(form)?).await.map(Some),
        Some("reset") => console.reset(who, name).await.map(Some),
        Some("role") => {
            console.set_role(who, name, role(form)?).await?;
            Ok(None)
        }
        Some("remove") => {
            console.remove(who, name).await?;
            Ok(None)
        }
        other => Err(invalid(
            "deed",
            other.unwrap_or_default(),
            "invite, reset, role, remove",
        )),
    }
}

fn role(form: &Posted) -> Result<Role, ConsoleError> {
    let word = form.field("role").unwrap_or_default();
    Role::from_stored(&word).ok_or_else(|| {
        let allowed: Vec<_> = Role::ALL.iter().map(|role| role.stored()).collect();
        invalid("role", &word, &allowed.join(", "))
    })
}
