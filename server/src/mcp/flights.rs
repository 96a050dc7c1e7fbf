//! Guarded calls that are under way, by how their clients name them. Must never keep one whose time is over.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::http::HeaderMap;
use replygate_gate::ActionId;
use serde_json::Value;

/// A guarded call that is under way.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Flight {
    /// The client's session, where it has one. Clients without one name their requests alike, so that none of theirs can
    /// be found again; they give up by closing the connection.
    session: String,
    /// The request's id.
    pub(crate) id: Value,
    /// Whether a client that gives it up is listened to: only where it may be called again.
    may_cancel: bool,
}

impl Flight {
    pub(super) fn new(headers: &HeaderMap, id: &Value, may_cancel: bool) -> Self {
        Self {
            session: session(headers),
            id: id.clone(),
            may_cancel,
        }
    }
}

/// Guarded calls that are under way.
#[derive(Debug, Default)]
pub(crate) struct Flights(Mutex<HashMap<ActionId, Flight>>);

fn session(headers: &HeaderMap) -> String {
    let session = headers.get("mcp-session-id");
    let session = session.and_then(|value| value.to_str().ok());
    session.unwrap_or_default().to_owned()
}

impl Flights {
    /// The call begins.
    pub(super) fn begin(&self, action: ActionId, flight: Flight) {
        self.lock().insert(action, flight);
    }

    /// Whether that client's request is a call that goes on although the client gives it up.
    pub(crate) fn goes_on(&self, headers: &HeaderMap, id: &Value) -> bool {
        let flights = self.of_session(headers);
        flights
            .iter()
            .any(|(_, flight)| flight.id == *id && !flight.may_cancel)
    }

    /// Every call of that client's session: their answers may come by any of its streams.
    pub(super) fn of_session(&self, headers: &HeaderMap) -> Vec<(ActionId, Flight)> {
        let session = session(headers);
        if session.is_empty() {
            return Vec::new();
        }
        let flights = self.lock();
        let own = flights
            .iter()
            .filter(|(_, flight)| flight.session == session);
        own.map(|(action, flight)| (*action, flight.clone()))
            .collect()
    }

    /// Whether nobody has learnt yet how the call ended.
    pub(super) fn is_under_way(&self, action: ActionId) -> bool {
        self.lock().contains_key(&action)
    }

    /// The call is over.
    pub(super) fn end(&self, action: ActionId) {
        self.lock().remove(&action);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ActionId, Flight>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn session(id: &'static str) -> HeaderMap {
        HeaderMap::from_iter([("mcp-session-id".parse().unwrap(), id.parse().unwrap())])
    }

    #[test]
    fn a_call_is_found_by_its_session_and_id_until_it_is_over() {
        let flights = Flights::default();
        let flight = |name| Flight::new(&session(name), &json!(7), false);
        flights.begin(ActionId(1), flight("a"));
        flights.begin(ActionId(2), flight("b"));
        assert!(flights.goes_on(&session("a"), &json!(7)));
        assert!(!flights.goes_on(&session("a"), &json!("7")));
        assert_eq!(flights.of_session(&session("b")).len(), 1);
        flights.end(ActionId(1));
        assert!(!flights.goes_on(&session("a"), &json!(7)));
        assert!(!flights.is_under_way(ActionId(1)) && flights.is_under_way(ActionId(2)));
    }

    #[test]
    fn a_call_that_may_be_repeated_ends_when_it_is_given_up() {
        let flights = Flights::default();
        let flight = Flight::new(&session("a"), &json!(7), true);
        flights.begin(ActionId(1), flight);
        assert!(!flights.goes_on(&session("a"), &json!(7)));
    }

    #[test]
    fn clients_without_a_session_are_not_taken_for_each_other() {
        let flights = Flights::default();
        let none = HeaderMap::new();
        flights.begin(ActionId(1), Flight::new(&none, &json!(1), false));
        assert!(!flights.goes_on(&none, &json!(1)));
        assert_eq!(flights.of_session(&none), []);
    }
}
