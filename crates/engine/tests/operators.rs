//! What people and other systems do to a conversation: take it over, hand it back, lock it, put replies away; each once,
//! each on what was seen.

mod stage;

use replygate_engine::{StepError, Verb};
use replygate_gate::ReplyStatus::{Delivered, Discarded, Parked, Unknown};
use replygate_gate::{Author, DropReason, ParkReason, Refusal, Target};
use replygate_ports::changes::MessageState::Dropped;
use replygate_ports::store::{HistoryEntry, Store};
use replygate_testkit::scripted::Scripted;
use stage::{Setting, Stage};

fn say(text: &str) -> Verb {
    Verb::Say {
        parts: vec![text.to_owned()],
    }
}

fn refused(made: Result<replygate_engine::Made, StepError>) -> Refusal {
    match made {
        Err(StepError::Refused(refusal)) => refusal,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn a_person_takes_over_answers_and_hands_back() {
    let stage = Stage::set(Setting::default()).await;
    stage.write("p1", "1", "¿Hablo con una persona?").await;
    stage.until(1_500).await;
    // The agent's reply is on its way and is kept back.
    stage.act("p1", Verb::TakeOver).await.unwrap();
    stage.act("p1", say("Sí, soy Ana.")).await.unwrap();
    stage
        .play(&[(5_000, "p1", "2", "¡Qué bien! ¿Y el pedido?")])
        .await;
    stage.until(10_000).await;
    stage.act("p1", say("Sale hoy.")).await.unwrap();
    stage.until(20_000).await;
    assert_eq!(stage.texts("p1"), ["Sí, soy Ana.", "Sale hoy."]);
    assert_eq!(stage.runs_for("p1").len(), 1);
    let replies = stage.replies("p1").await;
    assert_eq!(replies[0].park_reason, Some(ParkReason::HumanTakeover));
    assert_eq!(replies[1].author, Author::Person);
    assert_eq!(stage.fates("p1").await[1].1, Dropped(DropReason::Person));

    stage.act("p1", Verb::HandBack).await.unwrap();
    stage
        .play(&[(30_000, "p1", "3", "¿A qué hora abren?")])
        .await;
    stage.until(60_000).await;
    assert_eq!(stage.texts("p1")[2], "¿A qué hora abren?");
    // The agent knows what the person said.
    let runs = stage.world.props.agent.runs();
    let said = |entry: &HistoryEntry| matches!(entry, HistoryEntry::Person { .. });
    assert_eq!(
        runs[1]
            .turn
            .history
            .iter()
            .filter(|entry| said(entry))
            .count(),
        2
    );
    assert_eq!(runs[1].turn.messages.len(), 1);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_takeover_stops_the_running_turn_and_nobody_else_may_speak() {
    let stage = Stage::set(Setting::default().with_agent_ms(20_000)).await;
    stage.write("p2", "1", "Me ajuda?").await;
    stage.until(3_000).await;
    stage
        .act_as("ana", "p2", Verb::TakeOver, None)
        .await
        .unwrap();
    let taken = |by: &str| Refusal::TakenOver { by: by.to_owned() };
    assert_eq!(
        refused(stage.act_as("rui", "p2", Verb::TakeOver, None).await),
        taken("ana")
    );
    assert_eq!(
        refused(stage.act_as("rui", "p2", say("oi"), None).await),
        taken("ana")
    );
    stage.until(90_000).await;
    assert_eq!(stage.screen("p2"), []);
    assert_eq!(
        stage.replies("p2").await.len(),
        0,
        "the turn brought nothing"
    );
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn nobody_speaks_or_hands_back_without_having_taken_over() {
    let stage = Stage::set(Setting::default()).await;
    stage.write("p3", "1", "Hello?").await;
    assert_eq!(
        refused(stage.act("p3", say("hi")).await),
        Refusal::NotTakenOver
    );
    assert_eq!(
        refused(stage.act("p3", Verb::HandBack).await),
        Refusal::NotTakenOver
    );
    let nobody = stage.act("never-seen", Verb::TakeOver).await;
    assert!(matches!(nobody, Err(StepError::NoSession)));
}

#[tokio::test(start_paused = true)]
async fn what_a_takeover_parked_can_be_sent_after_the_hand_back() {
    let stage = Stage::set(Setting::default()).await;
    stage.write("p4", "1", "Qual o prazo?").await;
    stage.until(1_500).await;
    stage.act("p4", Verb::TakeOver).await.unwrap();
    let target = stage.target("p4", 0).await;
    let verb = Verb::Reprocess(target);
    assert!(matches!(
        refused(stage.act("p4", verb.clone()).await),
        Refusal::TakenOver { .. }
    ));
    stage.act("p4", Verb::HandBack).await.unwrap();
    stage.act("p4", verb).await.unwrap();
    stage.until(10_000).await;
    assert_eq!(stage.texts("p4"), ["Qual o prazo?"]);
    stage.sound().await;
}

fn lock(holder: &str, lease_ms: u64) -> Verb {
    Verb::Lock {
        holder: holder.to_owned(),
        lease_ms,
        ttl_ms: 30_000,
    }
}

#[tokio::test(start_paused = true)]
async fn an_outside_lock_keeps_replies_back_and_its_end_lets_them_go_at_once() {
    let stage = Stage::set(Setting::without_debounce()).await;
    stage.write("p5", "1", "status?").await;
    stage
        .act_as("crm", "p5", lock("crm", 10_000), None)
        .await
        .unwrap();
    let held = Refusal::LockHeld {
        holder: "crm".to_owned(),
    };
    let other = || Some("erp".to_owned());
    assert_eq!(refused(stage.act("p5", lock("erp", 1_000)).await), held);
    assert_eq!(
        refused(stage.act("p5", Verb::Unlock { holder: other() }).await),
        held
    );
    stage.until(4_000).await;
    assert_eq!(stage.screen("p5"), []);
    let holder = Some("crm".to_owned());
    stage.act("p5", Verb::Unlock { holder }).await.unwrap();
    stage.until(4_050).await;
    assert_eq!(stage.texts("p5"), ["status?"]);
    assert_eq!(
        refused(stage.act("p5", Verb::Unlock { holder: None }).await),
        Refusal::NoLock
    );
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_lock_stops_no_turn_and_holds_only_its_session() {
    let stage = Stage::set(Setting::default()).await;
    stage
        .play(&[
            (0, "p6", "1", "Tem estoque?"),
            (0, "p7", "1", "Tem estoque?"),
        ])
        .await;
    stage.act("p6", lock("crm", 20_000)).await.unwrap();
    stage.until(10_000).await;
    assert_eq!(stage.runs_for("p6").len(), 1);
    assert_eq!(stage.screen("p6"), []);
    assert_eq!(stage.screen("p7").len(), 1);
    stage
        .act("p6", Verb::Unlock { holder: None })
        .await
        .unwrap();
    stage.until(11_000).await;
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_lost_outcome_is_marked_delivered_or_sent_again_by_a_person_only() {
    let stage = Stage::set(Setting::without_debounce()).await;
    for contact in ["p8", "p9"] {
        stage.world.props.channel.script(contact, &[Scripted::Lost]);
        stage.write(contact, "1", "did you get it?").await;
    }
    stage.until(600_000).await;
    for contact in ["p8", "p9"] {
        assert_eq!(stage.statuses(contact).await, [Unknown]);
    }
    assert_eq!(stage.world.props.channel.hand_overs().len(), 2);
    stage
        .act("p8", Verb::MarkDelivered(stage.target("p8", 0).await))
        .await
        .unwrap();
    stage
        .act("p9", Verb::Reprocess(stage.target("p9", 0).await))
        .await
        .unwrap();
    stage.until(700_000).await;
    assert_eq!(stage.statuses("p8").await, [Delivered]);
    assert_eq!(stage.statuses("p9").await, [Delivered]);
    assert_eq!(stage.texts("p9"), ["did you get it?"]);
    assert_eq!(stage.world.props.channel.hand_overs().len(), 3);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn only_what_waits_for_a_person_is_put_away_and_only_as_it_was_seen() {
    let stage = Stage::set(Setting::without_debounce()).await;
    stage.world.props.channel.script("p10", &[Scripted::Refuse]);
    stage.write("p10", "1", "ainda?").await;
    stage.until(300).await;
    let early = stage.target("p10", 0).await;
    assert!(matches!(
        refused(stage.act("p10", Verb::Discard(early.clone())).await),
        Refusal::NotParked { .. }
    ));
    stage.until(5_000).await;
    assert_eq!(stage.statuses("p10").await, [Parked]);
    assert!(matches!(
        refused(stage.act("p10", Verb::Discard(early)).await),
        Refusal::Changed { .. }
    ));
    let seen = stage.target("p10", 0).await;
    assert!(matches!(
        refused(stage.act("p10", Verb::MarkDelivered(seen.clone())).await),
        Refusal::NotParked { .. }
    ));
    stage.act("p10", Verb::Discard(seen.clone())).await.unwrap();
    assert_eq!(stage.statuses("p10").await, [Discarded]);
    for verb in [Verb::Discard(seen.clone()), Verb::Reprocess(seen)] {
        assert_eq!(refused(stage.act("p10", verb).await), Refusal::Final);
    }
    stage.until(600_000).await;
    assert_eq!(stage.screen("p10"), []);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_repeated_request_does_nothing_and_tells_what_was_done() {
    let stage = Stage::set(Setting::default()).await;
    stage.write("p11", "1", "Oi?").await;
    let verbs = [Verb::TakeOver, say("Olá!"), Verb::HandBack];
    for (index, verb) in verbs.into_iter().enumerate() {
        let request = format!("form-{index}");
        let word = verb.word();
        stage
            .act_as("ana", "p11", verb.clone(), Some(&request))
            .await
            .unwrap();
        let before = stage.events("p11").await;
        let again = stage.act_as("ana", "p11", verb, Some(&request)).await;
        let Err(StepError::Repeated(record)) = again else {
            panic!("{again:?}");
        };
        assert_eq!(
            (record.action.by.as_str(), record.action.verb.as_str()),
            ("ana", word)
        );
        assert_eq!(stage.events("p11").await, before);
    }
    stage.until(30_000).await;
    assert_eq!(stage.texts("p11"), ["Olá!"]);
    let record = stage.world.store.action("form-1").await.unwrap().unwrap();
    assert_eq!(record.action.verb, "say");
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn two_presses_of_one_form_at_once_are_one_deed() {
    let stage = Stage::set(Setting::without_debounce()).await;
    stage.world.props.channel.script("p12", &[Scripted::Refuse]);
    stage.write("p12", "1", "really?").await;
    stage.until(5_000).await;
    let target = stage.target("p12", 0).await;
    let verb = |target: &Target| Verb::Reprocess(target.clone());
    let (first, second) = tokio::join!(
        stage.act_as("ana", "p12", verb(&target), Some("form")),
        stage.act_as("ana", "p12", verb(&target), Some("form")),
    );
    assert!(first.is_ok() != second.is_ok());
    stage.until(20_000).await;
    assert_eq!(stage.texts("p12"), ["really?"]);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_person_lets_a_held_reply_go() {
    let stage = Stage::set(Setting::default()).await;
    stage
        .play(&[
            (0, "p13", "1", "Quanto custa?"),
            (1_300, "p13", "2", "#cancel na verdade,"),
        ])
        .await;
    stage.until(2_500).await;
    assert_eq!(stage.screen("p13"), [], "held by what may take it back");
    stage.act("p13", Verb::ReleaseHold).await.unwrap();
    stage.until(2_600).await;
    assert_eq!(stage.texts("p13"), ["Quanto custa?"]);
    stage.until(60_000).await;
    stage.sound().await;
}
