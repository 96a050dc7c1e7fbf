//! A wire to the server that a test can cut, or make swallow what the server says.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// What happens to what is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// It arrives.
    Whole,
    /// What the server says is lost; what it is told arrives.
    Deaf,
    /// Nothing arrives anywhere, and nobody is told.
    Dead,
}

/// A wire to the server.
pub struct Proxy {
    pub address: SocketAddr,
    state: watch::Sender<Wire>,
    cuts: watch::Sender<u32>,
}

impl Proxy {
    pub async fn to(server: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (state, cuts) = (watch::Sender::new(Wire::Whole), watch::Sender::new(0));
        let (states, cut) = (state.clone(), cuts.clone());
        let server = Arc::new(server);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (states, mut cut) = (states.clone(), cut.subscribe());
                cut.mark_unchanged();
                let server = Arc::clone(&server);
                tokio::spawn(async move {
                    let Ok(upstream) = TcpStream::connect(server.as_str()).await else {
                        return;
                    };
                    let (from_client, to_client) = client.into_split();
                    let (from_server, to_server) = upstream.into_split();
                    tokio::select! {
                        () = carry(from_client, to_server, states.subscribe(), |wire| wire != Wire::Dead) => {}
                        () = carry(from_server, to_client, states.subscribe(), |wire| wire == Wire::Whole) => {}
                        _ = cut.changed() => {}
                    }
                });
            }
        });
        Self {
            address,
            state,
            cuts,
        }
    }

    pub fn become_(&self, wire: Wire) {
        self.state.send_replace(wire);
    }

    /// Ends every connection.
    pub fn cut(&self) {
        self.cuts.send_modify(|cuts| *cuts += 1);
    }
}

async fn carry(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    state: watch::Receiver<Wire>,
    arrives: impl Fn(Wire) -> bool,
) {
    let mut bytes = vec![0; 16 << 10];
    while let Ok(many @ 1..) = from.read(&mut bytes).await {
        if arrives(*state.borrow()) && to.write_all(&bytes[..many]).await.is_err() {
            return;
        }
    }
}
