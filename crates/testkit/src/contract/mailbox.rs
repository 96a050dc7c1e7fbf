//! What every built-in mailbox must keep: each call's mail once, and a person's mails gone with the person.

use replygate_gate::ActionId;
use replygate_ports::mailbox::{Mail, MailQuery};

use super::MailboxHarness;
use super::harness::restarted;
use super::stage::direct;
use crate::clock::EPOCH;

/// The suite of the built-in mailbox.
#[macro_export]
macro_rules! mailbox_contract {
    ($name:ident, $harness:ty $(, $($runtime:tt)*)?) => {
        $crate::contract_cases!($name, $harness, ($($($runtime)*)?), mailbox: [
            a_mail_is_kept_once_and_comes_back_as_it_was,
            mails_are_listed_newest_first_and_paged,
            mails_are_filtered,
            old_mails_are_pruned_in_rounds,
            a_forgotten_person_leaves_no_mail,
            mails_survive_a_restart,
        ]);
    };
}

fn mail(id: u128, contact: &str) -> Mail {
    Mail {
        id: ActionId(id),
        whom: direct(contact),
        to: vec!["ana@example.org".to_owned(), "rui@example.org".to_owned()],
        subject: "Comprobante".to_owned(),
        body: "Hola,\n«é🙂» \u{0}".to_owned(),
        sent_at: EPOCH.plus(id as u64),
    }
}

fn every() -> MailQuery {
    MailQuery {
        limit: 100,
        ..MailQuery::default()
    }
}

fn ids(mails: &[Mail]) -> Vec<u128> {
    mails.iter().map(|mail| mail.id.0).collect()
}

pub async fn a_mail_is_kept_once_and_comes_back_as_it_was<H: MailboxHarness>(harness: H) {
    let mailbox = harness.mailbox();
    mailbox.send_mail(mail(1, "ana")).await.unwrap();
    let again = Mail {
        body: "another".to_owned(),
        ..mail(1, "ana")
    };
    mailbox.send_mail(again).await.unwrap();
    assert_eq!(mailbox.mails(&every()).await.unwrap(), [mail(1, "ana")]);
}

pub async fn mails_are_listed_newest_first_and_paged<H: MailboxHarness>(harness: H) {
    let mailbox = harness.mailbox();
    for id in 1..=3 {
        mailbox.send_mail(mail(id, "ana")).await.unwrap();
    }
    let page = |after, limit| MailQuery {
        after,
        limit,
        ..MailQuery::default()
    };
    let first = mailbox.mails(&page(None, 2)).await.unwrap();
    assert_eq!(ids(&first), [3, 2]);
    let last = first.last().map(|mail| (mail.sent_at, mail.id));
    assert_eq!(ids(&mailbox.mails(&page(last, 2)).await.unwrap()), [1]);
}

pub async fn mails_are_filtered<H: MailboxHarness>(harness: H) {
    let mailbox = harness.mailbox();
    let mut elsewhere = mail(3, "ana");
    "other".clone_into(&mut elsewhere.whom.channel);
    for mail in [mail(1, "ana"), mail(2, "rui"), elsewhere] {
        mailbox.send_mail(mail).await.unwrap();
    }
    let ana = MailQuery {
        contact: Some("ana".to_owned()),
        ..every()
    };
    assert_eq!(ids(&mailbox.mails(&ana).await.unwrap()), [3, 1]);
    let other = MailQuery {
        channel: Some("other".to_owned()),
        ..every()
    };
    assert_eq!(ids(&mailbox.mails(&other).await.unwrap()), [3]);
}

pub async fn old_mails_are_pruned_in_rounds<H: MailboxHarness>(harness: H) {
    let mailbox = harness.mailbox();
    for id in 1..=4 {
        mailbox.send_mail(mail(id, "ana")).await.unwrap();
    }
    let border = EPOCH.plus(4);
    let mut rounds = Vec::new();
    for _ in 0..3 {
        rounds.push(mailbox.prune_mails(border, 2).await.unwrap());
    }
    assert_eq!(rounds, [2, 1, 0]);
    assert_eq!(ids(&mailbox.mails(&every()).await.unwrap()), [4]);
}

pub async fn a_forgotten_person_leaves_no_mail<H: MailboxHarness>(harness: H) {
    let mailbox = harness.mailbox();
    mailbox.send_mail(mail(1, "ana")).await.unwrap();
    mailbox.send_mail(mail(2, "rui")).await.unwrap();
    harness
        .upkeep()
        .forget(Some("shop"), "nobody")
        .await
        .unwrap();
    let channel = mail(1, "ana").whom.channel;
    harness
        .upkeep()
        .forget(Some(&channel), "ana")
        .await
        .unwrap();
    assert_eq!(ids(&mailbox.mails(&every()).await.unwrap()), [2]);
}

pub async fn mails_survive_a_restart<H: MailboxHarness>(harness: H) {
    harness.mailbox().send_mail(mail(1, "ana")).await.unwrap();
    let Some(harness) = restarted(harness).await else {
        return;
    };
    assert_eq!(
        harness.mailbox().mails(&every()).await.unwrap(),
        [mail(1, "ana")]
    );
}
