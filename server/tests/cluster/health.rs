//! The console's health page in an installation of many processes.

use reqwest::Client;
use reqwest::header::COOKIE;

use crate::consoles::{CHAT, sign_in};
use crate::passage::{Passages, Service};
use crate::place::Place;
use crate::process::Process;

async fn health(url: &str, cookie: &str) -> String {
    let request = Client::new().get(format!("{url}/health"));
    let answer = request.header(COOKIE, cookie).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    answer.text().await.unwrap()
}

/// The line of a part, as its words.
fn line<'a>(page: &'a str, part: &str) -> Option<&'a str> {
    let begin = page.find(&format!(">{part}"))?;
    page[begin..].split("</tr>").next()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_health_page_tells_services_queues_and_workers_and_when_one_goes_and_comes() {
    let Some(place) = Place::with(CHAT).await else {
        return;
    };
    let passages = Passages::open(&place, CHAT).await;
    let web = Process::start(&place, "web");
    let cookie = sign_in(&place, &web.url).await;
    let says = async |part: &str, words: &[&str]| {
        crate::until(async || {
            let page = health(&web.url, &cookie).await;
            let told = line(&page, part);
            told.is_some_and(|told| words.iter().all(|word| told.contains(word)))
        })
        .await;
    };
    says("Database PostgreSQL", &["answers in", "version", "Fine"]).await;
    says("Redis", &["version", "Fine"]).await;
    says("RabbitMQ", &["version", "Fine"]).await;
    says(
        &format!("Queue {}.outbound_messages<", place.name),
        &["nothing waits"],
    )
    .await;
    says("Workers", &["none is seen", "Down"]).await;
    let _worker = Process::start(&place, "worker");
    says("Workers", &["1 is seen", "Fine"]).await;
    passages.to(Service::Redis).close_door();
    says("Redis", &["no answer since", "Down"]).await;
    passages.to(Service::Redis).open_door();
    says("Redis", &["last failed", "Fine"]).await;
}
