//! Counters and gauges for `/metrics`. Must never carry anything personal: no contact, no session, no text.

use std::sync::OnceLock;

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};

static HANDLE: OnceLock<Option<PrometheusHandle>> = OnceLock::new();

/// Takes up counting; once for the process, however many servers run in it. Without effect where the program that
/// embeds the server counts in its own way.
pub(crate) fn install() {
    HANDLE.get_or_init(|| PrometheusBuilder::new().install_recorder().ok());
}

/// Everything counted so far, as Prometheus reads it.
pub(crate) fn render() -> String {
    HANDLE
        .get()
        .and_then(Option::as_ref)
        .map_or_else(String::new, |handle| {
            handle.run_upkeep();
            handle.render()
        })
}

/// Folds what histograms collected, so that they stay small when nobody asks.
pub(crate) fn fold() {
    if let Some(handle) = HANDLE.get().and_then(Option::as_ref) {
        handle.run_upkeep();
    }
}
