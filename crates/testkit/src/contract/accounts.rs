//! What every accounts store must keep: one user per name, one use per one-time token, nothing past its end.

use futures::future::join_all;
use replygate_gate::At;
use replygate_ports::accounts::{Reveal, SignIn, Token, User};

use super::AccountsHarness;
use super::harness::restarted;
use crate::clock::EPOCH;

/// The suite of the accounts port.
#[macro_export]
macro_rules! accounts_contract {
    ($name:ident, $harness:ty $(, $($runtime:tt)*)?) => {
        $crate::contract_cases!($name, $harness, ($($($runtime)*)?), accounts: [
            names_are_compared_case_folded_and_kept_as_typed,
            saving_a_known_name_replaces_role_and_password_only,
            users_are_listed_by_name,
            a_removed_user_is_gone_with_their_links,
            a_token_is_taken_once,
            a_token_ends_when_it_says,
            a_sign_in_ends_when_it_says_or_is_ended,
            a_sign_in_is_replaced_under_its_id,
            a_person_is_told_their_own_sign_ins,
            what_is_revealed_ends_with_its_sign_in,
            a_scope_is_revealed_once_and_the_first_reveal_is_told,
            accounts_survive_a_restart,
        ]);
    };
}

fn user(name: &str) -> User {
    User {
        name: name.to_owned(),
        role: "operator".to_owned(),
        password: None,
        created_at: EPOCH,
    }
}

fn token(hash: &str, expires_at: Option<At>) -> Token {
    Token {
        hash: hash.to_owned(),
        scope: "first-run".to_owned(),
        subject: "admin".to_owned(),
        expires_at,
    }
}

fn sign_in(id: &str, data: &[u8]) -> SignIn {
    SignIn {
        id: id.to_owned(),
        person: "ana".to_owned(),
        data: data.to_vec(),
        expires_at: EPOCH.plus(100),
    }
}

fn reveal(sign_in: &str, scope: &str, later_ms: u64) -> Reveal {
    Reveal {
        sign_in: sign_in.to_owned(),
        scope: scope.to_owned(),
        reason: format!("why {later_ms}"),
        at: EPOCH.plus(later_ms),
    }
}

pub async fn names_are_compared_case_folded_and_kept_as_typed<H: AccountsHarness>(harness: H) {
    let accounts = harness.accounts();
    accounts.save_user(user("Ana")).await.unwrap();
    accounts.save_user(user("Žofie")).await.unwrap();
    for name in ["ana", "ANA", "Ana"] {
        assert_eq!(
            accounts.user(name).await.unwrap(),
            Some(user("Ana")),
            "{name}"
        );
    }
    assert_eq!(accounts.user("žOFIE").await.unwrap(), Some(user("Žofie")));
    assert_eq!(accounts.user("an").await.unwrap(), None);
}

pub async fn saving_a_known_name_replaces_role_and_password_only<H: AccountsHarness>(harness: H) {
    let accounts = harness.accounts();
    accounts.save_user(user("Ana")).await.unwrap();
    let mut changed = user("ANA");
    "admin".clone_into(&mut changed.role);
    changed.password = Some("$argon2id$v=19$…".to_owned());
    changed.created_at = EPOCH.plus(99);
    accounts.save_user(changed.clone()).await.unwrap();

    let expected = User {
        name: "Ana".to_owned(),
        created_at: EPOCH,
        ..changed
    };
    assert_eq!(accounts.users().await.unwrap(), [expected]);
}

pub async fn users_are_listed_by_name<H: AccountsHarness>(harness: H) {
    let accounts = harness.accounts();
    assert_eq!(accounts.users().await.unwrap(), []);
    for name in ["rui", "Ana", "eva"] {
        accounts.save_user(user(name)).await.unwrap();
    }
    let names: Vec<_> = accounts
        .users()
        .await
        .unwrap()
        .into_iter()
        .map(|user| user.name)
        .collect();
    assert_eq!(names, ["Ana", "eva", "rui"]);
}

