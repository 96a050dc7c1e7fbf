//! Retention: what is old goes, open work stays whole.

use replygate_gate::{At, SessionKey};
use replygate_ports::accounts::{Reveal, SignIn, Token};
use replygate_ports::store::AppendError;
use replygate_ports::upkeep::{Cutoffs, Pruned};

use super::settled;
use crate::clock::EPOCH;
use crate::contract::UpkeepHarness;
use crate::contract::stage::{Stage, accepted, direct};

fn texts_before(cutoff: At) -> Cutoffs {
    Cutoffs {
        texts: cutoff,
        ..Cutoffs::default()
    }
}

fn steps_before(cutoff: At) -> Cutoffs {
    Cutoffs {
        steps: cutoff,
        ..Cutoffs::default()
    }
}

fn keys_before(cutoff: At) -> Cutoffs {
    Cutoffs {
        dedupe_keys: cutoff,
        ..Cutoffs::default()
    }
}

fn credentials_before(cutoff: At) -> Cutoffs {
    Cutoffs {
        credentials: cutoff,
        ..Cutoffs::default()
    }
}

fn all_before(cutoff: At) -> Cutoffs {
    Cutoffs {
        texts: cutoff,
        dedupe_keys: cutoff,
        steps: cutoff,
        credentials: cutoff,
    }
}

pub async fn old_texts_are_emptied_and_the_rest_stays<H: UpkeepHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let (ana, rui) = (direct("ana"), direct("rui"));
    let old = settled(&mut stage, &ana, "old").await;
    let border = stage.now;
    let new = settled(&mut stage, &rui, "new").await;
    let before = stage.load(&ana).await;

    let pruned = harness
        .upkeep()
        .prune(&texts_before(border), 100)
        .await
        .unwrap();
    assert_eq!(
        pruned,
        Pruned {
            texts: 2,
            ..Pruned::default()
        }
    );
    let texts = stage.store.texts(&[old.0, new.0]).await.unwrap();
    assert_eq!(
        texts
            .iter()
            .map(|text| text.text.as_str())
            .collect::<Vec<_>>(),
        ["", "new"]
    );
    let replies = stage.store.replies(&[old.1, new.1]).await.unwrap();
    assert_eq!((replies[0].parts.len(), replies[1].parts.len()), (0, 1));
    assert_eq!(stage.load(&ana).await, before);
    assert_eq!(
        harness
            .upkeep()
            .prune(&texts_before(border), 100)
            .await
            .unwrap(),
        Pruned::default()
    );
}

pub async fn old_steps_go_and_the_session_stays<H: UpkeepHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    settled(&mut stage, &ana, "old").await;
    let (border, kept) = (stage.now, stage.load(&ana).await.version);
    settled(&mut stage, &ana, "new").await;
    let before = stage.load(&ana).await;

    let pruned = harness
        .upkeep()
        .prune(&steps_before(border), 100)
        .await
        .unwrap();
    assert_eq!(
        pruned,
        Pruned {
            steps: kept,
            ..Pruned::default()
        }
    );
    assert_eq!(stage.load(&ana).await, before);
    let steps = stage.store.events(ana.session(), 0, 100).await.unwrap();
    assert_eq!(
        (steps[0].version, steps.last().unwrap().version),
        (kept + 1, before.version)
    );
    // And it goes on.
    settled(&mut stage, &ana, "newest").await;
}

pub async fn dedupe_keys_stay_until_their_time<H: UpkeepHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let old = stage.message_under(&ana, "m-1", None, "old");
    stage.try_receive(&ana, old.clone()).await.unwrap();
    let reply = stage.answer(&ana, "yes").await;
    stage.hand_over(&ana, reply, accepted()).await;
    let received = stage.store.texts(&[old.id]).await.unwrap()[0].received_at;

    let pruned = harness
        .upkeep()
        .prune(&keys_before(received), 100)
        .await
        .unwrap();
    assert_eq!(pruned, Pruned::default());
    let again = stage.message_under(&ana, "m-1", None, "old");
    let refused = stage.try_receive(&ana, again).await.unwrap_err();
    assert!(
        matches!(refused, AppendError::Duplicate { message } if message == old.id),
        "{refused:?}"
    );

    let pruned = harness
        .upkeep()
        .prune(&keys_before(received.plus(1)), 100)
        .await
        .unwrap();
    assert_eq!(
        pruned,
        Pruned {
            dedupe_keys: 1,
            ..Pruned::default()
        }
    );
    assert_eq!(stage.store.find_message(&old.dedupe).await.unwrap(), None);
    assert_eq!(stage.store.texts(&[old.id]).await.unwrap()[0].text, "old");
}

