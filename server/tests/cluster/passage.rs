//! The ways to the three services, each through a proxy that does to it what networks do.

use std::net::SocketAddr;

use replygate_testkit::proxy::TcpProxy;

use crate::place::Place;

/// A service of the cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    Postgres,
    Redis,
    Rabbit,
}

/// A proxy in front of each service.
pub struct Passages {
    postgres: TcpProxy,
    redis: TcpProxy,
    rabbit: TcpProxy,
}

impl Passages {
    /// Puts a proxy in front of each service of the place, and writes its file with their addresses and these channels.
    pub async fn open(place: &Place, channels: &str) -> Self {
        let passages = Self {
            postgres: before(&place.database_url, 5_432).await,
            redis: before(&place.redis_url, 6_379).await,
            rabbit: before(&place.amqp_url, 5_672).await,
        };
        let urls = [
            through(&place.database_url, passages.postgres.address()),
            through(&place.redis_url, passages.redis.address()),
            through(&place.amqp_url, passages.rabbit.address()),
        ];
        place.configure_at(urls.each_ref().map(String::as_str), channels);
        passages
    }

    /// The way to that service.
    pub fn to(&self, service: Service) -> &TcpProxy {
        match service {
            Service::Postgres => &self.postgres,
            Service::Redis => &self.redis,
            Service::Rabbit => &self.rabbit,
        }
    }
}

/// An address in three parts: what stands before host and port, these, and what stands behind.
fn parts(url: &str) -> (&str, &str, &str) {
    let begin = url.find("://").map_or(0, |at| at + 3);
    let end = url[begin..].find('/').map_or(url.len(), |at| begin + at);
    let host = url[begin..end]
        .rfind('@')
        .map_or(begin, |at| begin + at + 1);
    (&url[..host], &url[host..end], &url[end..])
}

fn through(url: &str, address: SocketAddr) -> String {
    let (before, _, behind) = parts(url);
    format!("{before}{address}{behind}")
}

async fn before(url: &str, usual_port: u16) -> TcpProxy {
    let (_, host, _) = parts(url);
    let host = if host.contains(':') {
        host.to_owned()
    } else {
        format!("{host}:{usual_port}")
    };
    let mut found = tokio::net::lookup_host(&host).await.unwrap();
    TcpProxy::start(found.next().unwrap()).await.unwrap()
}
