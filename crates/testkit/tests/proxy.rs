//! The fault proxy does what it says, and nothing else.
#![expect(
    clippy::unwrap_used,
    reason = "a test panics when something is not as it says"
)]

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use replygate_testkit::proxy::{Flow, TcpProxy, Toward};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::Instant;

/// Both ends of a connection through a proxy.
struct Talk {
    proxy: TcpProxy,
    listener: TcpListener,
    client: TcpStream,
    server: TcpStream,
}

async fn listen() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    (listener, address)
}

async fn talk() -> Talk {
    let (listener, address) = listen().await;
    let proxy = TcpProxy::start(address).await.unwrap();
    let client = TcpStream::connect(proxy.address()).await.unwrap();
    let (server, _) = listener.accept().await.unwrap();
    Talk {
        proxy,
        listener,
        client,
        server,
    }
}

async fn hear(stream: &mut TcpStream, bytes: usize) -> String {
    let mut heard = vec![0; bytes];
    stream.read_exact(&mut heard).await.unwrap();
    String::from_utf8(heard).unwrap()
}

async fn say(stream: &mut TcpStream, text: &str) {
    stream.write_all(text.as_bytes()).await.unwrap();
}

/// Makes sure that what was said before has reached the proxy: the other direction carries a round trip.
async fn round_trip(talk: &mut Talk, from_server: &str) {
    say(&mut talk.server, from_server).await;
    assert_eq!(hear(&mut talk.client, from_server.len()).await, from_server);
}

#[tokio::test]
async fn what_is_said_arrives_both_ways_as_it_was() {
    let mut talk = talk().await;
    let long = "x".repeat(300_000);
    for text in ["hello", &long, "bye"] {
        let (said, heard) = tokio::join!(
            talk.client.write_all(text.as_bytes()),
            hear(&mut talk.server, text.len())
        );
        said.unwrap();
        assert_eq!(heard, text);
    }
    round_trip(&mut talk, "and back").await;
    assert_eq!(talk.proxy.passed(Toward::Server), 300_008);
    assert_eq!(talk.proxy.passed(Toward::Client), 8);
}

#[tokio::test]
async fn a_delay_keeps_the_order_and_holds_one_direction_only() {
    let mut talk = talk().await;
    let delay = Duration::from_millis(120);
    talk.proxy.set(Toward::Server, Flow::Delayed(delay));
    let begun = Instant::now();
    say(&mut talk.client, "one").await;
    say(&mut talk.client, "two").await;
    round_trip(&mut talk, "meanwhile").await;
    assert_eq!(hear(&mut talk.server, 6).await, "onetwo");
    assert!(begun.elapsed() >= delay);
}

#[tokio::test]
async fn what_is_held_arrives_once_the_flow_is_open_again() {
    let mut talk = talk().await;
    talk.proxy.set(Toward::Server, Flow::Held);
    say(&mut talk.client, "held").await;
    round_trip(&mut talk, "the other way is open").await;
    assert_eq!(talk.proxy.passed(Toward::Server), 0);
    talk.proxy.set(Toward::Server, Flow::Open);
    assert_eq!(hear(&mut talk.server, 4).await, "held");
}

#[tokio::test]
async fn what_is_swallowed_never_arrives_and_the_other_way_is_open() {
    let mut talk = talk().await;
    talk.proxy.set(Toward::Client, Flow::Swallowed);
    say(&mut talk.server, "lost").await;
    say(&mut talk.client, "asked").await;
    assert_eq!(hear(&mut talk.server, 5).await, "asked");
    while talk.proxy.swallowed(Toward::Client) < 4 {
        tokio::task::yield_now().await;
    }
    talk.proxy.set(Toward::Client, Flow::Open);
    say(&mut talk.server, "heard").await;
    assert_eq!(hear(&mut talk.client, 5).await, "heard");
}

#[tokio::test]
async fn a_cut_ends_both_sides_in_order() {
    let mut talk = talk().await;
    round_trip(&mut talk, "before").await;
    talk.proxy.cut();
    let mut rest = Vec::new();
    assert_eq!(talk.client.read_to_end(&mut rest).await.unwrap(), 0);
    assert_eq!(talk.server.read_to_end(&mut rest).await.unwrap(), 0);
    assert_eq!(talk.proxy.live(), 0);
}

#[tokio::test]
async fn a_reset_is_seen_as_one_and_later_connections_live() {
    let mut talk = talk().await;
    round_trip(&mut talk, "before").await;
    talk.proxy.reset();
    let error = talk.client.read_u8().await.unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset);
    talk.client = TcpStream::connect(talk.proxy.address()).await.unwrap();
    (talk.server, _) = talk.listener.accept().await.unwrap();
    round_trip(&mut talk, "after").await;
}

#[tokio::test]
async fn a_connection_is_cut_after_exactly_so_many_bytes() {
    let mut talk = talk().await;
    talk.proxy.cut_after(Toward::Server, 7);
    say(&mut talk.client, "0123456789").await;
    let mut heard = String::new();
    talk.server.read_to_string(&mut heard).await.unwrap();
    assert_eq!(heard, "0123456");
    let mut again = TcpStream::connect(talk.proxy.address()).await.unwrap();
    let (mut server, _) = talk.listener.accept().await.unwrap();
    say(&mut again, "0123456789").await;
    assert_eq!(hear(&mut server, 10).await, "0123456789");
}

#[tokio::test]
async fn a_closed_door_lets_nobody_in_until_it_is_open() {
    let talk = talk().await;
    talk.proxy.close_door();
    let mut refused = TcpStream::connect(talk.proxy.address()).await.unwrap();
    assert!(refused.read_u8().await.is_err());
    talk.proxy.open_door();
    let mut client = TcpStream::connect(talk.proxy.address()).await.unwrap();
    let (mut server, _) = talk.listener.accept().await.unwrap();
    say(&mut server, "come in").await;
    assert_eq!(hear(&mut client, 7).await, "come in");
}

#[tokio::test]
async fn a_service_that_is_away_is_seen_as_a_reset() {
    let (listener, address) = listen().await;
    drop(listener);
    let proxy = TcpProxy::start(address).await.unwrap();
    let mut client = TcpStream::connect(proxy.address()).await.unwrap();
    assert!(client.read_u8().await.is_err());
}

#[tokio::test]
async fn what_is_injected_is_heard_as_the_other_sides_word() {
    let mut talk = talk().await;
    round_trip(&mut talk, "before ").await;
    talk.proxy.inject(Toward::Client, b"forged ");
    assert_eq!(hear(&mut talk.client, 7).await, "forged ");
    round_trip(&mut talk, "after").await;
    say(&mut talk.client, "own").await;
    assert_eq!(hear(&mut talk.server, 3).await, "own");
}