pub async fn a_session_with_open_work_is_left_whole<H: UpkeepHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let (waits, unsent, held, done) = (
        direct("waits"),
        direct("unsent"),
        direct("held"),
        direct("done"),
    );
    settled(&mut stage, &waits, "old").await;
    let last = stage.arrive(&waits, "still open").await;
    let (_, reply) = stage.exchange(&unsent, "two", "not sent yet").await;
    stage.exchange(&held, "three", "held").await;
    stage.arrive(&held, "four").await;
    settled(&mut stage, &done, "five").await;
    let all = |key: &SessionKey| (key.session(), stage.store.clone());
    let mut before = Vec::new();
    for key in [&waits, &unsent, &held] {
        let (session, store) = all(key);
        before.push((
            store.history(session, &[], 100).await.unwrap(),
            store.events(session, 0, 100).await.unwrap(),
        ));
    }

    let end = stage.now.plus(1);
    let pruned = harness.upkeep().prune(&all_before(end), 100).await.unwrap();
    assert_eq!((pruned.texts, pruned.dedupe_keys), (2, 1));
    for (key, before) in [&waits, &unsent, &held].into_iter().zip(before) {
        let (session, store) = all(key);
        assert_eq!(store.history(session, &[], 100).await.unwrap(), before.0);
        assert_eq!(store.events(session, 0, 100).await.unwrap(), before.1);
    }
    assert_eq!(
        stage.store.texts(&[last]).await.unwrap()[0].text,
        "still open"
    );
    assert_eq!(
        stage.store.replies(&[reply]).await.unwrap()[0].parts,
        ["not sent yet"]
    );
}

pub async fn a_round_is_bounded_and_rounds_come_to_an_end<H: UpkeepHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    for number in 0..6 {
        settled(&mut stage, &direct(&format!("contact {number}")), "old").await;
    }
    let end = stage.now.plus(1);
    let mut total = Pruned::default();
    let mut rounds = 0;
    loop {
        let pruned = harness.upkeep().prune(&all_before(end), 4).await.unwrap();
        if pruned == Pruned::default() {
            break;
        }
        assert!(
            pruned.dedupe_keys <= 4 && pruned.steps <= 4 && pruned.texts <= 8,
            "{pruned:?}"
        );
        total.texts += pruned.texts;
        total.dedupe_keys += pruned.dedupe_keys;
        total.steps += pruned.steps;
        rounds += 1;
        assert!(rounds < 100);
    }
    assert_eq!((total.texts, total.dedupe_keys, total.steps), (12, 6, 30));
}

pub async fn credentials_that_ended_go_and_the_others_stay<H: UpkeepHarness>(harness: H) {
    let accounts = harness.accounts();
    for (name, end) in [("ended", 10), ("ends now", 20), ("lives", 30)] {
        let expires_at = EPOCH.plus(end);
        let (id, data) = (name.to_owned(), Vec::new());
        let sign_in = SignIn {
            id,
            person: "ana".to_owned(),
            data,
            expires_at,
        };
        accounts.save_sign_in(sign_in).await.unwrap();
        let reveal = Reveal {
            sign_in: name.to_owned(),
            scope: "parked".to_owned(),
            reason: "why".to_owned(),
            at: EPOCH,
        };
        accounts.save_reveal(reveal).await.unwrap();
        let token = token(name, Some(expires_at));
        accounts.save_token(token).await.unwrap();
    }
    accounts.save_token(token("endless", None)).await.unwrap();

    let upkeep = harness.upkeep();
    for _ in 0..2 {
        let pruned = upkeep.prune(&credentials_before(EPOCH.plus(20)), 1).await;
        assert_eq!(pruned.unwrap().credentials, 1, "no more than the limit");
    }
    let pruned = upkeep.prune(&credentials_before(EPOCH.plus(20)), 1).await;
    assert_eq!(pruned.unwrap(), Pruned::default());
    for (name, stays) in [("ended", false), ("ends now", true), ("lives", true)] {
        let sign_in = accounts.sign_in(name, EPOCH).await.unwrap();
        assert_eq!(sign_in.is_some(), stays, "{name}");
        let reveal = accounts.reveal(name, None).await.unwrap();
        assert_eq!(reveal.is_some(), stays, "{name}");
        assert_eq!(accounts.take_token(name).await.unwrap(), stays, "{name}");
    }
    assert!(accounts.take_token("endless").await.unwrap());
}

fn token(hash: &str, expires_at: Option<At>) -> Token {
    Token {
        hash: hash.to_owned(),
        scope: "operate".to_owned(),
        subject: "ana".to_owned(),
        expires_at,
    }
}
