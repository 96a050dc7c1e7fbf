//! What the guard lets through, and what it answers itself.

use std::sync::Arc;

use anyhow::Result;
use replygate_end2end::Instance;
use serde_json::json;

use crate::agent::{Agent, Revision, words};
use crate::calendar::{Calendar, Manner};

async fn behind(address: &str, more: &str) -> Result<Instance> {
    Instance::start_with(&format!(
        "[[mcp]]\nname = \"cal\"\nurl = \"{address}\"\nchannel = \"shop\"\n{more}\n"
    ))
    .await
}

/// Every revision of a client with every manner of a server.
fn pairs() -> impl Iterator<Item = (Revision, Manner)> {
    let manners = [Manner::Sessions, Manner::Documents];
    Revision::ALL
        .into_iter()
        .flat_map(move |revision| manners.map(|manner| (revision, manner)))
}

#[tokio::test(flavor = "multi_thread")]
async fn of_32_calls_at_once_one_has_its_effect() -> Result<()> {
    for (revision, manner) in pairs() {
        let calendar = Calendar::default();
        let instance = behind(&calendar.open(manner).await, "").await?;
        let agent = Arc::new(Agent::guarded(&instance, "ana", revision).await?);
        let calls: Vec<_> = (0..32)
            .map(|place| {
                let agent = Arc::clone(&agent);
                tokio::spawn(async move {
                    agent
                        .books(if place % 2 == 0 { "Yoga" } else { "YOGA " })
                        .await
                })
            })
            .collect();
        for call in calls {
            let result = call.await??;
            assert_eq!(result.structured_content, Some(json!({ "event": 1 })));
            assert_ne!(result.is_error, Some(true));
        }
        assert_eq!(calendar.booked(), 1, "{revision:?} {manner:?}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_call_is_answered_by_the_first_and_another_meaning_is_carried_out() -> Result<()>
{
    for (revision, manner) in pairs() {
        let calendar = Calendar::default();
        let instance = behind(&calendar.open(manner).await, "").await?;
        let agent = Agent::guarded(&instance, "ana", revision).await?;
        let first = agent.books("Yoga").await?;
        let spelt =
            json!({ "start": "2030-01-08 18:00Z", "title": "yoga", "end": "2030-01-08 19:00Z" });
        let again = agent.calls("create_event", spelt).await?;
        assert_eq!(again.structured_content, first.structured_content);
        assert_ne!(again.is_error, Some(true));
        assert!(words(&again).len() > words(&first).len(), "{again:?}");
        assert_eq!(calendar.booked(), 1, "{revision:?} {manner:?}");

        let other = agent.books("Pilates").await?;
        assert_eq!(other.structured_content, Some(json!({ "event": 2 })));
        let rui = Agent::guarded(&instance, "rui", revision).await?;
        rui.books("Yoga").await?;
        assert_eq!(calendar.booked(), 3, "{revision:?} {manner:?}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_failed_may_be_made_again() -> Result<()> {
    for revision in Revision::ALL {
        let calendar = Calendar::default();
        let instance = behind(&calendar.open(Manner::Sessions).await, "").await?;
        let agent = Agent::guarded(&instance, "ana", revision).await?;
        let failed = agent.books("Closed").await?;
        assert_eq!(failed.is_error, Some(true));
        assert_eq!(words(&failed), "closed on that day");
        let again = agent.books("Closed").await?;
        assert_eq!(again.structured_content, Some(json!({ "event": 1 })));
        assert_eq!(calendar.booked(), 1, "{revision:?}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_timed_out_is_not_repeated() -> Result<()> {
    for (revision, manner) in pairs() {
        let calendar = Calendar::default();
        let address = calendar.open(manner).await;
        let instance = behind(&address, "timeout_ms = 500").await?;
        let agent = Agent::guarded(&instance, "ana", revision).await?;
        for _ in 0..2 {
            let result = agent.books("Silent").await?;
            assert_eq!(result.is_error, Some(true), "{revision:?} {manner:?}");
        }
        assert_eq!(calendar.booked(), 1, "{revision:?} {manner:?}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_whose_guard_was_killed_is_not_repeated() -> Result<()> {
    let calendar = Calendar::default();
    let mut instance = behind(&calendar.open(Manner::Sessions).await, "").await?;
    let agent = Agent::guarded(&instance, "ana", Revision::Stateless).await?;
    let call = tokio::spawn(async move { agent.books("Silent").await });
    calendar.begun(1).await;
    instance.dies().await?;
    assert!(call.await?.is_err());
    instance.comes_back().await?;
    let agent = Agent::guarded(&instance, "ana", Revision::Sessions).await?;
    let again = agent.books("Silent").await?;
    assert_eq!(again.is_error, Some(true));
    assert_eq!(calendar.booked(), 1);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn reads_pass_and_lists_pass_unchanged() -> Result<()> {
    for (revision, manner) in pairs() {
        let calendar = Calendar::default();
        let address = calendar.open(manner).await;
        let instance = behind(&address, "trust = [\"readOnlyHint\"]").await?;
        let agent = Agent::guarded(&instance, "ana", revision).await?;
        let direct = Agent::direct(&address, revision).await?;
        assert_eq!(agent.tools().await?, direct.tools().await?);
        for _ in 0..3 {
            let seen = agent.calls("look", json!({})).await?;
            assert_eq!(seen.structured_content, Some(json!({ "events": 0 })));
        }
        assert_eq!(calendar.looked(), 3, "{revision:?} {manner:?}");
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_of_progress_passes() -> Result<()> {
    for (revision, manner) in pairs() {
        let calendar = Calendar::default();
        let instance = behind(&calendar.open(manner).await, "").await?;
        let agent = Agent::guarded(&instance, "ana", revision).await?;
        let made = agent.books("Slow").await?;
        assert_eq!(made.structured_content, Some(json!({ "event": 1 })));
        assert_eq!(
            agent.progress(3).await?,
            [1.0, 2.0, 3.0],
            "{revision:?} {manner:?}"
        );
    }
    Ok(())
}
