//! Reports from the field about order: owed strictly within a conversation, and only there.

mod stage;

use std::time::Duration;

use replygate_gate::At;
use replygate_gate::ReplyStatus::{Delivered, Parked};
use replygate_gate::debounce::MessageKind;
use replygate_ports::channel::{Inbound, TRANSCRIPT};
use replygate_ports::store::HistoryEntry;
use replygate_testkit::clock::EPOCH;
use replygate_testkit::scripted::{Latency, Scripted};
use stage::{Setting, Stage, inbound};

/// FC-62
#[tokio::test(start_paused = true)]
async fn a_later_reply_waits_for_an_earlier_one_of_its_conversation_only() {
    let stage = Stage::set(Setting::without_debounce()).await;
    let busy = Scripted::Busy {
        retry_after_ms: Some(2_000),
    };
    stage.world.props.channel.script("c71", &[busy]);
    stage
        .play(&[
            (0, "c71", "7", "R7"),
            (0, "c72", "9", "R9"),
            (100, "c71", "8", "R8"),
        ])
        .await;
    stage.until(60_000).await;
    let screen = stage.screen("c71");
    assert_eq!(screen[0], (2_600, "R7".to_owned()));
    assert_eq!(screen[1].1, "R8");
    assert!((2_600..2_750).contains(&screen[1].0), "{screen:?}");
    assert_eq!(stage.screen("c72"), [(600, "R9".to_owned())]);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn five_replies_behind_one_that_climbs_the_ladder_keep_their_order() {
    let stage = Stage::set(Setting::channel(|settings| {
        settings.debounce.enabled = false;
        settings.channel_ladder_ms = vec![500, 500, 500, 500];
    }))
    .await;
    let busy = Scripted::Busy {
        retry_after_ms: None,
    };
    stage.world.props.channel.script(
        "c73",
        &[busy, busy, Scripted::NotSent, Scripted::Accept, busy],
    );
    for index in 0..6 {
        stage.until(80 * index).await;
        stage
            .write("c73", &index.to_string(), &format!("r{index}"))
            .await;
    }
    stage.until(120_000).await;
    let expected: Vec<String> = (0..6).map(|index| format!("r{index}")).collect();
    assert_eq!(stage.texts("c73"), expected);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_parked_reply_lets_the_next_pass_and_comes_back_at_the_end() {
    let stage = Stage::set(Setting::channel(|settings| {
        settings.debounce.enabled = false;
        settings.channel_ladder_ms = vec![400];
    }))
    .await;
    let busy = Scripted::Busy {
        retry_after_ms: None,
    };
    stage.world.props.channel.script("c73b", &[busy, busy]);
    stage
        .play(&[(0, "c73b", "1", "one"), (50, "c73b", "2", "two")])
        .await;
    stage.until(10_000).await;
    assert_eq!(stage.statuses("c73b").await, [Parked, Delivered]);
    let verb = replygate_engine::Verb::Reprocess(stage.target("c73b", 0).await);
    stage.act("c73b", verb).await.unwrap();
    stage.until(20_000).await;
    assert_eq!(stage.texts("c73b"), ["two", "one"]);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_slow_channel_mixes_no_parts_of_two_replies() {
    let setting = Setting {
        channel: Latency::fixed(Duration::from_millis(1_300)),
        ..Setting::without_debounce()
    };
    let stage = Stage::set(setting).await;
    let mut burst = inbound("webchat", "c73c", "1", "a1 #parts");
    stage.receive(burst.clone()).await;
    burst.provider_id = "2".to_owned();
    burst.text = "a2 #parts #merge".to_owned();
    stage.receive(burst).await;
    stage.until(700).await;
    stage.write("c73c", "3", "b").await;
    stage.until(60_000).await;
    assert_eq!(stage.texts("c73c"), ["a1 #parts", "a2 #parts #merge", "b"]);
    stage.sound().await;
}

/// A voice message whose words come later.
fn silent_note(contact: &str, id: &str, within_ms: u64) -> Inbound {
    Inbound {
        kind: MessageKind::Voice,
        awaits_ms: Some(within_ms),
        ..inbound("webchat", contact, id, "")
    }
}

/// Its words.
fn transcript(contact: &str, id: &str, text: &str) -> Inbound {
    Inbound {
        kind: MessageKind::Voice,
        edit: Some(TRANSCRIPT),
        ..inbound("webchat", contact, id, text)
    }
}

/// FC-64: notes are transcribed side by side, and the longer one comes first all the same.
#[tokio::test(start_paused = true)]
async fn transcripts_take_the_places_of_their_notes_whichever_is_there_first() {
    let stage = Stage::set(Setting::default()).await;
    stage.receive(silent_note("c74", "tg-5901", 20_000)).await;
    stage.until(2_000).await;
    stage.receive(silent_note("c74", "tg-5902", 20_000)).await;
    stage.until(3_000).await;
    stage
        .receive(transcript("c74", "tg-5902", "short note"))
        .await;
    stage.write("c74", "tg-5903", "هذا كل شيء.").await;
    stage.until(9_000).await;
    assert_eq!(stage.runs_for("c74"), []);
    let words = transcript("c74", "tg-5901", "long note");
    assert!(!stage.receive(words.clone()).await.duplicate);
    assert!(stage.receive(words.clone()).await.duplicate);
    stage.until(60_000).await;
    assert!(stage.receive(words).await.duplicate);
    let runs = stage.runs_for("c74");
    assert_eq!(runs.len(), 1);
    assert_eq!(runs[0].1, ["long note", "short note", "هذا كل شيء."]);
    assert_eq!(stage.texts("c74").len(), 1);
    stage.sound().await;
}

/// Of the kind of FC-64: a transcript that comes after its time is answered, and nothing is lost.
#[tokio::test(start_paused = true)]
async fn a_transcript_that_comes_too_late_is_a_message_of_its_own() {
    let stage = Stage::set(Setting::default()).await;
    stage.receive(silent_note("c74c", "n1", 5_000)).await;
    stage.play(&[(1_000, "c74c", "n2", "that is all.")]).await;
    stage.until(4_900).await;
    assert_eq!(stage.runs_for("c74c"), []);
    stage.until(30_000).await;
    let runs = stage.runs_for("c74c");
    assert_eq!(runs.len(), 1);
    assert_eq!(runs[0].1, ["", "that is all."], "a stand-in for the note");
    stage
        .receive(transcript("c74c", "n1", "the whole story"))
        .await;
    stage.until(60_000).await;
    let runs = stage.runs_for("c74c");
    assert_eq!(runs.len(), 2);
    assert_eq!(runs[1].1, ["the whole story"]);
    let all = stage.world.props.agent.runs();
    let told = &all.last().unwrap().turn.messages[0];
    let note = stage.fates("c74c").await;
    assert_eq!(note.len(), 3);
    assert!(told.edit_of.is_some(), "it says what it belongs to");
    stage.sound().await;
}

/// Of the kind of FC-64: the words come while the agent answers the note without them.
#[tokio::test(start_paused = true)]
async fn a_transcript_that_meets_an_answer_on_its_way_is_answered_in_its_place() {
    let setting = Setting {
        agent: Latency::fixed(Duration::from_secs(3)),
        ..Setting::default()
    };
    let stage = Stage::set(setting).await;
    stage.receive(silent_note("c74d", "n1", 5_000)).await;
    stage.until(6_000).await;
    stage
        .receive(transcript("c74d", "n1", "the whole story"))
        .await;
    stage.until(60_000).await;
    let runs = stage.runs_for("c74d");
    assert_eq!(runs.len(), 2);
    assert_eq!(runs[1].1, ["the whole story"], "in place of the note");
    assert_eq!(stage.texts("c74d"), ["the whole story"]);
    stage.sound().await;
}

/// Of the kind of FC-64: a process that dies knows what it waited for.
#[tokio::test(start_paused = true)]
async fn a_note_is_waited_for_across_a_restart() {
    let stage = Stage::set(Setting::default()).await;
    stage.receive(silent_note("c74e", "n1", 9_000)).await;
    stage.play(&[(1_000, "c74e", "n2", "that is all.")]).await;
    let stage = stage.crash(2).await;
    stage.until(8_000).await;
    assert_eq!(stage.runs_for("c74e"), []);
    stage
        .receive(transcript("c74e", "n1", "the whole story"))
        .await;
    stage.until(60_000).await;
    let runs = stage.runs_for("c74e");
    assert_eq!(runs.len(), 1);
    assert_eq!(runs[0].1, ["the whole story", "that is all."]);
    stage.sound().await;
}

/// Of the kind of FC-64: the channel has the words already.
#[tokio::test(start_paused = true)]
async fn notes_and_texts_reach_the_agent_in_order_of_receipt() {
    let stage = Stage::set(Setting::default()).await;
    let note = |id: &str, text: &str| Inbound {
        kind: MessageKind::Voice,
        ..inbound("webchat", "c74", id, text)
    };
    stage.receive(note("tg-5901", "long note")).await;
    stage.until(2_000).await;
    stage.receive(note("tg-5902", "short note")).await;
    stage
        .play(&[(3_000, "c74", "tg-5903", "هذا كل شيء.")])
        .await;
    stage.until(60_000).await;
    let runs = stage.runs_for("c74");
    assert_eq!(runs.len(), 1);
    assert_eq!(runs[0].1, ["long note", "short note", "هذا كل شيء."]);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn messages_of_one_millisecond_keep_their_order_merged_or_not() {
    let stage = Stage::set(Setting::default()).await;
    let line = |index: usize| format!("line {index}");
    for index in 0..12 {
        stage.write("c74b", &index.to_string(), &line(index)).await;
    }
    // The first answer is held and merged with twelve more.
    stage.until(2_700).await;
    for index in 12..19 {
        stage.write("c74b", &index.to_string(), &line(index)).await;
    }
    stage.write("c74b", "19", "#merge line 19").await;
    stage.until(60_000).await;
    let mut expected: Vec<String> = (0..19).map(line).collect();
    expected.push("#merge line 19".to_owned());
    assert_eq!(stage.texts("c74b"), [expected.join(" | ")]);
    stage.sound().await;
}

fn sent(contact: &str, id: &str, text: &str, at: i64) -> Inbound {
    Inbound {
        sent_at: Some(At(EPOCH.0 + at)),
        ..inbound("webchat", contact, id, text)
    }
}

/// FC-65
#[tokio::test(start_paused = true)]
async fn a_question_that_was_stored_late_stands_before_its_answer() {
    let stage = Stage::set(Setting::default()).await;
    stage.until(500).await;
    stage
        .receive(sent("c75", "wa-6001", "发票开错了。", 0))
        .await;
    stage.until(3_000).await;
    // Written before the answer, stored six seconds after it.
    stage.until(9_000).await;
    stage
        .receive(sent("c75", "wa-6002", "是上个月的。", 1_000))
        .await;
    stage.until(20_000).await;
    stage
        .receive(sent("c75", "wa-6003", "能改吗？", 20_000))
        .await;
    stage.until(40_000).await;
    assert_eq!(
        stage.history("c75").await,
        [
            "发票开错了。",
            "是上个月的。",
            "[发票开错了。]",
            "[是上个月的。]",
            "能改吗？",
            "[能改吗？]"
        ]
    );
    // What the agent read in its last turn had the same order.
    let runs = stage.world.props.agent.runs();
    let read: Vec<bool> = runs
        .last()
        .unwrap()
        .turn
        .history
        .iter()
        .map(|entry| matches!(entry, HistoryEntry::Customer { .. }))
        .collect();
    assert_eq!(read, [true, true, false, false]);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_channel_whose_clock_runs_ahead_puts_no_question_behind_its_answer() {
    let stage = Stage::set(Setting::default()).await;
    stage
        .receive(sent("c75b", "1", "Vocês abrem hoje?", 30_000))
        .await;
    stage.until(10_000).await;
    stage.receive(sent("c75b", "2", "E amanhã?", 40_000)).await;
    stage.until(60_000).await;
    assert_eq!(
        stage.history("c75b").await,
        [
            "Vocês abrem hoje?",
            "[Vocês abrem hoje?]",
            "E amanhã?",
            "[E amanhã?]"
        ]
    );
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn messages_of_one_channel_second_are_told_apart_by_arrival() {
    let stage = Stage::set(Setting::default()).await;
    stage.until(900).await;
    for (id, text) in [("b", "um"), ("a", "dois"), ("c", "três.")] {
        stage.receive(sent("c75c", id, text, 0)).await;
    }
    stage.until(60_000).await;
    assert_eq!(stage.history("c75c").await[..3], ["um", "dois", "três."]);
    assert_eq!(stage.texts("c75c"), ["um | dois | três."]);
}
