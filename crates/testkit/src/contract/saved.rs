//! What every store of saved views must keep: one view per slug, private ones told to their owners only.

use replygate_ports::saved::SavedView;

use super::SavedViewsHarness;
use super::harness::restarted;
use crate::clock::EPOCH;

/// The suite of the port of saved views.
#[macro_export]
macro_rules! saved_views_contract {
    ($name:ident, $harness:ty $(, $($runtime:tt)*)?) => {
        $crate::contract_cases!($name, $harness, ($($($runtime)*)?), saved: [
            a_private_view_is_told_to_its_owner_only,
            views_are_told_by_name_of_one_list_or_of_all,
            a_slug_that_is_there_stays_what_it_is,
            saved_views_survive_a_restart,
        ]);
    };
}

fn view(slug: &str, list: &str, owner: &str, is_shared: bool) -> SavedView {
    SavedView {
        slug: slug.to_owned(),
        name: format!("The {slug} of ‘{owner}’"),
        list: list.to_owned(),
        address: format!("/{list}?q={slug}"),
        owner: owner.to_owned(),
        is_shared,
        created_at: EPOCH,
    }
}

fn slugs(views: &[SavedView]) -> Vec<&str> {
    views.iter().map(|view| view.slug.as_str()).collect()
}

pub async fn a_private_view_is_told_to_its_owner_only<H: SavedViewsHarness>(harness: H) {
    let saved = harness.saved_views();
    let (own, all) = (
        view("own", "parked", "ana", false),
        view("all", "parked", "ana", true),
    );
    for each in [&own, &all] {
        assert!(saved.save_view(each.clone()).await.unwrap());
    }
    assert_eq!(saved.saved_view("ana", "own").await.unwrap(), Some(own));
    assert_eq!(saved.saved_view("rui", "own").await.unwrap(), None);
    assert_eq!(saved.saved_view("rui", "all").await.unwrap(), Some(all));
    let of_rui = saved.saved_views("rui", Some("parked")).await.unwrap();
    assert_eq!(slugs(&of_rui), ["all"]);
    assert_eq!(saved.saved_view("ana", "none").await.unwrap(), None);
}

pub async fn views_are_told_by_name_of_one_list_or_of_all<H: SavedViewsHarness>(harness: H) {
    let saved = harness.saved_views();
    for (slug, list) in [("b", "parked"), ("a", "parked"), ("c", "messages")] {
        let each = view(slug, list, "ana", false);
        saved.save_view(each).await.unwrap();
    }
    let of = async |list| saved.saved_views("ana", list).await.unwrap();
    assert_eq!(slugs(&of(Some("parked")).await), ["a", "b"]);
    assert_eq!(slugs(&of(Some("sessions")).await), [""; 0]);
    assert_eq!(slugs(&of(None).await), ["a", "b", "c"]);
    saved.remove_view("a").await.unwrap();
    saved.remove_view("never there").await.unwrap();
    assert_eq!(slugs(&of(None).await), ["b", "c"]);
}

pub async fn a_slug_that_is_there_stays_what_it_is<H: SavedViewsHarness>(harness: H) {
    let saved = harness.saved_views();
    let first = view("own", "parked", "ana", false);
    assert!(saved.save_view(first.clone()).await.unwrap());
    let second = view("own", "messages", "rui", true);
    assert!(!saved.save_view(second).await.unwrap());
    assert_eq!(saved.saved_view("ana", "own").await.unwrap(), Some(first));
    assert_eq!(saved.saved_view("rui", "own").await.unwrap(), None);
}

pub async fn saved_views_survive_a_restart<H: SavedViewsHarness>(harness: H) {
    let saved = harness.saved_views();
    let own = view("own", "parked", "ana", false);
    saved.save_view(own.clone()).await.unwrap();
    drop(saved);
    let Some(harness) = restarted(harness).await else {
        return;
    };
    let saved = harness.saved_views();
    assert_eq!(saved.saved_view("ana", "own").await.unwrap(), Some(own));
}
