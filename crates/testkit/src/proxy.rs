//! A proxy that does to connections what networks do: delay, hold up, swallow, cut, reset, refuse. It stands in front of a
//! real service, so that an adapter meets real faults of a real protocol.

mod pump;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{broadcast, watch};
use tokio_util::sync::{CancellationToken, DropGuard};

use pump::{Forged, Meter, pump};

/// So much that is forged waits for a connection.
const FORGED: usize = 16;

/// A direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toward {
    /// From the client to the service.
    Server,
    /// From the service to the client.
    Client,
}

/// What happens to bytes in one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flow {
    /// They pass.
    #[default]
    Open,
    /// They pass so much later.
    Delayed(Duration),
    /// They wait: as when a network is away and TCP repeats what it lost.
    Held,
    /// They are gone. What follows makes no sense to whoever reads it, so the connection should be cut afterwards.
    Swallowed,
}

/// How a connection ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Cut,
    Reset,
}

#[derive(Clone, Copy, Debug, Default)]
struct Rules {
    server: Flow,
    client: Flow,
    /// Connections that were opened before this number of the last end are over.
    ended: u64,
    end: Option<End>,
    is_closed: bool,
}

impl Rules {
    const fn flow(&self, toward: Toward) -> Flow {
        match toward {
            Toward::Server => self.server,
            Toward::Client => self.client,
        }
    }
}

/// A proxy in front of one service. It ends with its last clone.
#[derive(Clone)]
pub struct TcpProxy {
    address: SocketAddr,
    shared: Arc<Shared>,
    _stop: Arc<DropGuard>,
}

struct Shared {
    upstream: RwLock<SocketAddr>,
    rules: watch::Sender<Rules>,
    forged: broadcast::Sender<Forged>,
    to_server: Meter,
    to_client: Meter,
    live: AtomicUsize,
}

/// Counts a connection while it lives.
struct Counted<'a>(&'a AtomicUsize);

impl<'a> Counted<'a> {
    fn new(live: &'a AtomicUsize) -> Self {
        live.fetch_add(1, Ordering::SeqCst);
        Self(live)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl TcpProxy {
    /// A proxy on a free port of this machine, in front of `upstream`.
    ///
    /// # Errors
    /// When no port can be opened.
    pub async fn start(upstream: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            upstream: RwLock::new(upstream),
            rules: watch::Sender::new(Rules::default()),
            forged: broadcast::Sender::new(FORGED),
            to_server: Meter::default(),
            to_client: Meter::default(),
            live: AtomicUsize::new(0),
        });
        let stop = CancellationToken::new();
        tokio::spawn(accept_all(listener, Arc::clone(&shared), stop.clone()));
        Ok(Self {
            address,
            shared,
            _stop: Arc::new(stop.drop_guard()),
        })
    }

    /// Where clients connect.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// What happens to bytes in that direction from now on, on every connection.
    pub fn set(&self, toward: Toward, flow: Flow) {
        self.shared.rules.send_modify(|rules| match toward {
            Toward::Server => rules.server = flow,
            Toward::Client => rules.client = flow,
        });
    }

    /// The same in both directions.
    pub fn set_both(&self, flow: Flow) {
        self.set(Toward::Server, flow);
        self.set(Toward::Client, flow);
    }

    /// Says something in that direction on every connection, as if the other side had said it. Between two messages of a
    /// protocol only: whatever is on its way is not waited for.
    pub fn inject(&self, toward: Toward, bytes: &[u8]) {
        // Without a connection there is nobody to say it to.
        let _ = self.shared.forged.send((toward, bytes.to_vec()));
    }

    /// Ends every connection in order.
    pub fn cut(&self) {
        self.end(End::Cut);
    }

    /// Ends every connection as a crash does.
    pub fn reset(&self) {
        self.end(End::Reset);
    }

    /// Lets `bytes` more pass in that direction, and ends the connection that would send another one.
    pub fn cut_after(&self, toward: Toward, bytes: u64) {
        self.meter(toward).allow(bytes);
    }

    /// Refuses new connections, and ends those that live.
    pub fn close_door(&self) {
        self.shared
            .rules
            .send_modify(|rules| rules.is_closed = true);
        self.reset();
    }

    /// Takes connections again.
    pub fn open_door(&self) {
        self.shared
            .rules
            .send_modify(|rules| rules.is_closed = false);
    }

    /// Leads new connections to another service.
    pub fn redirect(&self, upstream: SocketAddr) {
        let mut place = self
            .shared
            .upstream
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        *place = upstream;
    }

    /// How many connections live.
    #[must_use]
    pub fn live(&self) -> usize {
        self.shared.live.load(Ordering::SeqCst)
    }

    /// How many bytes passed in that direction.
    #[must_use]
    pub fn passed(&self, toward: Toward) -> u64 {
        self.meter(toward).passed()
    }

    /// How many bytes were swallowed in that direction.
    #[must_use]
    pub fn swallowed(&self, toward: Toward) -> u64 {
        self.meter(toward).swallowed()
    }

    fn meter(&self, toward: Toward) -> &Meter {
        match toward {
            Toward::Server => &self.shared.to_server,
            Toward::Client => &self.shared.to_client,
        }
    }

    fn end(&self, end: End) {
        self.shared.rules.send_modify(|rules| {
            rules.ended += 1;
            rules.end = Some(end);
        });
    }
}

async fn accept_all(listener: TcpListener, shared: Arc<Shared>, stop: CancellationToken) {
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        let Ok((client, _)) = accepted else { continue };
        let (shared, stop) = (Arc::clone(&shared), stop.clone());
        tokio::spawn(async move {
            tokio::select! {
                () = stop.cancelled() => {}
                () = carry(client, &shared) => {}
            }
        });
    }
}

/// Carries one connection until it ends.
async fn carry(mut client: TcpStream, shared: &Shared) {
    let mut rules = shared.rules.subscribe();
    let born = *rules.borrow_and_update();
    if born.is_closed {
        end_as(&client, End::Reset);
        return;
    }
    let upstream = *shared
        .upstream
        .read()
        .unwrap_or_else(PoisonError::into_inner);
    let Ok(mut server) = TcpStream::connect(upstream).await else {
        end_as(&client, End::Reset);
        return;
    };
    let _counted = Counted::new(&shared.live);
    // A proxy that collects small writes would be a fault of its own.
    let _ = (client.set_nodelay(true), server.set_nodelay(true));
    let end = {
        let (from_client, to_client) = client.split();
        let (from_server, to_server) = server.split();
        let there = pump(
            from_client,
            to_server,
            Toward::Server,
            rules.clone(),
            shared.forged.subscribe(),
            &shared.to_server,
        );
        let back = pump(
            from_server,
            to_client,
            Toward::Client,
            rules.clone(),
            shared.forged.subscribe(),
            &shared.to_client,
        );
        let both = async { tokio::try_join!(there, back) };
        tokio::select! {
            _ = both => End::Cut,
            ended = rules.wait_for(|rules| rules.ended > born.ended) => {
                ended.map_or(End::Cut, |rules| rules.end.unwrap_or(End::Cut))
            }
        }
    };
    end_as(&client, end);
    end_as(&server, end);
}

/// What the peer sees when the stream is dropped after this.
fn end_as(stream: &TcpStream, end: End) {
    if end == End::Reset {
        // Where that cannot be set the peer sees an ordinary end.
        let _ = stream.set_zero_linger();
    }
}
