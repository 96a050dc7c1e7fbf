//! A reply that waits for a person: one delivery and a true answer, whoever presses what how often.

use replygate_engine::{Deed, Verb};
use replygate_gate::{ReplyId, ReplyStatus, SessionId};
use replygate_ports::accounts::User;
use replygate_ports::operations::{ItemState, Operation, OperationState, Settled};
use replygate_ports::views::{ReplyQuery, ReplyView};
use reqwest::header::COOKIE;
use reqwest::{Method, Response};

use crate::house::{House, heard, location};

const PASSWORD: &str = "correct horse battery";

/// Answers at once and sends late, so that a reply can be caught on its way.
const SLOW: &str = r#"
    [[channels]]
    id = "demo"
    kind = "webchat"
    agent = "echo"
    operational_delay_ms = 600000
    debounce = { enabled = false }
"#;

/// A house with one customer whose reply is parked.
pub struct Stuck {
    pub house: House,
    pub inside: String,
    visitor: String,
    session: SessionId,
    pub reply: ReplyId,
}

impl Stuck {
    pub async fn new() -> Self {
        let house = House::open(SLOW).await;
        let inside = house.enter_first(PASSWORD).await;
        let visitor = house.visit().await;
        let request = house.request(Method::GET, "/events/stream?topics=sessions");
        let mut news = request.header(COOKIE, &inside).send().await.unwrap();
        house.write(&visitor, "k1", "where is order 4711?").await;
        let waiting = loop {
            heard(&mut news, "change").await;
            let found = replies(&house, ReplyStatus::Pending).await;
            if let Some(reply) = found.first() {
                break reply.clone();
            }
        };
        let stuck = Self {
            house,
            inside,
            visitor,
            session: waiting.session,
            reply: waiting.id,
        };
        stuck.act(Verb::TakeOver).await;
        stuck.act(Verb::HandBack).await;
        stuck
    }

    async fn act(&self, verb: Verb) {
        let deed = Deed {
            verb,
            by: "Rui".to_owned(),
            reason: None,
            request_id: None,
        };
        let engine = &self.house.running.service().engine;
        engine.act(self.session, deed).await.unwrap();
    }

    pub fn address(&self) -> String {
        format!("/parked/{}/reprocess", self.reply)
    }

    pub async fn page(&self, address: &str) -> String {
        let request = self.house.request(Method::GET, address);
        let request = request.header(COOKIE, &self.inside);
        let response = request.header("accept", "text/html").send().await.unwrap();
        response.text().await.unwrap().replace("<!>", "")
    }

    /// The value of a hidden field of the page on which the reply is decided.
    pub async fn minted(&self) -> (String, String) {
        let page = self.page(&self.address()).await;
        let field = |name: &str| {
            let rest = page.split(&format!("name=\"{name}\" value=\"")).nth(1);
            let value = rest.and_then(|rest| rest.split('"').next());
            value.expect(name).to_owned()
        };
        (field("generation"), field("request_id"))
    }

    pub async fn choose(&self, choice: &str, generation: &str, request: &str) -> Response {
        let fields = [
            ("choice", choice),
            ("generation", generation),
            ("request_id", request),
        ];
        let address = self.address();
        self.house.form(&address, &self.inside, &fields).await
    }

    pub async fn status(&self) -> ReplyStatus {
        let views = &self.house.running.service().stores.views;
        views.replies_by_id(&[self.reply]).await.unwrap()[0].status
    }

    /// An open stream of what happens to the customer.
    pub async fn listen(&self) -> Response {
        self.house.listen(&self.visitor).await
    }

    /// Stops the server and starts it again, with the operation as a dying process would leave it: in this state, and
    /// without the note of what was done with its first reply.
    pub async fn reopened_with(self, address: &str, state: OperationState) -> Self {
        let id = address.rsplit('/').next().unwrap().parse().unwrap();
        let operations = self.house.running.service().stores.operations.clone();
        let found = operations.operation(id).await.unwrap().unwrap();
        let now = self.house.running.service().stores.clock.now();
        let changed = Operation {
            state,
            started_at: Some(now),
            ended_at: None,
            ..found
        };
        operations.change(changed).await.unwrap();
        let forgotten = Settled {
            place: 0,
            state: ItemState::Ready,
            code: None,
            at: now,
        };
        operations.settle(id, vec![forgotten]).await.unwrap();
        drop(operations);
        Self {
            house: self.house.reopen(SLOW).await,
            ..self
        }
    }

