//! What became of a message.

use replygate_gate::control::Control;
use replygate_gate::debounce::Signal;
use replygate_gate::{Admission, Arrival, Command, DropReason, Sender};
use replygate_ports::changes::MessageState;
use replygate_ports::views::MessageView;

use super::message;
use crate::contract::ViewsHarness;
use crate::contract::stage::{Beside, Stage, direct};

pub async fn a_message_waits_until_it_is_covered<H: ViewsHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let asked = stage.message_under(&ana, "m-1", None, "hello");
    stage.try_receive(&ana, asked.clone()).await.unwrap();
    let waiting = MessageView {
        id: asked.id,
        session: ana.session(),
        provider_id: "m-1".to_owned(),
        kind: asked.kind,
        text: "hello".to_owned(),
        sent_at: asked.sent_at,
        received_at: stage.now,
        state: MessageState::Waiting,
        edit_of: None,
    };
    assert_eq!(message(&harness, asked.id).await, waiting);
    let said = stage.answer(&ana, "good day").await;
    let covered = MessageView {
        state: MessageState::Covered(Some(said)),
        ..waiting
    };
    assert_eq!(message(&harness, asked.id).await, covered);

    let quiet = stage.arrive(&ana, "thanks").await;
    let fence = stage.take(&ana).await;
    stage.commit(&ana, fence, Vec::new(), &[]).await;
    assert_eq!(
        message(&harness, quiet).await.state,
        MessageState::Covered(None)
    );
}

pub async fn dropped_messages_say_why<H: ViewsHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let dropped = stage.arrive(&ana, "buy this").await;
    let command = stage.control(&ana, Control::Stop).await;
    assert_eq!(
        message(&harness, dropped).await.state,
        MessageState::Dropped(DropReason::Command)
    );
    assert_eq!(
        message(&harness, command).await.state,
        MessageState::Dropped(DropReason::IsCommand)
    );

    let late = stage.message(&ana, "from yesterday");
    let arrival = Arrival {
        message: late.id,
        signal: Signal::Closed,
        edit_of: None,
        awaits_ms: None,
        admission: Admission::Late,
        sender: Sender::Reads,
    };
    let beside = Beside {
        message: Some(late.clone()),
        ..Beside::default()
    };
    stage
        .try_act(&ana, &Command::Arrive(arrival), beside)
        .await
        .unwrap();
    assert_eq!(
        message(&harness, late.id).await.state,
        MessageState::Dropped(DropReason::Late)
    );

    let waiting = stage.arrive(&ana, "anybody?").await;
    stage
        .act(
            &ana,
            Command::TakeOver {
                by: "eva".to_owned(),
            },
        )
        .await;
    let meanwhile = stage.arrive(&ana, "thank you").await;
    for id in [waiting, meanwhile] {
        assert_eq!(
            message(&harness, id).await.state,
            MessageState::Dropped(DropReason::Person)
        );
    }
}
