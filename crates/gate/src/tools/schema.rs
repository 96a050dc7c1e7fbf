//! Whether a call's arguments are what a tool's JSON schema asks for, told so that a model can correct itself. Must never
//! refuse what the schema allows: a keyword that is not known here refuses nothing.
//!
//! Known are `type`, `enum`, `const`, `required`, `properties`, `additionalProperties`, `items`, `minItems`, `maxItems`,
//! `minLength`, `maxLength`, `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`, `allOf`, `anyOf`, `oneOf` and
//! `$ref` inside the schema (JSON Schema 2020-12).

use std::fmt;

use serde_json::{Map, Value};

/// What a call's arguments are not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// Where: `guests.0.email`; empty for the arguments as a whole.
    pub path: String,
    /// What is wrong, with what is allowed.
    pub wrong: String,
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = match self.path.as_str() {
            "" => "arguments",
            path => path,
        };
        write!(f, "`{path}` {}", self.wrong)
    }
}

/// How deep schemas may refer to each other.
const DEEPEST: usize = 32;
/// So many are told at most.
const MOST: usize = 8;

/// Everything in `arguments` that `schema` does not allow, at most eight.
#[must_use]
pub fn misfits(schema: &Value, arguments: &Value) -> Vec<Misfit> {
    let mut check = Check {
        root: schema,
        path: Vec::new(),
        depth: 0,
        found: Vec::new(),
    };
    check.all(schema, arguments);
    check.found.truncate(MOST);
    check.found
}

/// A keyword, the words for it, and whether a number fits it.
type Bound = (&'static str, &'static str, fn(f64, f64) -> bool);

struct Check<'s> {
    root: &'s Value,
    path: Vec<String>,
    depth: usize,
    found: Vec<Misfit>,
}

impl<'s> Check<'s> {
    fn wrong(&mut self, wrong: String) {
        self.found.push(Misfit {
            path: self.path.join("."),
            wrong,
        });
    }

    fn below(&mut self, key: &str, schema: &'s Value, value: &Value) {
        self.path.push(key.to_owned());
        self.all(schema, value);
        self.path.pop();
    }

    fn all(&mut self, schema: &'s Value, value: &Value) {
        match schema {
            Value::Bool(false) => self.wrong("is not allowed".to_owned()),
            Value::Object(schema) if self.depth < DEEPEST => {
                self.depth += 1;
                self.table(schema, value);
                self.depth -= 1;
            }
            _ => {}
        }
    }

    fn table(&mut self, schema: &'s Map<String, Value>, value: &Value) {
        if let Some(schema) = self.referred(schema) {
            self.all(schema, value);
        }
        if let Some(types) = schema.get("type")
            && !has_type(types, value)
        {
            // What has another type has nothing else in common either.
            return self.wrong(format!("is {}, allowed: {}", kind(value), listed(types)));
        }
        self.choice(schema, value);
        match value {
            Value::Object(fields) => self.fields(schema, fields),
            Value::Array(items) => self.items(schema, items),
            Value::String(text) => self.length(schema, text),
            Value::Number(number) => self.size(schema, number.as_f64().unwrap_or_default()),
            _ => {}
        }
        self.several(schema, value);
    }

