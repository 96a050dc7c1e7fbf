//! Several processes share the work: what they tell each other saves time and store, and no more than that.

mod stage;

use std::sync::Arc;

use replygate_engine::Verb;
use replygate_gate::ReplyStatus::{Delivered, Parked, Pending};
use replygate_gate::{At, ParkReason};
use replygate_ports::budgets::Rate;
use replygate_ports::mirror::{Glance, Mirror};
use replygate_ports::store::Store;
use replygate_ports::tickets::{Arrived, Ticket, Tickets, TicketsUnavailable};
use stage::cable::Cable;
use stage::{Setting, World, key};

/// A quarter of a second after which a worker that found a session leased looks once more, and some room.
const ONE_MORE_LOOK: i64 = 300;

#[tokio::test(start_paused = true)]
async fn what_a_web_process_takes_in_is_answered_on_time_by_a_worker() {
    let world = World::new(Setting::default().with_peers()).await;
    let web = world.open_web(1).await;
    let worker = world.open(2).await;
    web.write("p1", "1", "Chegou?").await;
    assert_eq!(web.engine.figures().timers, 0, "a web process keeps none");
    worker.until(3_000).await;
    // Window and delay as with one process that does everything.
    assert_eq!(worker.screen("p1"), [(1_800, "Chegou?".to_owned())]);
    worker.sound().await;
}

#[tokio::test(start_paused = true)]
async fn what_an_operator_does_in_a_web_process_is_acted_upon_at_once() {
    let world = World::new(Setting::default().with_peers()).await;
    let web = world.open_web(1).await;
    let worker = world.open(2).await;
    web.act("p2", Verb::TakeOver).await.unwrap_err();
    web.write("p2", "1", "Chegou?").await;
    worker.until(200).await;
    web.act("p2", Verb::TakeOver).await.unwrap();
    web.act(
        "p2",
        Verb::Say {
            parts: vec!["Chegou.".to_owned()],
        },
    )
    .await
    .unwrap();
    worker.until(250).await;
    assert_eq!(worker.screen("p2"), [(200, "Chegou.".to_owned())]);
}