pub async fn a_removed_user_is_gone_with_their_links<H: AccountsHarness>(harness: H) {
    let accounts = harness.accounts();
    for name in ["Ana", "rui"] {
        accounts.save_user(user(name)).await.unwrap();
    }
    let of = |hash: &str, scope: &str, subject: &str| Token {
        scope: scope.to_owned(),
        subject: subject.to_owned(),
        ..token(hash, None)
    };
    for kept_or_not in [
        of("aa", "first-run", "Ana"),
        of("bb", "first-run", "rui"),
        of("cc", "operate", "Ana"),
    ] {
        accounts.save_token(kept_or_not).await.unwrap();
    }
    accounts.remove_user("ANA").await.unwrap();
    accounts.remove_user("nobody").await.unwrap();
    assert_eq!(accounts.users().await.unwrap(), [user("rui")]);
    assert_eq!(accounts.token("aa", EPOCH).await.unwrap(), None);
    for kept in ["bb", "cc"] {
        assert!(
            accounts.token(kept, EPOCH).await.unwrap().is_some(),
            "{kept}"
        );
    }
}

pub async fn a_token_is_taken_once<H: AccountsHarness>(harness: H) {
    let accounts = harness.accounts();
    accounts.save_token(token("aa", None)).await.unwrap();
    accounts.save_token(token("bb", None)).await.unwrap();
    let taken = join_all((0..8).map(|_| accounts.take_token("aa"))).await;
    assert_eq!(
        taken
            .into_iter()
            .filter(|taken| *taken.as_ref().unwrap())
            .count(),
        1
    );
    assert_eq!(accounts.token("aa", EPOCH).await.unwrap(), None);
    assert_eq!(
        accounts.token("bb", EPOCH).await.unwrap(),
        Some(token("bb", None))
    );
    assert!(!accounts.take_token("cc").await.unwrap());
}

pub async fn a_token_ends_when_it_says<H: AccountsHarness>(harness: H) {
    let accounts = harness.accounts();
    let ends = token("aa", Some(EPOCH.plus(100)));
    accounts.save_token(ends.clone()).await.unwrap();
    accounts.save_token(token("bb", None)).await.unwrap();
    assert_eq!(
        accounts.token("aa", EPOCH.plus(99)).await.unwrap(),
        Some(ends)
    );
    assert_eq!(accounts.token("aa", EPOCH.plus(100)).await.unwrap(), None);
    assert_eq!(
        accounts.token("bb", At(i64::MAX)).await.unwrap(),
        Some(token("bb", None))
    );
}

pub async fn a_sign_in_ends_when_it_says_or_is_ended<H: AccountsHarness>(harness: H) {
    let accounts = harness.accounts();
    accounts
        .save_sign_in(sign_in("a", &[0, 159, 255]))
        .await
        .unwrap();
    accounts.save_sign_in(sign_in("b", b"other")).await.unwrap();
    assert_eq!(
        accounts.sign_in("a", EPOCH.plus(99)).await.unwrap(),
        Some(sign_in("a", &[0, 159, 255]))
    );
    assert_eq!(accounts.sign_in("a", EPOCH.plus(100)).await.unwrap(), None);
    accounts.end_sign_in("a").await.unwrap();
    accounts.end_sign_in("never there").await.unwrap();
    assert_eq!(accounts.sign_in("a", EPOCH).await.unwrap(), None);
    assert_eq!(
        accounts.sign_in("b", EPOCH).await.unwrap(),
        Some(sign_in("b", b"other"))
    );
}

pub async fn a_sign_in_is_replaced_under_its_id<H: AccountsHarness>(harness: H) {
    let accounts = harness.accounts();
    accounts.save_sign_in(sign_in("a", b"first")).await.unwrap();
    let longer = SignIn {
        expires_at: EPOCH.plus(500),
        ..sign_in("a", b"second")
    };
    accounts.save_sign_in(longer.clone()).await.unwrap();
    assert_eq!(
        accounts.sign_in("a", EPOCH.plus(200)).await.unwrap(),
        Some(longer)
    );
}

