//! The schedule: in order, bounded, paged.

use replygate_gate::At;

use super::schedule;
use crate::contract::StoreHarness;
use crate::contract::stage::{Stage, direct};

pub async fn the_schedule_is_in_order_and_bounded<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let mut due = Vec::new();
    for number in 0..10 {
        let contact = direct(&format!("contact {number}"));
        stage.arrive(&contact, "hello").await;
        due.push((
            stage.load(&contact).await.session.window.unwrap().due,
            contact.session(),
        ));
        // Every second pair is due at the same instant.
        stage.later(10 * (number % 2));
    }
    due.sort_unstable();

    let until = due[6].0;
    let expected: Vec<_> = due.iter().copied().filter(|(at, _)| *at <= until).collect();
    assert_eq!(
        stage.store.scheduled(until, None, 100).await.unwrap(),
        expected
    );
    assert_eq!(
        stage.store.scheduled(until, None, 3).await.unwrap(),
        expected[..3]
    );
    assert_eq!(
        stage
            .store
            .scheduled(due[0].0.minus(1), None, 100)
            .await
            .unwrap(),
        []
    );
}

pub async fn paging_the_schedule_is_stable_under_changes<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let keys: Vec<_> = (0..9)
        .map(|number| direct(&format!("contact {number}")))
        .collect();
    for key in &keys {
        stage.arrive(key, "hello").await;
    }
    let all = stage
        .store
        .scheduled(At(i64::MAX), None, 100)
        .await
        .unwrap();

    let mut seen = Vec::new();
    let mut after = None;
    loop {
        let page = stage.store.scheduled(At(i64::MAX), after, 2).await.unwrap();
        let Some(last) = page.last() else { break };
        after = Some(*last);
        seen.extend(page);
        // A newcomer before the present page, as sessions come and go while a sweeper pages.
        stage.now = all[0].0.minus(100_000 + seen.len() as u64);
        stage
            .arrive(&direct(&format!("newcomer {}", seen.len())), "hello")
            .await;
    }
    assert_eq!(seen, all);
}

pub async fn a_session_at_rest_leaves_the_schedule<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    stage.arrive(&ana, "hello").await;
    assert_eq!(schedule(&*stage.store, At(i64::MAX)).await, [ana.session()]);
    let fence = stage.take(&ana).await;
    stage.commit(&ana, fence, Vec::new(), &[]).await;
    assert_eq!(schedule(&*stage.store, At(i64::MAX)).await, []);
    stage.arrive(&ana, "again").await;
    assert_eq!(schedule(&*stage.store, At(i64::MAX)).await, [ana.session()]);
}
