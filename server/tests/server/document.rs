//! The `OpenAPI` document as a judge: every request and answer that the tests see has to be as it says. Knows just so much of
//! JSON Schema as the document uses, and is stricter in one thing: a member that the document does not name is wrong.

use reqwest::Method;
use serde_json::Value;

use crate::house::House;

/// The document of a running server.
pub struct Document(Value);

impl Document {
    pub async fn of(house: &House) -> Self {
        let answer = house.request(Method::GET, "/v1/openapi.json").send();
        let answer = answer.await.unwrap();
        assert_eq!(answer.status(), 200);
        Self(answer.json().await.unwrap())
    }

    /// Every method and path that it tells of.
    pub fn operations(&self) -> Vec<(Method, String)> {
        let paths = self.0["paths"].as_object().unwrap().iter();
        let operations = paths.flat_map(|(path, item)| {
            let methods = item.as_object().unwrap().keys();
            methods.map(move |method| {
                let method = method.to_uppercase().parse().unwrap();
                (method, path.clone())
            })
        });
        operations.collect()
    }

    /// What is wrong with an exchange; an address that it does not know is nobody's business.
    pub fn problems(
        &self,
        (method, path): (&Method, &str),
        asked: &Value,
        (status, answer): (u16, &Value),
    ) -> Vec<String> {
        let Some(operation) = self.operation(method, path) else {
            return Vec::new();
        };
        let reading = &operation["requestBody"]["content"]["application/json"]["schema"];
        let mut problems = Vec::new();
        // What was refused may have been wrong.
        if status < 300 && !asked.is_null() && !reading.is_null() {
            self.check(reading, asked, "asked", &mut problems);
        }
        let telling = &operation["responses"][status.to_string()];
        if telling.is_null() {
            problems.push(format!("{status} is not told of"));
        }
        let telling = &telling["content"]["application/json"]["schema"];
        self.check(telling, answer, "answer", &mut problems);
        problems
    }

    fn operation(&self, method: &Method, path: &str) -> Option<&Value> {
        let path = path.split('?').next().unwrap_or_default();
        let paths = self.0["paths"].as_object().unwrap();
        // A fixed piece goes before one in braces.
        let mut fitting: Vec<&String> = paths.keys().filter(|known| fits(known, path)).collect();
        fitting.sort_by_key(|known| known.matches('{').count());
        let found = &paths[*fitting.first()?][method.as_str().to_lowercase()];
        (!found.is_null()).then_some(found)
    }

    fn resolve<'a>(&'a self, schema: &'a Value) -> &'a Value {
        match schema["$ref"].as_str() {
            Some(name) => self.0.pointer(name.trim_start_matches('#')).unwrap(),
            None => schema,
        }
    }

    fn check(&self, schema: &Value, value: &Value, at: &str, problems: &mut Vec<String>) {
        let schema = self.resolve(schema);
        self.check_members(schema, value, at, problems);
        if let (Some(names), Some(object)) = (self.members(schema), value.as_object()) {
            let unknown = object.keys().filter(|name| !names.contains(name));
            problems.extend(unknown.map(|name| format!("{at}.{name} is not told of")));
        }
    }

    /// All but whether there is more than is told of.
    fn check_members(&self, schema: &Value, value: &Value, at: &str, problems: &mut Vec<String>) {
        let schema = self.resolve(schema);
        if let Some(words) = schema["enum"].as_array()
            && !words.contains(value)
        {
            problems.push(format!("{at} is {value}, allowed: {words:?}"));
        }
        if !schema["const"].is_null() && schema["const"] != *value {
            problems.push(format!("{at} is {value}, allowed: {}", schema["const"]));
        }
        if !has_type(&schema["type"], value) {
            problems.push(format!("{at} is {value}, allowed: {}", schema["type"]));
        }
        for part in schema["allOf"].as_array().into_iter().flatten() {
            self.check_members(part, value, at, problems);
        }
        for choice in [&schema["anyOf"], &schema["oneOf"]] {
            let Some(choices) = choice.as_array() else {
                continue;
            };
            let wrong = choices.iter().map(|one| {
                let mut wrong = Vec::new();
                self.check(one, value, at, &mut wrong);
                wrong
            });
            let wrong: Vec<_> = wrong.collect();
            if wrong.iter().all(|wrong| !wrong.is_empty()) {
                problems.push(format!("{at} fits none: {wrong:?}"));
            }
        }
        for name in schema["required"].as_array().into_iter().flatten() {
            if value.get(name.as_str().unwrap()).is_none() {
                problems.push(format!("{at} has no {name}"));
            }
        }
        for (name, member) in schema["properties"].as_object().into_iter().flatten() {
            if let Some(value) = value.get(name) {
                self.check(member, value, &format!("{at}.{name}"), problems);
            }
        }
        if let (Some(items), Some(values)) = (schema.get("items"), value.as_array()) {
            for value in values {
                self.check(items, value, &format!("{at}[]"), problems);
            }
        }
    }

    /// The members that it names; none where anything goes.
    fn members<'a>(&'a self, schema: &'a Value) -> Option<Vec<&'a String>> {
        let schema = self.resolve(schema);
        if schema["additionalProperties"] == true {
            return None;
        }
        let own = schema["properties"].as_object();
        let own = own.map(|own| own.keys().collect::<Vec<_>>());
        let parts = schema["allOf"].as_array().into_iter().flatten();
        let parts: Vec<&String> = parts
            .filter_map(|part| self.members(part))
            .flatten()
            .collect();
        match own {
            None if parts.is_empty() => None,
            own => Some(own.into_iter().flatten().chain(parts).collect()),
        }
    }
}

fn fits(known: &str, path: &str) -> bool {
    let (known, path) = (known.split('/'), path.split('/'));
    let same = |(known, piece): (&str, &str)| known.starts_with('{') || known == piece;
    known.clone().count() == path.clone().count() && known.zip(path).all(same)
}

fn has_type(types: &Value, value: &Value) -> bool {
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "null" => value.is_null(),
        other => panic!("the judge knows no type {other}"),
    };
    match types {
        Value::String(name) => is(name),
        Value::Array(names) => names.iter().any(|name| is(name.as_str().unwrap())),
        _ => true,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_of_the_document_is_served_and_asks_for_a_token() {
    let house = House::open(crate::house::QUICK).await;
    let document = Document::of(&house).await;
    let operations = document.operations();
    assert!(operations.len() > 8, "{operations:?}");
    for (method, path) in operations {
        let path = path.replace(['{', '}'], "");
        let answer = house.request(method.clone(), &path).send().await.unwrap();
        assert_eq!(answer.status(), 401, "{method} {path}");
        let answer: Value = answer.json().await.unwrap();
        let found = document.problems((&method, &path), &Value::Null, (401, &answer));
        assert_eq!(found, [""; 0], "{method} {path}");
    }
}
