//! A person on the webchat page.

use reqwest::Method;
use serde_json::Value;

use crate::house::{House, QUICK, cookie, heard, location};

#[tokio::test(flavor = "multi_thread")]
async fn what_a_visitor_writes_is_answered_on_their_page_only() {
    let house = House::open(QUICK).await;
    let (ana, rui) = (house.visit().await, house.visit().await);
    let mut page = house.listen(&ana).await;
    let answer = house.write(&ana, "k1", "hello there").await;
    assert_eq!(answer.status(), 202);
    let reply = heard(&mut page, "reply").await;
    assert_eq!(reply["text"], "hello there");
    assert_eq!(house.history(&ana).await[0]["text"], "hello there");
    assert!(house.history(&rui).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_posted_twice_is_one_message() {
    let house = House::open(QUICK).await;
    let visitor = house.visit().await;
    let first: Value = house
        .write(&visitor, "k1", "hi")
        .await
        .json()
        .await
        .unwrap();
    let again: Value = house
        .write(&visitor, "k1", "hi")
        .await
        .json()
        .await
        .unwrap();
    assert_eq!(
        (&first["duplicate"], &again["duplicate"]),
        (&Value::Bool(false), &Value::Bool(true))
    );
    assert_eq!(first["message"], again["message"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_works_by_forms_alone() {
    let house = House::open(QUICK).await;
    let visitor = house.visit().await;
    let response = house
        .form(
            "/chat/demo/messages",
            &visitor,
            &[("id", "f1"), ("text", "por formulário")],
        )
        .await;
    assert_eq!(location(&response), "/chat/demo");
    let page = house
        .request(Method::GET, "/chat/demo")
        .header("cookie", &visitor);
    let html = page.send().await.unwrap().text().await.unwrap();
    assert!(html.contains("por formulário"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_acknowledgement_is_there_after_a_reload_in_the_visitors_language() {
    let house = House::open(QUICK).await;
    let visitor = house.visit().await;
    let mut page = house.listen(&visitor).await;
    house.write(&visitor, "k1", "onde está o meu pedido?").await;
    heard(&mut page, "reply").await;
    house.write(&visitor, "k2", "/stop").await;
    let live = heard(&mut page, "notice").await;
    assert!(live["text"].as_str().unwrap().starts_with("Parado"));

    let lines = house.history(&visitor).await;
    let told: Vec<_> = lines.iter().map(|line| &line["from"]).collect();
    assert_eq!(told, ["you", "them", "you", "notice"]);
    assert_eq!(
        (&lines[2]["text"], &lines[3]["text"]),
        (&"/stop".into(), &live["text"])
    );
    assert_eq!(lines[3]["key"], live["key"], "an open page shows it once");

    house.write(&visitor, "k3", "/reset").await;
    let live = heard(&mut page, "notice").await;
    let lines = house.history(&visitor).await;
    let texts: Vec<_> = lines.iter().map(|line| &line["text"]).collect();
    assert_eq!(texts, [&"/reset".into(), &live["text"]]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_channel_words_its_own_acknowledgements() {
    let own = "notices = { language = \"es\", stop_es = \"Hecho.\", reset_es = \"\" }";
    let house = House::open(&format!("{QUICK}\n    {own}")).await;
    let visitor = house.visit().await;
    house.write(&visitor, "k1", "/reset").await;
    house.write(&visitor, "k2", "/stop").await;
    let lines = house.history(&visitor).await;
    let texts: Vec<_> = lines.iter().map(|line| line["text"].as_str()).collect();
    assert_eq!(texts, [Some("/reset"), Some("/stop"), Some("Hecho.")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_visitors_cookie_is_for_the_page_alone() {
    let house = House::open(QUICK).await;
    let response = house.get("/chat/demo").await;
    let whole = response.headers()["set-cookie"].to_str().unwrap();
    assert!(whole.contains("Path=/chat/demo"));
    assert!(whole.contains("HttpOnly"));
    assert!(whole.contains("SameSite=Lax"));
    assert!(!cookie(&response).is_empty());
    assert_eq!(house.get("/chat/nobody").await.status(), 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn open_pages_do_not_hold_up_the_end() {
    let house = House::open(QUICK).await;
    let visitor = house.visit().await;
    let mut page = house.listen(&visitor).await;
    house.running.stop().await.unwrap();
    assert!(matches!(page.chunk().await, Ok(None)));
}
