//! Reports from the field about debounce: writers who never pause, pastes in pieces, commands that leave a timer behind,
//! ends of sentences behind invisible characters.

mod stage;

use replygate_gate::DropReason;
use replygate_ports::changes::MessageState::Dropped;
use stage::thorough::Thorough;
use stage::{Setting, Stage, World, inbound};

fn capped(max_wait_ms: u32) -> Setting {
    Setting::channel(|settings| settings.debounce.max_wait_ms = Some(max_wait_ms))
}

/// All texts that the agent read, in order.
fn read(stage: &Stage, contact: &str) -> Vec<String> {
    let runs = stage.runs_for(contact);
    runs.into_iter().flat_map(|(_, texts)| texts).collect()
}

/// FC-01
#[tokio::test(start_paused = true)]
async fn a_writer_who_never_pauses_is_answered_within_the_maximum_wait() {
    let stage = Stage::set(capped(10_000)).await;
    let texts = [
        "mira",
        "el horno",
        "no prende",
        "desde ayer",
        "probé otro enchufe",
        "nada",
        "igual",
        "la luz parpadea",
        "huele raro",
        "quizá",
        "el cable",
        "ayuda",
    ];
    for (index, text) in texts.iter().enumerate() {
        let t = 2_000 * index as i64;
        stage.until(t).await;
        stage
            .write("c01", &format!("wa-{}", 101 + index), text)
            .await;
    }
    stage.until(60_000).await;
    let runs = stage.runs_for("c01");
    assert!(runs[0].0 <= 10_000, "{runs:?}");
    assert!(runs[0].1.len() >= 5);
    assert_eq!(read(&stage, "c01"), texts);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn without_a_maximum_wait_a_writer_is_answered_within_fifteen_seconds_all_the_same() {
    let stage = Stage::set(Setting::default()).await;
    for index in 0..40 {
        stage.until(1_100 * index).await;
        let text = format!("e outra coisa {index},");
        stage.write("c01b", &format!("m{index}"), &text).await;
    }
    stage.until(120_000).await;
    let runs = stage.runs_for("c01b");
    assert!(runs[0].0 <= 15_000, "{runs:?}");
    assert_eq!(read(&stage, "c01b").len(), 40);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn the_maximum_wait_counts_anew_for_what_comes_after_the_first_turn() {
    let stage = Stage::set(capped(5_000)).await;
    for index in 0..9 {
        stage.until(900 * index).await;
        stage.write("c01c", &format!("m{index}"), "hmm").await;
    }
    stage.until(60_000).await;
    let begun: Vec<i64> = stage.runs_for("c01c").iter().map(|(t, _)| *t).collect();
    // 5 s after the first message, then 2.5 s of silence after the last one, well before 5 s after the seventh.
    assert_eq!(begun, [5_000, 9_700]);
    assert_eq!(read(&stage, "c01c").len(), 9);
}

#[tokio::test(start_paused = true)]
async fn a_flood_is_split_at_the_most_messages_and_nothing_is_discarded() {
    let stage = Stage::set(Setting::channel(|settings| {
        settings.debounce.max_messages = 7;
    }))
    .await;
    for index in 0..30 {
        stage.until(50 * index).await;
        let text = format!("foto {index}");
        stage.write("c02", &format!("m{index}"), &text).await;
    }
    stage.until(60_000).await;
    assert_eq!(stage.runs_for("c02")[0].0, 300);
    let expected: Vec<String> = (0..30).map(|index| format!("foto {index}")).collect();
    assert_eq!(read(&stage, "c02"), expected);
    stage.sound().await;
}

fn prose(length: usize, end: &str) -> String {
    let mut text = "we ordered the pump in March and it came without a seal; ".repeat(length / 50);
    text.truncate(length - end.len());
    text + end
}

/// FC-03
#[tokio::test(start_paused = true)]
async fn a_long_paste_in_two_pieces_is_one_turn() {
    let stage = Stage::set(Setting::default()).await;
    let first = prose(2_300, "the supplier then told us that the");
    let second = prose(3_700, "and that is why we write to you.");
    stage
        .play(&[
            (0, "c03", "tg-301", &first),
            (1_400, "c03", "tg-302", &second),
        ])
        .await;
    stage.until(30_000).await;
    assert_eq!(stage.runs_for("c03"), [(2_600, vec![first, second])]);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_paste_in_three_uneven_pieces_is_one_turn() {
    let stage = Stage::set(Setting::default()).await;
    let pieces = [
        prose(900, "porque o técnico disse que"),
        prose(4_000, "e depois disso a"),
        "geladeira parou de novo.".to_owned(),
    ];
    stage
        .play(&[
            (0, "c03b", "a", &pieces[0]),
            (2_500, "c03b", "b", &pieces[1]),
            (4_100, "c03b", "c", &pieces[2]),
        ])
        .await;
    stage.until(30_000).await;
    assert_eq!(stage.runs_for("c03b"), [(5_300, pieces.to_vec())]);
}

#[tokio::test(start_paused = true)]
async fn a_piece_that_comes_after_the_turn_began_is_merged_into_one_reply() {
    let setting = Setting::default().by_rules().with_agent_ms(2_000);
    let stage = Stage::set(setting).await;
    let first = prose(2_300, "the supplier then told us that the");
    let second = "seal was never part of the delivery and that we should ask you.";
    stage
        .play(&[(0, "c03c", "a", &first), (4_900, "c03c", "b", second)])
        .await;
    stage.until(60_000).await;
    assert_eq!(stage.texts("c03c"), [format!("{first} | {second}")]);
    stage.sound().await;
}

/// FC-07
#[tokio::test(start_paused = true)]
async fn a_stop_leaves_no_timer_behind_and_no_other_contact_is_touched() {
    let stage = Stage::set(Setting::default()).await;
    stage
        .play(&[
            (0, "c11", "tg-701", "أريد تغيير عنوان التسليم و"),
            (500, "c12", "tg-901", "أريد الفاتورة من فضلك."),
            (900, "c11", "tg-702", "/stop"),
        ])
        .await;
    let notices = stage.world.props.channel.notices();
    assert_eq!(notices.len(), 1);
    assert_eq!(notices[0].to.contact, "c11");
    assert!(notices[0].at.since(stage_start(&stage)) < 1_200);
    stage.until(60_000).await;
    assert_eq!(stage.runs_for("c11"), []);
    assert_eq!(stage.texts("c11"), Vec::<String>::new());
    assert_eq!(
        stage.fates("c11").await,
        [
            ("tg-701".to_owned(), Dropped(DropReason::Command)),
            ("tg-702".to_owned(), Dropped(DropReason::IsCommand)),
        ]
    );
    assert_eq!(stage.screen("c12").len(), 1);
    stage.sound().await;
}

fn stage_start(stage: &Stage) -> replygate_gate::At {
    use replygate_ports::clock::Clock;
    stage.world.clock.now().minus(stage.t() as u64)
}

#[tokio::test(start_paused = true)]
async fn a_stop_ends_the_running_turn_the_buffer_behind_it_and_the_held_reply() {
    let setting = Setting::channel(|settings| settings.operational_delay_ms = 6_000);
    let stage = Stage::set(setting.with_agent_ms(3_000)).await;
    stage
        .play(&[
            // Answered at 4.2 s, held by the second.
            (0, "c11b", "a", "Quiero cambiar mi plan."),
            (4_500, "c11b", "b", "Y el correo también."),
            (7_000, "c11b", "c", "además"),
            (7_200, "c11b", "d", "¡Alto!"),
        ])
        .await;
    stage.until(120_000).await;
    assert_eq!(stage.texts("c11b"), Vec::<String>::new());
    assert_eq!(stage.world.props.channel.notices().len(), 1);
    stage.sound().await;
    // What comes afterwards is answered as ever.
    stage
        .play(&[(121_000, "c11b", "e", "Hola otra vez, ¿están?")])
        .await;
    stage.until(180_000).await;
    assert_eq!(stage.texts("c11b"), ["Hola otra vez, ¿están?"]);
}

#[tokio::test(start_paused = true)]
async fn a_stop_between_two_effects_starts_no_further_one_and_tells_what_is_done() {
    let world = World::new(Setting::without_debounce()).await;
    let agent = Thorough::new(world.clock.clone());
    let stage = world.with_agent(agent.clone()).open(1).await;
    stage
        .play(&[(0, "c11c", "1", "book it"), (500, "c11c", "2", "/stop")])
        .await;
    stage.until(30_000).await;
    assert_eq!(agent.done(), ["one"]);
    assert_eq!(stage.texts("c11c"), ["stopped, something is done: true"]);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_stop_holds_although_the_process_dies_and_another_takes_the_turn_up() {
    let world = World::new(Setting::without_debounce().shared()).await;
    let agent = Thorough::new(world.clock.clone());
    let world = world.with_agent(agent.clone());
    let first = world.open(1).await;
    first
        .play(&[(0, "c11d", "1", "book it"), (500, "c11d", "2", "/stop")])
        .await;
    first.kill().await;
    let second = world.open(2).await;
    second.until(60_000).await;
    assert_eq!(agent.done(), [""; 0], "the first one died on its way");
    assert_eq!(second.texts("c11d"), ["stopped, something is done: true"]);
    second.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_command_that_is_received_twice_acts_once() {
    let stage = Stage::set(Setting::default()).await;
    stage.play(&[(0, "c11c", "a", "/reset")]).await;
    stage.until(400).await;
    assert!(stage.write("c11c", "a", "/reset").await.duplicate);
    stage.until(5_000).await;
    assert_eq!(stage.world.props.channel.notices().len(), 1);
}

/// FC-08
#[tokio::test(start_paused = true)]
async fn a_complete_sentence_is_seen_behind_whatever_follows_its_mark() {
    let stage = Stage::set(Setting::default()).await;
    let texts = [
        ("c12", "¿Hay estacionamiento? 🙏 \n"),
        ("c13", "Quiero el recibo.\u{200B}"),
        ("c14", "(¿Abren hoy?)"),
        ("c15", "Vocês abrem aos domingos?\u{FE0F}\u{200D} "),
        ("c16", "«Vous avez reçu mon colis.» 👍🏽"),
        ("c17", "「在庫はまだありますか？」\u{3000}"),
        ("c18", "متى تفتحون؟\u{200F}"),
        ("c19", "क्या दुकान खुली है?🙂🙂"),
    ];
    for (contact, text) in texts {
        stage.write(contact, "1", text).await;
    }
    stage.until(20_000).await;
    for (contact, _) in texts {
        assert_eq!(stage.runs_for(contact)[0].0, 1_200, "{contact}");
    }
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn an_attachment_waits_for_its_comment() {
    let stage = Stage::set(Setting::default()).await;
    let mut photo = inbound("webchat", "c20", "1", "");
    photo.kind = replygate_gate::debounce::MessageKind::Media;
    stage.receive(photo).await;
    stage
        .play(&[(3_600, "c20", "2", "does this one come in blue?")])
        .await;
    stage.until(20_000).await;
    assert_eq!(stage.runs_for("c20").len(), 1);
    assert_eq!(stage.runs_for("c20")[0].0, 4_800);
}