    /// The schema that `$ref` names, inside this one.
    fn referred(&self, schema: &'s Map<String, Value>) -> Option<&'s Value> {
        let pointer = schema.get("$ref")?.as_str()?.strip_prefix('#')?;
        self.root.pointer(pointer)
    }

    fn choice(&mut self, schema: &'s Map<String, Value>, value: &Value) {
        if let Some(Value::Array(choices)) = schema.get("enum")
            && !choices.contains(value)
        {
            let choices: Vec<String> = choices.iter().map(Value::to_string).collect();
            self.wrong(format!(
                "is {}, allowed: {}",
                shown(value),
                choices.join(", ")
            ));
        }
        if let Some(only) = schema.get("const")
            && only != value
        {
            self.wrong(format!("is {}, allowed: {only}", shown(value)));
        }
    }

    fn fields(&mut self, schema: &'s Map<String, Value>, fields: &Map<String, Value>) {
        let named = |list: &'s Value| list.as_array().into_iter().flatten();
        for name in schema.get("required").into_iter().flat_map(named) {
            let Some(name) = name.as_str().filter(|name| !fields.contains_key(*name)) else {
                continue;
            };
            self.path.push(name.to_owned());
            self.wrong("is missing".to_owned());
            self.path.pop();
        }
        let known = schema.get("properties").and_then(Value::as_object);
        for (name, value) in fields {
            if let Some(schema) = known.and_then(|known| known.get(name)) {
                self.below(name, schema, value);
            } else if let Some(schema) = schema.get("additionalProperties") {
                self.other(name, schema, known, value);
            }
        }
    }

    fn other(
        &mut self,
        name: &str,
        schema: &'s Value,
        known: Option<&'s Map<String, Value>>,
        value: &Value,
    ) {
        if *schema != Value::Bool(false) {
            return self.below(name, schema, value);
        }
        let mut names: Vec<&str> = known
            .into_iter()
            .flat_map(Map::keys)
            .map(String::as_str)
            .collect();
        names.sort_unstable();
        self.path.push(name.to_owned());
        self.wrong(format!("is no argument, allowed: {}", names.join(", ")));
        self.path.pop();
    }

    fn items(&mut self, schema: &'s Map<String, Value>, items: &[Value]) {
        self.count(schema, ("minItems", "maxItems"), items.len(), "items");
        if let Some(schema) = schema.get("items") {
            for (place, item) in items.iter().enumerate() {
                self.below(&place.to_string(), schema, item);
            }
        }
    }

    fn length(&mut self, schema: &'s Map<String, Value>, text: &str) {
        self.count(
            schema,
            ("minLength", "maxLength"),
            text.chars().count(),
            "characters",
        );
    }

    fn count(&mut self, schema: &Map<String, Value>, keys: (&str, &str), count: usize, what: &str) {
        let bound = |key: &str| schema.get(key).and_then(Value::as_u64);
        let count = count as u64;
        if let Some(least) = bound(keys.0).filter(|least| count < *least) {
            self.wrong(format!("has {count} {what}, allowed: at least {least}"));
        }
        if let Some(most) = bound(keys.1).filter(|most| count > *most) {
            self.wrong(format!("has {count} {what}, allowed: at most {most}"));
        }
    }

    fn size(&mut self, schema: &Map<String, Value>, number: f64) {
        let bounds: [Bound; 4] = [
            ("minimum", "at least", |number, bound| number >= bound),
            ("maximum", "at most", |number, bound| number <= bound),
            ("exclusiveMinimum", "more than", |number, bound| {
                number > bound
            }),
            ("exclusiveMaximum", "less than", |number, bound| {
                number < bound
            }),
        ];
        for (key, words, fits) in bounds {
            if let Some(bound) = schema.get(key).and_then(Value::as_f64)
                && !fits(number, bound)
            {
                self.wrong(format!("is {number}, allowed: {words} {bound}"));
            }
        }
    }

    /// `allOf`, `anyOf` and `oneOf`.
    fn several(&mut self, schema: &'s Map<String, Value>, value: &Value) {
        let list = |key: &str| schema.get(key).and_then(Value::as_array);
        for schema in list("allOf").into_iter().flatten() {
            self.all(schema, value);
        }
        if let Some(schemas) = list("anyOf")
            && self.fitting(schemas, value) == 0
        {
            self.nearest(schemas, value);
        }
        if let Some(schemas) = list("oneOf") {
            match self.fitting(schemas, value) {
                1 => {}
                0 => self.nearest(schemas, value),
                many => self.wrong(format!("fits {many} of its forms, allowed: one of them")),
            }
        }
    }

    fn tried(&self, schema: &'s Value, value: &Value) -> Vec<Misfit> {
        let mut check = Check {
            root: self.root,
            path: self.path.clone(),
            depth: self.depth,
            found: Vec::new(),
        };
        check.all(schema, value);
        check.found
    }

    fn fitting(&self, schemas: &'s [Value], value: &Value) -> usize {
        let fits = |schema: &&Value| self.tried(schema, value).is_empty();
        schemas.iter().filter(fits).count()
    }

    /// What is wrong by the form that the value comes nearest to.
    fn nearest(&mut self, schemas: &'s [Value], value: &Value) {
        let tries = schemas.iter().map(|schema| self.tried(schema, value));
        let nearest = tries.min_by_key(Vec::len).unwrap_or_default();
        self.found.extend(nearest);
    }
}

fn has_type(types: &Value, value: &Value) -> bool {
    let is = |name: &str| match name {
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        name => kind(value) == name,
    };
    match types {
        Value::String(name) => is(name),
        Value::Array(names) => names.iter().filter_map(Value::as_str).any(is),
        _ => true,
    }
}

fn listed(types: &Value) -> String {
    match types {
        Value::String(name) => name.clone(),
        Value::Array(names) => {
            let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
            names.join(", ")
        }
        other => other.to_string(),
    }
}

const fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// A value in a message, cut to 64 characters.
fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 64 {
        return text;
    }
    text.chars().take(64).chain("…".chars()).collect()
}
