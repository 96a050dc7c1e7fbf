//! The declared tools in force, with the hosts that run them. Must never serve a half-applied change: a tool's settings
//! and its host change together.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use replygate_ports::settings::{SettingError, SettingsStore, SettingsVersion, StaleSettings};
use replygate_ports::store::StoreError;
use replygate_ports::tools::{Tool, ToolHost};

use crate::parts::Wiring;

/// A tool in force.
#[derive(Clone)]
pub struct LiveTool {
    /// Its settings' version.
    pub version: u64,
    /// Its settings.
    pub tool: Arc<Tool>,
    /// What runs it.
    pub host: Arc<dyn ToolHost>,
}

/// A tool's settings were not taken into force.
#[derive(Debug, thiserror::Error)]
pub enum ToolSaveError {
    /// Some values are not allowed; nothing was saved.
    #[error("{} settings are not allowed: {}", .0.len(), .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Invalid(Vec<SettingError>),
    /// Not saved.
    #[error(transparent)]
    Stale(#[from] StaleSettings<Tool>),
}

/// The tools in force.
pub struct Toolbox {
    store: Arc<dyn SettingsStore<Tool>>,
    wiring: Arc<dyn Wiring>,
    tools: RwLock<BTreeMap<String, LiveTool>>,
}

impl Toolbox {
    pub(crate) fn new(store: Arc<dyn SettingsStore<Tool>>, wiring: Arc<dyn Wiring>) -> Self {
        Self {
            store,
            wiring,
            tools: RwLock::default(),
        }
    }

    /// The tool of that name, or of that model name.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<LiveTool> {
        let tools = self.tools.read().unwrap_or_else(PoisonError::into_inner);
        let by_model = || tools.values().find(|live| live.tool.model_name() == name);
        tools.get(name).or_else(by_model).cloned()
    }

    /// Every tool, by name.
    #[must_use]
    pub fn tools(&self) -> Vec<LiveTool> {
        let tools = self.tools.read().unwrap_or_else(PoisonError::into_inner);
        tools.values().cloned().collect()
    }

    /// The tools that agents of a channel may call, by name.
    #[must_use]
    pub fn offered(&self, channel: &str) -> Vec<LiveTool> {
        let tools = self.tools.read().unwrap_or_else(PoisonError::into_inner);
        tools
            .values()
            .filter(|live| live.tool.serves(channel))
            .cloned()
            .collect()
    }

    /// Reads all tools from the store. One whose settings cannot be used keeps its earlier ones and is logged.
    pub async fn reload(&self) -> Result<(), StoreError> {
        for version in self.store.all().await? {
            let name = version.settings.name.clone();
            let known = self.exact(&name).map(|live| live.version);
            if known == Some(version.version) {
                continue;
            }
            if let Err(errors) = self.put(version) {
                tracing::error!(
                    tool = name,
                    ?errors,
                    "stored settings of a tool are not usable"
                );
            }
        }
        Ok(())
    }

    /// Checks, saves and takes into force. `next.version` must follow the version in force.
    pub async fn save(&self, next: SettingsVersion<Tool>) -> Result<(), ToolSaveError> {
        let host = self.check(&next.settings).map_err(ToolSaveError::Invalid)?;
        self.store.save(next.clone()).await?;
        self.install(next, host);
        Ok(())
    }

    fn put(&self, version: SettingsVersion<Tool>) -> Result<(), Vec<SettingError>> {
        let host = self.check(&version.settings)?;
        self.install(version, host);
        Ok(())
    }

    fn check(&self, tool: &Tool) -> Result<Arc<dyn ToolHost>, Vec<SettingError>> {
        tool.validate()?;
        let twin = self.tools().into_iter().find(|live| {
            live.tool.name != tool.name && live.tool.model_name() == tool.model_name()
        });
        if let Some(twin) = twin {
            return Err(vec![SettingError::new(
                format!("tools.{}.name", tool.name),
                format!("`{}`", tool.name),
                format!(
                    "a name that models can tell from `{}`: they see . as _",
                    twin.tool.name
                ),
            )]);
        }
        self.wiring.host(tool)
    }

    fn install(&self, version: SettingsVersion<Tool>, host: Arc<dyn ToolHost>) {
        let mut tools = self.tools.write().unwrap_or_else(PoisonError::into_inner);
        let name = version.settings.name.clone();
        if tools
            .get(&name)
            .is_some_and(|present| present.version > version.version)
        {
            return;
        }
        let live = LiveTool {
            version: version.version,
            tool: Arc::new(version.settings),
            host,
        };
        tools.insert(name, live);
    }

    fn exact(&self, name: &str) -> Option<LiveTool> {
        let tools = self.tools.read().unwrap_or_else(PoisonError::into_inner);
        tools.get(name).cloned()
    }
}
