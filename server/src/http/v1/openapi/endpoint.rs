//! One path with what it does: handler and description side by side. Must never let one be there without the other.

use std::sync::Arc;

use axum::handler::Handler;
use axum::routing::{MethodFilter, MethodRouter, on};
use serde_json::{Map, Value, json};

use crate::service::Service;

/// What a token must be for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::http::v1) enum Scope {
    /// To operate: read, act, lock.
    Operate,
    /// To ask before tools are called.
    Actions,
}

/// One operation as the document tells of it.
pub(in crate::http::v1) struct Operation {
    id: &'static str,
    summary: &'static str,
    tag: &'static str,
    parameters: Vec<Value>,
    body: Option<(Value, bool)>,
    answers: Vec<(u16, &'static str, Value)>,
}

impl Operation {
    /// An operation with its unique name, in one sentence.
    pub(in crate::http::v1) fn new(
        id: &'static str,
        tag: &'static str,
        summary: &'static str,
    ) -> Self {
        Self {
            id,
            summary,
            tag,
            parameters: Vec::new(),
            body: None,
            answers: Vec::new(),
        }
    }

    /// What it may be asked besides.
    pub(in crate::http::v1) fn with(mut self, parameters: impl IntoIterator<Item = Value>) -> Self {
        self.parameters.extend(parameters);
        self
    }

    /// What it reads.
    pub(in crate::http::v1) fn reads(mut self, schema: Value) -> Self {
        self.body = Some((schema, true));
        self
    }

    /// What it reads, where there is anything.
    pub(in crate::http::v1) fn may_read(mut self, schema: Value) -> Self {
        self.body = Some((schema, false));
        self
    }

    /// One of its answers.
    pub(in crate::http::v1) fn answers(
        mut self,
        status: u16,
        when: &'static str,
        schema: Value,
    ) -> Self {
        self.answers.push((status, when, schema));
        self
    }

    /// Several at once, such as what every operation may answer.
    pub(in crate::http::v1) fn fails(
        mut self,
        answers: impl IntoIterator<Item = (u16, &'static str, Value)>,
    ) -> Self {
        self.answers.extend(answers);
        self
    }

    pub(super) fn to_json(&self, path: &str) -> Value {
        let is_told = |name: &str| self.parameters.iter().any(|told| told["name"] == name);
        let untold = in_path(path).filter(|name| !is_told(name));
        let mut parameters: Vec<Value> = untold.map(self::path).collect();
        parameters.extend(self.parameters.iter().cloned());
        let answers: Map<String, Value> = self
            .answers
            .iter()
            .map(|(status, when, schema)| (status.to_string(), answer(when, schema)))
            .collect();
        let mut json = json!({
            "operationId": self.id,
            "summary": self.summary,
            "tags": [self.tag],
            "responses": answers,
        });
        if !parameters.is_empty() {
            json["parameters"] = Value::Array(parameters);
        }
        if let Some((schema, required)) = &self.body {
            json["requestBody"] = json!({ "required": required, "content": content(schema) });
        }
        json
    }
}

fn content(schema: &Value) -> Value {
    json!({ "application/json": { "schema": schema } })
}

fn answer(when: &str, schema: &Value) -> Value {
    let mut answer = json!({ "description": when });
    if !schema.is_null() {
        answer["content"] = content(schema);
    }
    answer
}

/// The names in braces.
fn in_path(path: &str) -> impl Iterator<Item = &str> {
    path.split('/')
        .filter_map(|piece| piece.strip_prefix('{')?.strip_suffix('}'))
}

/// A part of the path.
pub(in crate::http::v1) fn path(name: &str) -> Value {
    let schema = super::words::path_schema(name);
    json!({ "name": name, "in": "path", "required": true, "schema": schema })
}

/// A parameter behind the question mark.
pub(in crate::http::v1) fn query(name: &str, about: &str, schema: Value) -> Value {
    let mut parameter = json!({ "name": name, "in": "query", "description": about });
    parameter["schema"] = schema;
    parameter
}

/// A path with its operations.
pub(in crate::http::v1) struct Endpoint {
    path: &'static str,
    scope: Scope,
    router: MethodRouter<Arc<Service>>,
    operations: Vec<(&'static str, Operation)>,
}

impl Endpoint {
    pub(in crate::http::v1) fn new(path: &'static str, scope: Scope) -> Self {
        Self {
            path,
            scope,
            router: MethodRouter::new(),
            operations: Vec::new(),
        }
    }

    pub(in crate::http::v1) fn get<H, T>(self, handler: H, operation: Operation) -> Self
    where
        H: Handler<T, Arc<Service>>,
        T: 'static,
    {
        self.on("get", MethodFilter::GET, handler, operation)
    }

    pub(in crate::http::v1) fn post<H, T>(self, handler: H, operation: Operation) -> Self
    where
        H: Handler<T, Arc<Service>>,
        T: 'static,
    {
        self.on("post", MethodFilter::POST, handler, operation)
    }

    pub(in crate::http::v1) fn put<H, T>(self, handler: H, operation: Operation) -> Self
    where
        H: Handler<T, Arc<Service>>,
        T: 'static,
    {
        self.on("put", MethodFilter::PUT, handler, operation)
    }

    pub(in crate::http::v1) fn delete<H, T>(self, handler: H, operation: Operation) -> Self
    where
        H: Handler<T, Arc<Service>>,
        T: 'static,
    {
        self.on("delete", MethodFilter::DELETE, handler, operation)
    }

    fn on<H, T>(
        mut self,
        method: &'static str,
        filter: MethodFilter,
        handler: H,
        operation: Operation,
    ) -> Self
    where
        H: Handler<T, Arc<Service>>,
        T: 'static,
    {
        self.router = self.router.merge(on(filter, handler));
        self.operations.push((method, operation));
        self
    }

    pub(super) fn operations(&self) -> impl Iterator<Item = (&'static str, &Operation)> {
        self.operations
            .iter()
            .map(|(method, operation)| (*method, operation))
    }

    pub(in crate::http::v1) fn path(&self) -> &'static str {
        self.path
    }

    pub(in crate::http::v1) fn scope(&self) -> Scope {
        self.scope
    }

    pub(in crate::http::v1) fn into_router(self) -> MethodRouter<Arc<Service>> {
        self.router
    }
}