    /// Follows what happens until the reply has this status: a customer has a reply before the step that says so is made.
    async fn becomes(&self, status: ReplyStatus) {
        let request = self
            .house
            .request(Method::GET, "/events/stream?topics=sessions");
        let mut news = request.header(COOKIE, &self.inside).send().await.unwrap();
        while self.status().await != status {
            heard(&mut news, "change").await;
        }
    }

    /// How often the customer got the reply.
    pub async fn deliveries(&self) -> usize {
        let lines = self.house.history(&self.visitor).await;
        let of_ours = |line: &&serde_json::Value| line["key"].as_str().unwrap().starts_with("rep_");
        lines.iter().filter(of_ours).count()
    }
}

async fn replies(house: &House, status: ReplyStatus) -> Vec<ReplyView> {
    let query = ReplyQuery {
        statuses: vec![status],
        limit: 10,
        ..ReplyQuery::default()
    };
    let views = &house.running.service().stores.views;
    views.reply_list(&query).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_parked_reply_is_sent_again_once_and_the_page_says_by_whom() {
    let stuck = Stuck::new().await;
    assert_eq!(stuck.status().await, ReplyStatus::Parked);
    let inbox = stuck.page("/parked").await;
    assert!(inbox.contains("a person took over"), "{inbox}");
    assert!(inbox.contains("Nothing newer"), "{inbox}");

    let (generation, request) = stuck.minted().await;
    let first = stuck.choose("send", &generation, &request).await;
    let there = location(&first).to_owned();
    stuck.becomes(ReplyStatus::Delivered).await;
    let page = stuck.page(&there).await;
    assert!(page.contains("admin put it back in line"), "{page}");
    assert!(page.contains("no longer waits"), "{page}");

    // A double click, and a form that the browser sends again.
    let again = stuck.choose("send", &generation, &request).await;
    assert_eq!(location(&again), there);
    // Another choice under the same request does nothing either.
    let other = stuck.choose("discard", &generation, &request).await;
    let page = stuck.page(location(&other)).await;
    assert!(page.contains("admin put it back in line"), "{page}");
    assert_eq!(stuck.deliveries().await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_operators_one_sends_and_the_other_learns_who() {
    let stuck = Stuck::new().await;
    let (generation, first) = stuck.minted().await;
    let (_, second) = stuck.minted().await;
    assert_ne!(first, second, "each page mints its own request");
    let (a, b) = tokio::join!(
        stuck.choose("send", &generation, &first),
        stuck.choose("send", &generation, &second),
    );
    stuck.becomes(ReplyStatus::Delivered).await;
    let places = [location(&a).to_owned(), location(&b).to_owned()];
    let done = places.iter().filter(|place| place.contains("did="));
    assert_eq!(done.count(), 1, "{places:?}");
    let lost = places.iter().find(|place| place.contains("no=")).unwrap();
    let page = stuck.page(lost).await;
    assert!(
        page.contains("Nothing was sent or changed: admin was faster."),
        "{page}"
    );
    assert_eq!(stuck.deliveries().await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stale_tab_sends_nothing_and_says_how_it_stands() {
    let stuck = Stuck::new().await;
    let (generation, old) = stuck.minted().await;
    let (_, new) = stuck.minted().await;
    stuck.choose("discard", &generation, &new).await;
    assert_eq!(stuck.status().await, ReplyStatus::Discarded);
    let late = stuck.choose("send", &generation, &old).await;
    let page = stuck.page(location(&late)).await;
    assert!(page.contains("Nothing was sent or changed"), "{page}");
    assert!(page.contains("admin discarded it"), "{page}");
    assert_eq!(stuck.deliveries().await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn newer_messages_are_told_and_suggest_to_ask_the_agent_again() {
    let stuck = Stuck::new().await;
    stuck.house.write(&stuck.visitor, "k2", "never mind").await;
    let page = stuck.page(&stuck.address()).await;
    assert!(
        page.contains("The customer wrote 1 message after this reply"),
        "{page}"
    );
    assert!(page.contains("Usual here: Ask the agent again."), "{page}");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_may_not_act_changes_nothing() {
    let stuck = Stuck::new().await;
    let (generation, request) = stuck.minted().await;
    for role in ["viewer", "support"] {
        let accounts = &stuck.house.running.service().stores.accounts;
        let admin = accounts.user("admin").await.unwrap().unwrap();
        let user = User {
            role: role.to_owned(),
            ..admin
        };
        accounts.save_user(user).await.unwrap();
        for choice in ["send", "rerun", "discard", "delivered"] {
            let response = stuck.choose(choice, &generation, &request).await;
            assert_eq!(response.status(), 403, "{role}, {choice}");
        }
    }
    assert_eq!(stuck.status().await, ReplyStatus::Parked);
}
