//! Numbers, neighbours and answers elsewhere.

use replygate_gate::{AnsweredElsewhere, Command, ReplyStatus, SessionKey};
use replygate_ports::store::AppendError;

use crate::contract::StoreHarness;
use crate::contract::stage::{Stage, accepted, author, direct, silence};

pub async fn a_taken_number_of_the_conversation_is_a_conflict<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let (ana, rui) = (author("g", "ana"), author("g", "rui"));
    stage.arrive(&ana, "one").await;
    stage.arrive(&rui, "two").await;
    let (fence_a, fence_r) = (stage.take(&ana).await, stage.take(&rui).await);
    // Both decide before either appends, so both want number 1.
    let (winner, first) = stage.commit_step(&ana, fence_a, Vec::new(), &["yes"]).await;
    let (loser, second) = stage.commit_step(&rui, fence_r, Vec::new(), &["yes"]).await;
    stage.store.append(first).await.unwrap();

    let before = stage.load(&rui).await;
    let refused = stage.store.append(second).await.unwrap_err();
    assert!(
        matches!(refused, AppendError::Conflict { .. }),
        "{refused:?}"
    );
    assert_eq!(stage.load(&rui).await, before);
    assert_eq!(stage.store.find_reply(loser.unwrap()).await.unwrap(), None);
    let (again, retried) = stage.commit_step(&rui, fence_r, Vec::new(), &["yes"]).await;
    stage.store.append(retried).await.unwrap();
    let replies = stage
        .store
        .replies(&[winner.unwrap(), again.unwrap()])
        .await
        .unwrap();
    assert_eq!(
        replies.iter().map(|reply| reply.seq).collect::<Vec<_>>(),
        [1, 2]
    );
}

pub async fn a_reply_put_back_in_line_may_take_a_number_behind_its_own<H: StoreHarness>(
    harness: H,
) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let (_, first) = stage.exchange(&ana, "one", "1").await;
    stage.hand_over(&ana, first, silence()).await;
    let (_, second) = stage.exchange(&ana, "two", "2").await;
    let target = stage.target(&ana, first).await;
    stage.act(&ana, Command::Reprocess(target)).await;

    let replies = stage.store.replies(&[first, second]).await.unwrap();
    assert_eq!(
        replies.iter().map(|reply| reply.seq).collect::<Vec<_>>(),
        [3, 2]
    );
}

pub async fn neighbours_are_the_other_authors_of_the_group<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let (ana, rui, elsewhere) = (author("g", "ana"), author("g", "rui"), author("h", "eva"));
    let (_, first) = stage.exchange(&ana, "one", "1").await;
    stage.exchange(&rui, "two", "2").await;
    stage.exchange(&elsewhere, "three", "3").await;
    let around = |key: SessionKey| (key.conversation_id(), key.session());

    let (group, session) = around(rui.clone());
    let seen = stage.store.neighbours(group, session).await.unwrap();
    assert_eq!((seen.last_seq, seen.first_open), (1, Some(1)));
    let (group, session) = around(ana.clone());
    let seen = stage.store.neighbours(group, session).await.unwrap();
    assert_eq!((seen.last_seq, seen.first_open), (2, Some(2)));

    stage.hand_over(&ana, first, accepted()).await;
    let (group, session) = around(rui);
    let seen = stage.store.neighbours(group, session).await.unwrap();
    assert_eq!((seen.last_seq, seen.first_open), (1, None));
    let (group, session) = around(author("nobody's", "ana"));
    let seen = stage.store.neighbours(group, session).await.unwrap();
    assert_eq!((seen.last_seq, seen.first_open), (0, None));
}

pub async fn answers_elsewhere_are_the_delivered_and_the_unknown<H: StoreHarness>(harness: H) {
    let mut stage = Stage::new(harness.store());
    let ana = direct("ana");
    let (one, delivered) = stage.exchange(&ana, "one", "1").await;
    stage.hand_over(&ana, delivered, accepted()).await;
    let (two, unknown) = stage.exchange(&ana, "two", "2").await;
    stage.hand_over(&ana, unknown, silence()).await;
    let (three, waiting) = stage.exchange(&ana, "three", "3").await;

    let asked = [one, two, three];
    let mut found = stage
        .store
        .answered(ana.session(), &asked, waiting)
        .await
        .unwrap();
    found.sort_unstable_by_key(|answer| answer.message);
    let expected = [
        AnsweredElsewhere {
            message: one,
            by: delivered,
            status: ReplyStatus::Delivered,
        },
        AnsweredElsewhere {
            message: two,
            by: unknown,
            status: ReplyStatus::Unknown,
        },
    ];
    assert_eq!(found, expected);
    assert_eq!(
        stage
            .store
            .answered(ana.session(), &asked, delivered)
            .await
            .unwrap(),
        expected[1..]
    );
    assert_eq!(
        stage
            .store
            .answered(ana.session(), &[three], delivered)
            .await
            .unwrap(),
        []
    );
}