pub async fn a_person_is_told_their_own_sign_ins<H: AccountsHarness>(harness: H) {
    let accounts = harness.accounts();
    let of = |id: &str, person: &str| SignIn {
        person: person.to_owned(),
        ..sign_in(id, b"data")
    };
    for each in [
        of("a", "ana"),
        of("b", "rui"),
        of("c", "ana"),
        of("d", "ana"),
    ] {
        accounts.save_sign_in(each).await.unwrap();
    }
    accounts.end_sign_in("c").await.unwrap();
    let long = SignIn {
        expires_at: EPOCH.plus(500),
        ..of("d", "ana")
    };
    accounts.save_sign_in(long.clone()).await.unwrap();
    let mut own = accounts.sign_ins_of("ana", EPOCH).await.unwrap();
    own.sort_by(|a, b| a.id.cmp(&b.id));
    assert_eq!(own, [of("a", "ana"), long.clone()]);
    let later = accounts.sign_ins_of("ana", EPOCH.plus(100)).await.unwrap();
    assert_eq!(later, [long]);
    assert_eq!(accounts.sign_ins_of("eva", EPOCH).await.unwrap(), []);
}

pub async fn what_is_revealed_ends_with_its_sign_in<H: AccountsHarness>(harness: H) {
    let accounts = harness.accounts();
    for id in ["a", "b"] {
        accounts.save_sign_in(sign_in(id, b"data")).await.unwrap();
        accounts.save_reveal(reveal(id, "parked", 1)).await.unwrap();
    }
    // A sign-in that goes on keeps what is revealed in it.
    accounts.save_sign_in(sign_in("a", b"more")).await.unwrap();
    let found = accounts.reveal("a", Some("parked")).await.unwrap();
    assert_eq!(found, Some(reveal("a", "parked", 1)));
    accounts.end_sign_in("a").await.unwrap();
    assert_eq!(accounts.reveal("a", None).await.unwrap(), None);
    let other = accounts.reveal("b", Some("parked")).await.unwrap();
    assert_eq!(other, Some(reveal("b", "parked", 1)));
}

pub async fn a_scope_is_revealed_once_and_the_first_reveal_is_told<H: AccountsHarness>(harness: H) {
    let accounts = harness.accounts();
    accounts.save_sign_in(sign_in("a", b"data")).await.unwrap();
    assert_eq!(accounts.reveal("a", None).await.unwrap(), None);
    for (scope, later_ms) in [("ses_1", 5), ("parked", 7), ("ses_1", 9)] {
        let each = reveal("a", scope, later_ms);
        accounts.save_reveal(each).await.unwrap();
    }
    let first = Some(reveal("a", "ses_1", 5));
    assert_eq!(accounts.reveal("a", None).await.unwrap(), first);
    assert_eq!(accounts.reveal("a", Some("ses_1")).await.unwrap(), first);
    assert_eq!(accounts.reveal("a", Some("ses_2")).await.unwrap(), None);
    assert_eq!(accounts.reveal("b", None).await.unwrap(), None);
}

pub async fn accounts_survive_a_restart<H: AccountsHarness>(harness: H) {
    let accounts = harness.accounts();
    accounts.save_user(user("Ana")).await.unwrap();
    accounts.save_token(token("aa", None)).await.unwrap();
    accounts.save_sign_in(sign_in("a", b"data")).await.unwrap();
    drop(accounts);
    let Some(harness) = restarted(harness).await else {
        return;
    };
    let accounts = harness.accounts();
    assert_eq!(accounts.user("ana").await.unwrap(), Some(user("Ana")));
    assert_eq!(
        accounts.token("aa", EPOCH).await.unwrap(),
        Some(token("aa", None))
    );
    assert_eq!(
        accounts.sign_in("a", EPOCH).await.unwrap(),
        Some(sign_in("a", b"data"))
    );
}
