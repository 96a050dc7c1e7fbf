//! Reports from the field about judging: negated words, corrections behind harmless messages, edits.

mod stage;

use std::sync::Arc;

use replygate_gate::Decision;
use replygate_gate::ReplyStatus::{Cancelled, Delivered, Superseded};
use replygate_ports::channel::Inbound;
use replygate_ports::evaluator::{Held, Newer};
use stage::opinions::Opinions;
use stage::{Setting, Stage, World, inbound};

fn delayed(operational_delay_ms: u64) -> Setting {
    Setting::channel(|settings| settings.operational_delay_ms = operational_delay_ms).by_rules()
}

/// FC-18
#[tokio::test(start_paused = true)]
async fn two_pleas_not_to_cancel_are_one_confirmation() {
    let pairs = [
        (
            "Please do not cancel my Saturday class",
            "and do not cancel the Sunday one either",
        ),
        (
            "Não cancela meu pedido de sábado",
            "e não cancela o de domingo também",
        ),
        (
            "No canceles mi clase del sábado",
            "y no canceles la del domingo tampoco",
        ),
    ];
    for (a, b) in pairs {
        let stage = Stage::set(Setting::default().by_rules().with_agent_ms(1_100)).await;
        stage
            .play(&[(0, "c25", "wc-1801", a), (3_900, "c25", "wc-1802", b)])
            .await;
        stage.until(60_000).await;
        assert_eq!(stage.texts("c25"), [format!("{a} | {b}")]);
        assert_eq!(stage.statuses("c25").await, [Superseded, Delivered]);
        stage.sound().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_question_about_cancelling_cancels_nothing() {
    let pairs = [
        (
            "Is there a fee for changing the date?",
            "I am not going to cancel, just asking",
        ),
        (
            "Dá pra trocar depois de pago?",
            "não quero cancelar, é só curiosidade",
        ),
        (
            "¿Cuánto cuesta cambiar la fecha?",
            "no quiero cancelar, solo pregunto",
        ),
    ];
    for (a, b) in pairs {
        let stage = Stage::set(delayed(3_000)).await;
        stage
            .play(&[(0, "c25b", "1", a), (3_000, "c25b", "2", b)])
            .await;
        stage.until(60_000).await;
        let seen = stage.texts("c25b").join(" ");
        assert!(seen.contains(a) && seen.contains(b), "{seen}");
        assert!(!stage.statuses("c25b").await.contains(&Cancelled));
        stage.sound().await;
    }
}

/// Plays the story and checks that the confirmation of the old address never leaves, that the answer to the question does,
/// and that the last reply speaks of the new address.
async fn corrected_behind_a_question(stage: Stage, [a, b, c]: [&str; 3]) {
    stage
        .play(&[
            (0, "c28", "tg-2001", a),
            (4_000, "c28", "tg-2002", b),
            (5_800, "c28", "tg-2003", c),
        ])
        .await;
    stage.until(120_000).await;
    let statuses = stage.statuses("c28").await;
    assert!(
        matches!(statuses[0], Cancelled | Superseded),
        "{a}: {statuses:?}"
    );
    let texts = stage.texts("c28");
    assert_eq!(texts[0], b);
    assert_eq!(texts.len(), 2, "{texts:?}");
    assert!(texts[1].contains(c), "{texts:?}");
    stage.sound().await;
}

/// FC-20
#[tokio::test(start_paused = true)]
async fn a_harmless_message_in_between_does_not_shield_a_stale_reply() {
    let told = |held: &Held, newest: &Newer| {
        if newest.text.contains("新的") && held.messages[0].contains("旧地址") {
            return Decision::Merge;
        }
        Decision::ReleaseFirst
    };
    let world = World::new(delayed(6_500)).await;
    let stage = world.with_evaluator(Arc::new(Opinions(told))).open(1).await;
    let story = [
        "把两盒茶叶寄到旧地址",
        "顺便问一下，你们几点下班？",
        "等等，不要寄到旧地址，寄到新的",
    ];
    corrected_behind_a_question(stage, story).await;
}

#[tokio::test(start_paused = true)]
async fn the_rules_tell_which_of_two_held_replies_a_correction_concerns() {
    let stories = [
        [
            "Send two boxes of tea to my old address",
            "By the way, what time do you close?",
            "wait, don't send it to the old address, send it to the new one",
        ],
        [
            "Manda duas caixas de chá pro endereço antigo",
            "A propósito, que horas vocês fecham?",
            "espera, não manda pro endereço antigo, manda pro novo",
        ],
        [
            "Manda dos cajas de té a la dirección vieja",
            "Por cierto, ¿a qué hora cierran?",
            "espera, no las mandes a la dirección vieja, mándalas a la nueva",
        ],
    ];
    for story in stories {
        let stage = Stage::set(delayed(6_500)).await;
        corrected_behind_a_question(stage, story).await;
    }
}

fn edit(contact: &str, id: &str, at: i64, text: &str) -> Inbound {
    Inbound {
        edit: Some(at),
        ..inbound("webchat", contact, id, text)
    }
}

/// FC-21
#[tokio::test(start_paused = true)]
async fn an_edit_of_a_message_whose_reply_is_held_replaces_that_reply() {
    let stage = Stage::set(delayed(3_500)).await;
    stage
        .play(&[(0, "c29", "tg-2101", "白い机を一つお願いします")])
        .await;
    stage.until(4_500).await;
    stage
        .receive(edit("c29", "tg-2101", 4_500, "黒い机を一つお願いします"))
        .await;
    stage.until(60_000).await;
    assert_eq!(stage.statuses("c29").await, [Superseded, Delivered]);
    assert_eq!(stage.texts("c29"), ["黒い机を一つお願いします"]);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn an_edit_inside_the_window_changes_the_message_in_its_place() {
    let stage = Stage::set(delayed(600)).await;
    stage
        .play(&[
            (0, "c29b", "1", "one white desk"),
            (1_000, "c29b", "2", "to my office"),
        ])
        .await;
    stage.until(1_500).await;
    stage
        .receive(edit("c29b", "1", 1_500, "one black desk"))
        .await;
    stage.until(60_000).await;
    assert_eq!(stage.texts("c29b"), ["one black desk | to my office"]);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn an_edit_while_the_turn_runs_is_answered_instead_of_what_it_edits() {
    let stage = Stage::set(delayed(600).with_agent_ms(4_000)).await;
    stage
        .play(&[
            (0, "c29c", "1", "una mesa blanca"),
            (1_000, "c29c", "2", "para el martes."),
        ])
        .await;
    stage.until(3_000).await;
    stage
        .receive(edit("c29c", "1", 3_000, "una mesa negra"))
        .await;
    stage.until(3_900).await;
    stage
        .receive(edit("c29c", "1", 3_900, "una mesa verde"))
        .await;
    stage.until(60_000).await;
    assert_eq!(stage.texts("c29c"), ["una mesa verde | para el martes."]);
    assert_eq!(stage.statuses("c29c").await, [Superseded, Delivered]);
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn an_edit_after_delivery_is_a_turn_of_its_own() {
    let stage = Stage::set(delayed(600)).await;
    stage
        .play(&[(0, "c29d", "1", "a mesa branca, por favor.")])
        .await;
    stage.until(10_000).await;
    stage
        .receive(edit("c29d", "1", 10_000, "a mesa preta, por favor."))
        .await;
    stage.until(60_000).await;
    assert_eq!(
        stage.texts("c29d"),
        ["a mesa branca, por favor.", "a mesa preta, por favor."]
    );
    stage.sound().await;
}

#[tokio::test(start_paused = true)]
async fn an_edit_that_comes_twice_counts_once_and_an_older_message_again_not_at_all() {
    let stage = Stage::set(delayed(3_500)).await;
    stage.play(&[(0, "c29e", "1", "two tickets.")]).await;
    stage.until(2_000).await;
    assert!(
        !stage
            .receive(edit("c29e", "1", 2_000, "three tickets."))
            .await
            .duplicate
    );
    assert!(
        stage
            .receive(edit("c29e", "1", 2_000, "three tickets."))
            .await
            .duplicate
    );
    assert!(stage.write("c29e", "1", "two tickets.").await.duplicate);
    stage.until(60_000).await;
    assert_eq!(stage.texts("c29e"), ["three tickets."]);
    stage.sound().await;
}
