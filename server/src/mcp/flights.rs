//! Guarded calls that are under way, by how their clients name them. Must never keep one whose time is over.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use http::HeaderMap;
use replygate_gate::ActionId;
use serde_json::Value;

/// How a client names a call: its session, if it has one, and the request's id there.
type Name = (String, String);

/// A guarded call that is under way.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Flight {
    /// The call.
    pub(crate) action: ActionId,
    /// The request's id.
    pub(crate) id: Value,
    /// Whether a client that gives it up is listened to: only where it may be called again.
    pub(crate) may_cancel: bool,
}

/// Guarded calls that are under way.
#[derive(Debug, Default)]
pub(crate) struct Flights(Mutex<HashMap<Name, Flight>>);

fn name(headers: &HeaderMap, id: &Value) -> Name {
    (session(headers), id.to_string())
}

/// The client's session. Clients without one name their requests alike, so that none of theirs can be found again; they
/// give up by closing the connection.
fn session(headers: &HeaderMap) -> String {
    let session = headers.get("mcp-session-id");
    let session = session.and_then(|value| value.to_str().ok());
    session.unwrap_or_default().to_owned()
}

impl Flights {
    /// The call begins; a client without a session is not followed.
    pub(crate) fn begin(&self, headers: &HeaderMap, flight: Flight) {
        let name = name(headers, &flight.id);
        if !name.0.is_empty() {
            self.lock().insert(name, flight);
        }
    }

    /// The call of that name, if it is under way.
    pub(crate) fn find(&self, headers: &HeaderMap, id: &Value) -> Option<Flight> {
        self.lock().get(&name(headers, id)).cloned()
    }

    /// Every call of that client's session: their answers may come by any of its streams.
    pub(crate) fn of_session(&self, headers: &HeaderMap) -> Vec<Flight> {
        let session = session(headers);
        if session.is_empty() {
            return Vec::new();
        }
        let flights = self.lock();
        let own = flights.iter().filter(|(name, _)| name.0 == session);
        own.map(|(_, flight)| flight.clone()).collect()
    }

    /// The call is over.
    pub(crate) fn end(&self, action: ActionId) {
        self.lock().retain(|_, flight| flight.action != action);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Name, Flight>> {
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

    fn flight(action: u128, id: Value) -> Flight {
        Flight {
            action: ActionId(action),
            id,
            may_cancel: false,
        }
    }

    #[test]
    fn a_call_is_found_by_its_session_and_id_until_it_is_over() {
        let flights = Flights::default();
        flights.begin(&session("a"), flight(1, json!(7)));
        flights.begin(&session("b"), flight(2, json!(7)));
        assert_eq!(flights.find(&session("a"), &json!(7)).unwrap().action, ActionId(1));
        assert_eq!(flights.find(&session("a"), &json!("7")), None);
        assert_eq!(flights.of_session(&session("b")).len(), 1);
        flights.end(ActionId(1));
        assert_eq!(flights.find(&session("a"), &json!(7)), None);
    }

    #[test]
    fn clients_without_a_session_are_not_taken_for_each_other() {
        let flights = Flights::default();
        flights.begin(&HeaderMap::new(), flight(1, json!(1)));
        assert_eq!(flights.find(&HeaderMap::new(), &json!(1)), None);
        assert_eq!(flights.of_session(&HeaderMap::new()), []);
    }
}
