//! An installation, or one process of it: started from a configuration, stopped by a word. Must never acknowledge anything
//! before it is ready, and never ends while a turn or a hand-over could still finish.

mod duty;
mod pages;
mod upkeep;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use leptos::config::LeptosOptions;
use replygate_channels::webchat::{Hub, Pages, Transport};
use replygate_cluster::{ClusterError, Finding};
use replygate_embedded::OpenError;
use replygate_engine::{Engine, Parts, Wiring};
use replygate_ports::settings::SettingError;
use replygate_ports::store::StoreError;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::auth::{CookieStyle, Door, tokens};
use crate::config::{Config, Environment, Role};
use crate::console::{Ring, ServerConsole};
use crate::mcp::Proxies;
use crate::seed::{self, Difference};
use crate::service::Service;
use crate::wiring::{self, Adapters, Foundation};
use crate::{demo, http, metrics};

pub(crate) use duty::{Duty, Work};

/// After the engine has drained, open connections get this long.
const GRACE: Duration = Duration::from_secs(3);
/// The folder with script, wasm and style sheet, for a program that `cargo xtask` did not start.
const SITE_BESIDE: &str = "site";

/// The installation did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The data directory cannot be used.
    #[error(transparent)]
    Data(#[from] OpenError),
    /// A service of the cluster cannot be used.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// A service of the cluster will not do, and no waiting helps.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Unfit(Vec<Finding>),
    /// The database cannot be read.
    #[error("the database cannot be read")]
    Store(#[from] StoreError),
    /// The configured channels cannot be wired.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Settings(Vec<SettingError>),
    /// The HTTP client cannot be made.
    #[error("the HTTP client cannot be made")]
    Client(#[from] reqwest::Error),
    /// The address cannot be listened on.
    #[error("cannot listen on {address}")]
    Listen {
        /// Which.
        address: SocketAddr,
        /// Why.
        #[source]
        source: std::io::Error,
    },
}

/// Starts installations.
pub struct Server;

impl Server {
    /// Opens what the configuration names, seeds channels, starts the engine and listens. Must be called inside a tokio
    /// runtime with several threads.
    ///
    /// # Errors
    /// Before anything is acknowledged, with what is wrong.
    pub async fn start(config: Config) -> Result<Running, StartError> {
        let foundation = Foundation::open(&config).await?;
        Self::start_on(config, foundation).await
    }

    /// The same on a foundation that is open already.
    ///
    /// # Errors
    /// As [`Server::start`].
    pub async fn start_on(config: Config, foundation: Foundation) -> Result<Running, StartError> {
        metrics::install();
        let stores = foundation.stores.clone();
        let hub = Hub::new();
        let pages = match &foundation.peers {
            None => Pages::Here(hub.clone()),
            Some(_) => Pages::Anywhere(stores.feed.clone()),
        };
        let adapters = Adapters::new(&config, &stores.clock, pages)?;
        let problems = adapters.problems(&config);
        if !problems.is_empty() {
            return Err(StartError::Settings(problems));
        }
        seed::seed(&config, stores.shelves()).await?;
        let differences = seed::differences(&config, stores.shelves()).await?;
        let listener = listen(config.server.listen).await?;
        let mcp = Proxies::new(&config.mcp, adapters.mcp());
        let wiring = Arc::new(adapters.with_stores(&stores));
        let service = service(&config, foundation, hub, wiring);
        let service = Arc::new(Service { mcp, ..service });
        service.engine.board().reload().await?;
        service.engine.toolbox().reload().await?;
        let role = config.server.role;
        let first_run = if role.serves() {
            first_run(&service).await?
        } else {
            None
        };
        let running = Running::of(&config, listener, service)?;
        Ok(Running {
            differences,
            first_run,
            ..running
        })
    }
}

/// An installation that runs.
pub struct Running {
    /// Where it listens.
    address: SocketAddr,
    /// What its requests see.
    service: Arc<Service>,
    role: Role,
    engine: JoinHandle<Result<(), StoreError>>,
    http: JoinHandle<std::io::Result<()>>,
    differences: Vec<Difference>,
    first_run: Option<String>,
}

impl Running {
    fn of(
        config: &Config,
        listener: TcpListener,
        service: Arc<Service>,
    ) -> Result<Self, StartError> {
        let address = listener.local_addr().map_err(|source| StartError::Listen {
            address: config.server.listen,
            source,
        })?;
        let role = config.server.role;
        let routes = if role.serves() {
            serve_people(config, &service)
        } else {
            http::probes_only(&service)
        };
        let stop = service.stop.clone();
        upkeep::start(&service, config.retention);
        let (engine, engine_stop) = (service.engine.clone(), stop.clone());
        let engine = tokio::spawn(async move { engine.run(engine_stop).await });
        // Handed over as they are, the routes would be copied one by one for each connection: 80 KB.
        let routes = routes.into_make_service();
        let server = axum::serve(listener, routes).with_graceful_shutdown(stop.cancelled_owned());
        let http = tokio::spawn(server.into_future());
        Ok(Self {
            address,
            service,
            role,
            engine,
            http,
            differences: Vec::new(),
            first_run: None,
        })
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address that browsers use.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What it does.
    #[must_use]
    pub const fn role(&self) -> Role {
        self.role
    }

    /// The engine and the ports behind it.
    #[must_use]
    pub const fn service(&self) -> &Arc<Service> {
        &self.service
    }

    /// The token with which the admin's password is set, while it is not.
    #[must_use]
    pub fn first_run(&self) -> Option<&str> {
        self.first_run.as_deref()
    }

    /// How the configuration file differs from the settings in force, one line each.
    pub fn differences(&self) -> impl Iterator<Item = String> + '_ {
        self.differences.iter().map(ToString::to_string)
    }

    /// Asks it to stop; [`Running::ended`] returns when it has.
    #[must_use]
    pub fn stopping(&self) -> CancellationToken {
        self.service.stop.clone()
    }

    /// Stops it and waits until everything has ended.
    ///
    /// # Errors
    /// As [`Running::ended`].
    pub async fn stop(self) -> Result<(), StoreError> {
        self.service.stop.cancel();
        self.ended().await
    }

    /// Waits until it has stopped: turns and hand-overs finished or given back, the store closed.
    ///
    /// # Errors
    /// When the engine could not read the store at its start.
    pub async fn ended(self) -> Result<(), StoreError> {
        let engine = match self.engine.await {
            Ok(result) => result,
            Err(died) => {
                tracing::error!(%died, "the engine died");
                Ok(())
            }
        };
        self.service.stop.cancel();
        let clock = self.service.stores.clock.clone();
        let http = self.http;
        let abort = http.abort_handle();
        tokio::select! {
            _ = http => {}
            () = clock.sleep(GRACE) => abort.abort(),
        }
        // Calls that end now are still written down.
        tokio::select! {
            () = self.service.mcp.finished() => {}
            () = clock.sleep(GRACE) => {}
        }
        self.service.backing.close().await;
        engine
    }
}

async fn listen(address: SocketAddr) -> Result<TcpListener, StartError> {
    let listener = TcpListener::bind(address).await;
    listener.map_err(|source| StartError::Listen { address, source })
}

/// Everything that people and programs use, and what follows from it.
fn serve_people(config: &Config, service: &Arc<Service>) -> axum::Router {
    let stores = &service.stores;
    let (accounts, clock, entropy) = (
        stores.accounts.clone(),
        stores.clock.clone(),
        stores.entropy.clone(),
    );
    let cookies = match service.transport {
        Transport::Tls => CookieStyle::Secure,
        Transport::Plain => CookieStyle::Plain,
    };
    let activity = stores.activity.clone();
    let door = Arc::new(Door::new(accounts, activity, clock, entropy, cookies));
    let ring = Arc::new(Ring::new(&*stores.clock));
    let desk = ServerConsole::new(service, &door, &ring);
    let console = replygate_app::mount::mount(site(&config.environment), desk.handle());
    let routes = http::router(service, &door, console);
    let (feed, stop) = (stores.feed.clone(), service.stop.clone());
    tokio::spawn(async move { ring.follow(feed, stop).await });
    tokio::spawn(desk.carry_out());
    if service.peers.is_some() {
        upkeep::spawn(
            service,
            |service| async move { pages::follow(&service).await },
        );
        upkeep::spawn(service, |service| async move {
            pages::look_while_unheard(&service).await;
        });
    }
    routes
}

/// What requests see of an installation that stands on `foundation`.
pub(crate) fn service(
    config: &Config,
    foundation: Foundation,
    hub: Hub,
    wiring: Arc<dyn Wiring>,
) -> Service {
    let Foundation {
        stores,
        budgets,
        peers,
        tuning,
        backing,
    } = foundation;
    let parts = Parts {
        clock: stores.clock.clone(),
        entropy: stores.entropy.clone(),
        store: stores.store.clone(),
        tickets: stores.tickets.clone(),
        feed: stores.feed.clone(),
        settings: stores.settings.clone(),
        tools: stores.tools.clone(),
        ledger: stores.ledger.clone(),
        wiring,
        budgets,
        peers: peers.clone(),
    };
    let public = config.server.public_url.as_deref();
    let is_tls = public.is_some_and(|url| url.starts_with("https://"));
    Service {
        engine: Engine::new(parts, tuning),
        stores,
        peers,
        backing,
        hub,
        secrets: wiring::secrets(config),
        transport: if is_tls {
            Transport::Tls
        } else {
            Transport::Plain
        },
        public_host: public.and_then(|url| Some(url.split_once("://")?.1.to_owned())),
        mcp: Proxies::default(),
        stop: CancellationToken::new(),
        is_demo: demo::is_demo(&config.server.data_dir),
    }
}

async fn first_run(service: &Service) -> Result<Option<String>, StoreError> {
    let stores = &service.stores;
    tokens::first_run(&*stores.accounts, &*stores.clock, &*stores.entropy).await
}

/// Where the browser half lies: `REPLYGATE_SITE`, or the folder `site` beside the program.
fn site(environment: &Environment) -> LeptosOptions {
    let beside = || {
        let program = std::env::current_exe().ok()?;
        Some(program.parent()?.join(SITE_BESIDE))
    };
    let folder = environment
        .get("REPLYGATE_SITE")
        .map(PathBuf::from)
        .or_else(beside)
        .unwrap_or_else(|| PathBuf::from(SITE_BESIDE));
    LeptosOptions::builder()
        .output_name("replygate")
        .site_root(folder.to_string_lossy())
        .site_pkg_dir("pkg")
        .build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn without_its_store_the_server_is_alive_not_ready_and_refuses_messages() {
        let dir = tempfile::tempdir().unwrap();
        let mut config = Config::default();
        config.server.listen = SocketAddr::from(([127, 0, 0, 1], 0));
        config.server.data_dir = dir.path().join("data");
        let running = Server::start(config).await.unwrap();
        let url = running.url();
        let client = reqwest::Client::new();
        let get = async |path: &str| client.get(format!("{url}{path}")).send().await.unwrap();
        assert_eq!(get("/readyz").await.status(), 200);
        let page = get("/chat/demo").await;
        let cookie = page.headers()["set-cookie"].to_str().unwrap().to_owned();

        running.service.backing.close().await;
        assert_eq!(get("/livez").await.status(), 200);
        assert_eq!(get("/readyz").await.status(), 503);
        let said = client
            .post(format!("{url}/chat/demo/messages"))
            .header("cookie", cookie.split(';').next().unwrap())
            .json(&serde_json::json!({ "id": "k", "text": "hi" }));
        let said = said.send().await.unwrap();
        assert_eq!(said.status(), 503);
        assert_eq!(said.headers()["retry-after"], "1");
    }
}
