//! The description of `/v1` in `OpenAPI` 3.1, and the routes that it describes: both are made from one list of endpoints, so
//! that neither can say what the other does not. Must never name an operation that nobody serves.

mod endpoint;
mod schemas;
mod words;

use serde_json::{Map, Value, json};

pub(super) use endpoint::{Endpoint, Operation, Scope, query};
pub(super) use schemas::{list_of, one_of, reference};
pub(super) use words::failures;

/// The whole document.
pub(super) fn document(endpoints: &[Endpoint]) -> Value {
    let mut paths = Map::new();
    for endpoint in endpoints {
        let mut item = Map::new();
        for (method, operation) in endpoint.operations() {
            item.insert(method.to_owned(), operation.to_json(endpoint.path()));
        }
        paths.insert(endpoint.path().to_owned(), Value::Object(item));
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Replygate",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "What operators' programs, outside systems and agents elsewhere ask and do.",
            "description": words::ABOUT,
        },
        "servers": [{ "url": "/" }],
        "security": [{ "token": [] }],
        "tags": words::tags(),
        "paths": paths,
        "components": {
            "securitySchemes": {
                "token": { "type": "http", "scheme": "bearer", "description": words::TOKEN }
            },
            "schemas": schemas::all(),
        },
    })
}
