//! The contracts, and random commands against the adapters in memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use futures::StreamExt;
use futures::stream::BoxStream;
use replygate_cluster::Redis;
use replygate_gate::{At, SessionId};
use replygate_ports::budgets::Budgets;
use replygate_ports::feed::Feed;
use replygate_ports::leases::Leases;
use replygate_ports::mirror::{Glance, Mirror};
use replygate_ports::wakes::{Wake, Wakes};
use replygate_testkit::contract::{
    BudgetsHarness, FeedHarness, Harness, LeasesHarness, MirrorHarness, Missing, WakesHarness,
};

use crate::service::Place;

/// Long against a round trip to the server on a busy machine.
const UNIT: Duration = Duration::from_millis(50);
/// No case uses it.
const MARK: SessionId = SessionId(0x6d61_726b);

struct OnRedis {
    place: Place,
    redis: Redis,
    other: Redis,
    marks: AtomicU64,
}

impl Harness for OnRedis {
    async fn start() -> Result<Self, Missing> {
        let place = Place::new();
        Ok(Self {
            redis: place.open().await?,
            other: place.open().await?,
            marks: AtomicU64::new(0),
            place,
        })
    }

    async fn restart(self) -> Option<Self> {
        None
    }
}

impl OnRedis {
    fn mark(&self) -> u64 {
        self.marks.fetch_add(1, Ordering::SeqCst) + 1
    }
}

impl FeedHarness for OnRedis {
    fn feed(&self) -> Arc<dyn Feed> {
        self.redis.feed()
    }

    fn flood(&self) -> usize {
        1_025
    }
}

impl LeasesHarness for OnRedis {
    fn leases(&self) -> Arc<dyn Leases> {
        self.redis.leases()
    }

    fn unit(&self) -> Duration {
        UNIT
    }

    async fn advance(&self, by: Duration) {
        self.place.wait_there(by).await;
    }
}

impl MirrorHarness for OnRedis {
    fn mirror(&self) -> Arc<dyn Mirror> {
        self.redis.mirror()
    }

    /// What was told before a mark is seen when the mark is.
    async fn settle(&self) {
        let mark = Glance {
            version: self.mark(),
            next: None,
            held: None,
        };
        let mirror = self.redis.mirror();
        mirror.tell(MARK, mark).await;
        while mirror
            .look(MARK)
            .await
            .is_none_or(|seen| seen.version < mark.version)
        {}
    }

    async fn advance(&self, by: Duration) {
        self.place.wait_there(by).await;
    }
}

impl BudgetsHarness for OnRedis {
    fn budgets(&self) -> Arc<dyn Budgets> {
        self.redis.budgets()
    }

    fn unit(&self) -> Duration {
        UNIT
    }

    async fn advance(&self, by: Duration) {
        self.place.wait_there(by).await;
    }
}

/// Wake-ups without the marks by which the harness knows that all before them came.
struct Unmarked(Arc<dyn Wakes>);

#[async_trait]
impl Wakes for Unmarked {
    async fn tell(&self, wake: Wake) {
        self.0.tell(wake).await;
    }

    fn listen(&self) -> BoxStream<'static, Wake> {
        let heard = self.0.listen();
        heard
            .filter(|wake| std::future::ready(wake.session != MARK))
            .boxed()
    }
}

impl WakesHarness for OnRedis {
    fn processes(&self) -> (Arc<dyn Wakes>, Arc<dyn Wakes>) {
        let teller = Arc::new(Unmarked(self.redis.wakes()));
        (teller, Arc::new(Unmarked(self.other.wakes())))
    }

    async fn settle(&self) {
        let mark = Wake {
            session: MARK,
            version: self.mark(),
            at: At(0),
        };
        let mut heard = self.other.wakes().listen();
        self.redis.wakes().tell(mark).await;
        while heard.next().await != Some(mark) {}
    }

    fn flood(&self) -> usize {
        1_025
    }
}

replygate_testkit::feed_contract!(feed, OnRedis);
replygate_testkit::leases_contract!(leases, OnRedis);
replygate_testkit::mirror_contract!(mirror, OnRedis);
replygate_testkit::budgets_contract!(budgets, OnRedis);
replygate_testkit::wakes_contract!(wakes, OnRedis);
replygate_testkit::leases_model!(leases_behave_like_the_model, OnRedis, 48);
replygate_testkit::mirror_model!(the_mirror_behaves_like_the_model, OnRedis, 48);
replygate_testkit::budgets_model!(budgets_behave_like_the_model, OnRedis, 48);
