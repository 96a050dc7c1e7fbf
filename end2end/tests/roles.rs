//! Roles are refused by the server, whatever a page offers.

use anyhow::Result;
use replygate_end2end::{Browser, Customer, Instance, Look, Operator};

/// Sends a form as a page would, and says what the server answered.
fn sent(address: &str, fields: &str) -> String {
    format!(
        "() => fetch('{address}', {{ method: 'POST', redirect: 'manual', \
         headers: {{ 'content-type': 'application/x-www-form-urlencoded' }}, body: '{fields}' }}).then((answer) => answer.status)"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_supporter_sees_texts_on_request_and_neither_takes_over_nor_saves() -> Result<()> {
    let (instance, browser) = (Instance::start().await?, Browser::launch().await?);
    let owner = Operator::begin(&browser, &instance, Look::DESK).await?;
    let customer = Customer::arrive(&browser, &instance, Look::DESK).await?;
    customer.says("What are your opening hours?").await?;
    customer.hears().await?;
    let supporter = owner
        .invites(&browser, &instance, "sara", "support")
        .await?;

    supporter.find("tbody th a").click(None).await?;
    supporter.shows(0, ".bubble.customer .said").await?;
    supporter.has_texts_shown().await?;
    supporter.shows(1, ".bubble.customer .said").await?;
    supporter
        .shows(1, "button[value=take_over]:disabled")
        .await?;
    let session = supporter.address();
    for deed in ["take_over", "say", "hand_back", "release_hold", "unlock"] {
        let fields = format!("deed={deed}&request_id=req_{deed}&text=hello");
        let status: u16 = supporter.ask(&sent(&session, &fields)).await?;
        assert_eq!(status, 403, "{deed}");
    }

    let lab = instance.page("/channels/demo/debounce");
    supporter.open(&lab).await?;
    supporter.shows(1, ".lab button.primary:disabled").await?;
    let fields = "base=1&request_id=req_1&debounce.closed_ms=1";
    let status: u16 = supporter.ask(&sent(&lab, fields)).await?;
    assert_eq!(status, 403);
    let settings = instance.page("/channels/demo");
    let status: u16 = supporter
        .ask(&sent(&settings, &format!("deed=save&{fields}")))
        .await?;
    assert_eq!(status, 403);
    owner.open(&settings).await?;
    owner.shows(1, "tbody th a:text-is('1')").await?;
    owner.shows(0, "tbody th a:text-is('2')").await
}
