//! Several processes on one broker.

use std::collections::BTreeSet;

use replygate_ports::tickets::Tickets;
use replygate_testkit::wait::until;

use crate::service::{Place, here, next, take, ticket};

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_never_asks_for_tickets_gets_none() {
    let place = Place::new();
    let (web, worker) = (here!(place.open().await), here!(place.open().await));
    for number in 0..20 {
        web.publish(ticket(number), place.after(0)).await.unwrap();
    }
    let depths = web.depths().await.unwrap();
    let work = place.queue("outbound_messages");
    let work = depths.iter().find(|depth| depth.queue == work).unwrap();
    assert_eq!((work.messages, work.consumers), (20, 0));
    let mut came = BTreeSet::new();
    while came.len() < 20 {
        came.insert(take(&worker).await);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_leaves_gives_back_what_it_did_not_hand_out() {
    let place = Place::new();
    let (leaving, staying) = (here!(place.open().await), here!(place.open().await));
    for number in 0..30 {
        staying
            .publish(ticket(number), place.after(0))
            .await
            .unwrap();
    }
    for number in 30..40 {
        staying
            .publish(ticket(number), place.after(150))
            .await
            .unwrap();
    }
    let first = next(&leaving).await;
    leaving.leave().await;
    leaving.done(first.receipt).await.unwrap();
    let mut came = BTreeSet::from([first.ticket.reply.0]);
    while came.len() < 40 {
        assert!(came.insert(take(&staying).await), "one came twice");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_dead_process_had_comes_to_another() {
    let place = Place::new();
    let (dying, living) = (here!(place.open().await), here!(place.open().await));
    for number in 0..10 {
        living
            .publish(ticket(number), place.after(0))
            .await
            .unwrap();
    }
    let unfinished = next(&dying).await.ticket.reply.0;
    drop(dying);
    let mut came = BTreeSet::new();
    while came.len() < 10 {
        came.insert(take(&living).await);
    }
    assert!(came.contains(&unfinished));
}

#[tokio::test(flavor = "multi_thread")]
async fn installations_do_not_meet() {
    let (here, there) = (Place::new(), Place::new());
    let (one, two) = (here!(here.open().await), here!(there.open().await));
    one.publish(ticket(1), here.after(0)).await.unwrap();
    two.publish(ticket(2), there.after(0)).await.unwrap();
    assert_eq!(take(&two).await, 2);
    assert_eq!(take(&one).await, 1);
    until(|| one.consuming().is_up()).await;
}