#[tokio::test(start_paused = true)]
async fn of_three_workers_one_takes_the_turn_and_the_others_do_not_ask_the_store() {
    let world = World::new(Setting::default().with_peers().with_agent_ms(5_000)).await;
    let web = world.open_web(1).await;
    let cables: Vec<_> = (0..3).map(|_| Cable::to(world.store.clone())).collect();
    for (seed, cable) in (2..).zip(&cables) {
        world.open_over(seed, cable.clone()).await;
    }
    web.write("p3", "1", "Chegou?").await;
    web.until(1_100).await;
    let before: Vec<u64> = cables.iter().map(|cable| cable.calls()).collect();
    web.until(1_200 + ONE_MORE_LOOK).await;
    let asked = cables.iter().zip(&before);
    let idle = asked.filter(|(cable, before)| cable.calls() - **before <= 1);
    // The sweeper's round is the one call.
    assert_eq!(idle.count(), 2);
    web.until(30_000).await;
    assert_eq!(web.runs_for("p3").len(), 1);
    let events = web.events("p3").await;
    assert_eq!(events.iter().filter(|event| *event == "taken").count(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_ticket_for_a_held_reply_is_dropped_without_asking_the_store() {
    let mut setting = Setting::default().with_peers().with_agent_ms(0);
    setting.settings[0].operational_delay_ms = 1_000;
    let world = World::new(setting).await;
    let cable = Cable::to(world.store.clone());
    let worker = world.open_over(1, cable.clone()).await;
    worker.write("p4", "1", "Chegou?").await;
    // Answered at 1200, due at 2200; a dangling message holds it from 2100 on.
    worker.until(2_100).await;
    assert_eq!(worker.statuses("p4").await, [Pending]);
    worker.write("p4", "2", "e também").await;
    worker.until(2_150).await;
    let before = cable.calls();
    worker.until(2_300).await;
    assert_eq!(cable.calls(), before, "the mirror says that it is held");
    worker.until(60_000).await;
    assert_eq!(worker.statuses("p4").await, [Delivered, Delivered]);
    worker.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_mirror_that_lags_behind_keeps_no_released_reply_back() {
    let mut setting = Setting::default().with_peers();
    setting.settings[0].operational_delay_ms = 1_000;
    let world = World::new(setting).await;
    let worker = world.open(1).await;
    worker.write("p5", "1", "Chegou?").await;
    worker.until(1_500).await;
    // The last that the mirror heard is a hold that ended before it could hear of that.
    let session = key("webchat", "p5").session();
    let version = world.store.load(session).await.unwrap().unwrap().version;
    let held = Glance {
        version: version - 1,
        next: None,
        held: None,
    };
    let shared = world.shared.clone().unwrap();
    shared.mirror.tell(session, held).await;
    worker.until(3_000).await;
    assert_eq!(worker.screen("p5"), [(2_200, "Chegou?".to_owned())]);
}

#[tokio::test(start_paused = true)]
async fn a_ticket_that_only_the_store_may_answer_passes_a_mirror_that_is_wrong() {
    let mut setting = Setting::default().with_peers();
    setting.settings[0].operational_delay_ms = 60_000;
    let world = World::new(setting).await;
    let worker = world.open(1).await;
    worker.write("p6", "1", "Chegou?").await;
    worker.until(61_100).await;
    let session = key("webchat", "p6").session();
    let wrong = Glance {
        version: u64::MAX,
        next: None,
        held: None,
    };
    let shared = world.shared.clone().unwrap();
    shared.mirror.tell(session, wrong).await;
    let reply = worker.replies("p6").await[0].id;
    let ticket = Ticket {
        reply,
        session,
        attempt: 0,
        version: None,
    };
    let due = replygate_testkit::clock::EPOCH.plus(61_200);
    shared.tickets.publish(ticket, due).await.unwrap();
    worker.until(62_000).await;
    assert_eq!(worker.screen("p6"), [(61_200, "Chegou?".to_owned())]);
}

/// A broker that is away.
struct NoBroker;

#[async_trait::async_trait]
impl Tickets for NoBroker {
    async fn publish(&self, _: Ticket, _: At) -> Result<(), TicketsUnavailable> {
        Err(TicketsUnavailable("nobody is there".into()))
    }

    async fn next(&self) -> Result<Arrived, TicketsUnavailable> {
        std::future::pending().await
    }

    async fn done(&self, _: u64) -> Result<(), TicketsUnavailable> {
        Ok(())
    }

    async fn leave(&self) {}
}

#[tokio::test(start_paused = true)]
async fn without_a_broker_replies_leave_a_little_later_and_in_order() {
    let mut world = World::new(Setting::default().with_peers()).await;
    if let Some(shared) = &mut world.shared {
        shared.tickets = Arc::new(NoBroker);
    }
    let (one, two) = (world.open(1).await, world.open(2).await);
    one.write("p12", "1", "Chegou?").await;
    one.until(2_500).await;
    one.write("p12", "2", "Onde fica?").await;
    two.until(20_000).await;
    assert_eq!(two.texts("p12"), ["Chegou?", "Onde fica?"]);
    // Due at 1800; the sweeper's grace and round come on top.
    assert!((1_800..4_400).contains(&two.screen("p12")[0].0));
    two.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_parked_reply_is_told_to_the_brokers_copy_once() {
    let world = World::new(Setting::without_debounce().with_peers()).await;
    let worker = world.open(1).await;
    worker.write("p7", "1", "<1> #fail").await;
    worker.until(5_000).await;
    assert_eq!(worker.statuses("p7").await, [Parked]);
    worker.write("p7", "2", "and now?").await;
    worker.until(10_000).await;
    let told = world.shared.clone().unwrap().parked.told();
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].reply, worker.replies("p7").await[0].id);
    assert_eq!(told[0].reason, ParkReason::AgentFailed);
    assert_eq!(told[0].channel, "webchat");
}

#[tokio::test(start_paused = true)]
async fn a_process_that_ends_leaves_its_timers_to_the_others_at_once() {
    let world = World::new(Setting::default().with_peers()).await;
    let one = world.open(1).await;
    let two = world.open(2).await;
    one.write("p8", "1", "Chegou?").await;
    one.until(500).await;
    one.close().await;
    two.until(5_000).await;
    assert_eq!(two.screen("p8"), [(1_800, "Chegou?".to_owned())]);
    two.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_a_process_hands_back_as_it_ends_is_taken_by_another_at_once() {
    let mut setting = Setting::default().with_peers().with_agent_ms(20_000);
    setting.tuning.drain_ms = 1_000;
    let world = World::new(setting).await;
    let one = world.open(1).await;
    one.write("p9", "1", "Vocês entregam?").await;
    one.until(2_000).await;
    let two = world.open(2).await;
    one.close().await;
    two.until(two.t() + ONE_MORE_LOOK).await;
    assert_eq!(two.runs_for("p9").len(), 2, "without the sweeper");
    two.until(120_000).await;
    assert_eq!(two.texts("p9"), ["Vocês entregam?"]);
    two.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_dead_workers_turn_is_taken_up_when_its_lease_is_over() {
    let world = World::new(Setting::default().with_peers().with_agent_ms(3_000)).await;
    let one = world.open(1).await;
    one.write("p10", "1", "Chegou?").await;
    one.until(2_000).await;
    let two = world.open(2).await;
    one.kill().await;
    two.until(60_000).await;
    assert_eq!(two.texts("p10"), ["Chegou?"]);
    let taken_again = two.runs_for("p10")[1].0;
    // The lease in the store lives 15 s from the take on, and the other worker knows.
    assert!((16_200..16_600).contains(&taken_again), "{taken_again}");
    two.sound().await;
}

/// Three answers to one person, as quickly as the rate lets them leave.
async fn three_at(rate: Rate, setting: Setting) -> Vec<i64> {
    let mut setting = setting;
    setting.settings[0].rate = Some(rate);
    setting.settings[0].operational_delay_ms = 0;
    let stage = World::new(setting).await.open(1).await;
    for id in ["1", "2", "3"] {
        stage.write("b1", id, &format!("<{id}> now.")).await;
        stage.until(stage.t() + 20).await;
    }
    stage.until(60_000).await;
    assert_eq!(stage.texts("b1"), ["<1> now.", "<2> now.", "<3> now."]);
    stage.sound().await;
    stage.screen("b1").iter().map(|(at, _)| *at).collect()
}

#[tokio::test(start_paused = true)]
async fn a_chat_is_not_written_to_faster_than_its_rate() {
    let rate = Rate {
        per_second: 0.5,
        burst: 1,
    };
    let times = three_at(rate, Setting::without_debounce()).await;
    assert!(times[1] - times[0] >= 2_000, "{times:?}");
    assert!(times[2] - times[1] >= 2_000, "{times:?}");
    assert!(times[2] < 4_500, "{times:?}");
}

#[tokio::test(start_paused = true)]
async fn a_burst_leaves_at_once() {
    let rate = Rate {
        per_second: 0.1,
        burst: 3,
    };
    let times = three_at(rate, Setting::without_debounce().with_peers()).await;
    assert!(times[2] < 200, "{times:?}");
}

#[tokio::test(start_paused = true)]
async fn the_parts_of_a_reply_keep_to_the_rate_as_well() {
    let mut setting = Setting::default();
    setting.settings[0].rate = Some(Rate {
        per_second: 1.0,
        burst: 1,
    });
    let world = World::new(setting).await;
    let stage = world.open(1).await;
    stage.write("b2", "1", "<1> #parts").await;
    stage.write("b2", "2", "<2> #parts").await;
    stage.write("b2", "3", "<3> #parts").await;
    stage.until(60_000).await;
    let times: Vec<i64> = stage.screen("b2").iter().map(|(at, _)| *at).collect();
    assert_eq!(times.len(), 3);
    // Room for the first part is taken with the claim, a little before it is due.
    assert!((950..=1_000).contains(&(times[1] - times[0])), "{times:?}");
    assert_eq!(times[2] - times[1], 1_000);
    let claims = stage.events("b2").await;
    let claims = claims.iter().filter(|event| *event == "claimed").count();
    assert_eq!(claims, 1, "the claim waits for room");
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_slow_rate_loses_nothing_although_no_claim_lives_so_long() {
    let mut setting = Setting::default();
    setting.settings[0].send_timeout_ms = 1_000;
    setting.settings[0].rate = Some(Rate {
        per_second: 0.05,
        burst: 1,
    });
    let world = World::new(setting).await;
    let stage = world.open(1).await;
    stage.write("b3", "1", "<1> #parts").await;
    stage.write("b3", "2", "<2> #parts").await;
    stage.until(90_000).await;
    let times: Vec<i64> = stage.screen("b3").iter().map(|(at, _)| *at).collect();
    assert_eq!(times.len(), 2);
    assert!(times[1] - times[0] >= 19_950, "{times:?}");
    assert_eq!(stage.statuses("b3").await, [Delivered]);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn the_store_is_never_asked_by_a_process_that_only_takes_messages_in() {
    let world = World::new(Setting::default().with_peers()).await;
    let cable = Cable::to(world.store.clone());
    let web = world
        .open_over_web(1, cable.clone() as Arc<dyn Store>)
        .await;
    web.write("p11", "1", "Chegou?").await;
    let before = cable.calls();
    web.until(60_000).await;
    assert_eq!(cable.calls(), before);
}
