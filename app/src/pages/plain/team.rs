//! `/settings/team`: who may use the console, and as what.

use crate::parts::{Came, Heading, Trouble};
use crate::plain::Asked;
use crate::view::said::Said;
use crate::view::{At, ConsoleError, Member, MemberLink, Membership, Permission, Role};
use crate::words::words;
use leptos::prelude::*;

/// The page.
pub(super) async fn page(asked: Asked) -> AnyView {
    match read(&asked).await {
        Ok((members, me, at)) => {
            let said = Said::read(|name| asked.term(name));
            let link = use_context::<MemberLink>();
            view! { <Sheet members me at said link/> }.into_any()
        }
        Err(error) => view! { <Trouble error/> }.into_any(),
    }
}

async fn read(asked: &Asked) -> Result<(Vec<Member>, String, At), ConsoleError> {
    let (console, caller) = asked.inside()?;
    let members = console.members(&caller).await?;
    Ok((members, caller.name, console.now()))
}

#[component]
fn Sheet(
    members: Vec<Member>,
    /// Who reads.
    me: String,
    at: At,
    said: Said,
    link: Option<MemberLink>,
) -> impl IntoView {
    let words = words();
    let own = &words.team;
    let refused = match said {
        Said::Refused(error) => Some((words.after_form)(&error)),
        _ => None,
    };
    let lines = members
        .into_iter()
        .map(|member| view! { <Line is_me=member.name == me member/> })
        .collect_view();
    let columns = &own.columns;
    view! {
        <Heading title=own.title at/>
        {refused.map(|text| view! { <Came done=false>{text}</Came> })}
        {link.map(|link| view! { <Link link/> })}
        <div class="panel">
            <table class="stack">
                <caption>{own.caption}</caption>
                <thead>
                    <tr>
                        <th scope="col">{columns.name}</th>
                        <th scope="col">{columns.state}</th>
                        <th scope="col">{columns.role}</th>
                        <th scope="col">{columns.act}</th>
                    </tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
        </div>
        <section aria-labelledby="invite">
            <h2 id="invite">{own.invite}</h2>
            <form class="filter" method="post" action="/settings/team">
                <label>{columns.name}<input name="name" required maxlength="64" autocapitalize="none" autocomplete="off"/></label>
                <label>{columns.role}<Roles chosen=Role::Operator/></label>
                <button type="submit" class="primary" name="deed" value="invite">{own.invite_button}</button>
            </form>
        </section>
        <section aria-labelledby="roles">
            <h2 id="roles">{own.roles}</h2>
            <RolesTable/>
        </section>
    }
}

/// A link is shown once: who loses it gets another one.
#[component]
fn Link(link: MemberLink) -> impl IntoView {
    let own = &words().team;
    let until = crate::parts::zone().long(link.until);
    view! {
        <section class="notice done" role="status">
            <h2>{(own.link_for)(&link.name)}</h2>
            <p><code class="link">{link.path}</code></p>
            <p>{(own.link_hint)(&until)}</p>
        </section>
    }
}

#[component]
fn Line(member: Member, is_me: bool) -> impl IntoView {
    let own = &words().team;
    let columns = &own.columns;
    let (name, role) = (member.name, member.role);
    let state = (own.membership_of)(member.membership);
    let (for_role, for_rest, named) = (name.clone(), name.clone(), name.clone());
    let reset = match member.membership {
        Membership::Active => own.reset,
        Membership::Invited => own.new_link,
    };
    view! {
        <tr>
            <th scope="row" data-label=columns.name>{named}{is_me.then(|| view! { <span class="role">{own.you}</span> })}</th>
            <td data-label=columns.state>{state}</td>
            <td data-label=columns.role>
                <form class="inline" method="post" action="/settings/team">
                    <input type="hidden" name="name" value=for_role/>
                    <Roles chosen=role/>
                    <button type="submit" name="deed" value="role">{own.save}</button>
                </form>
            </td>
            <td data-label=columns.act>
                <form class="inline" method="post" action="/settings/team">
                    <input type="hidden" name="name" value=for_rest/>
                    <button type="submit" name="deed" value="reset">{reset}</button>
                    <button type="submit" name="deed" value="remove">{own.remove}</button>
                </form>
            </td>
        </tr>
    }
}

#[component]
fn Roles(chosen: Role) -> impl IntoView {
    let role_of = words().domain.role;
    let options = Role::ALL
        .iter()
        .map(|role| {
            let is_chosen = *role == chosen;
            view! { <option value=role.stored() selected=is_chosen>{role_of(*role)}</option> }
        })
        .collect_view();
    view! { <select name="role" aria-label=words().team.columns.role>{options}</select> }
}

/// What each role may do.
#[component]
fn RolesTable() -> impl IntoView {
    let words = words();
    let heads = Role::ALL
        .iter()
        .map(|role| view! { <th scope="col">{(words.domain.role)(*role)}</th> })
        .collect_view();
    let rows = Permission::ALL
        .iter()
        .map(|permission| {
            let cells = Role::ALL
                .iter()
                .map(|role| {
                    let may = role.permissions().contains(permission);
                    let word = if may { words.me.may } else { words.me.may_not };
                    view! { <td data-allowed=may.to_string()>{word}</td> }
                })
                .collect_view();
            view! { <tr><th scope="row">{(words.domain.permission)(*permission)}</th>{cells}</tr> }
        })
        .collect_view();
    view! {
        <div class="panel scroll">
            <table class="plain">
                <caption class="quiet">{words.team.roles}</caption>
                <thead><tr><th scope="col">{words.team.may}</th>{heads}</tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}
