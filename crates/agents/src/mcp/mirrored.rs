//! Arguments that a server wants to see among the headers too, so that whoever routes calls need not read them: properties of
//! a tool's schema with `x-mcp-header`. Must never send a header that says something else than the message.

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Map, Value};

use super::headers::coded;

const MARK: &str = "x-mcp-header";
const PREFIX: &str = "mcp-param-";
/// Types whose values fit into a header.
const SIMPLE: [&str; 4] = ["string", "integer", "number", "boolean"];
/// Keywords whose values are data: a mark inside them marks nothing.
const DATA: [&str; 4] = ["const", "default", "enum", "examples"];
/// Whole numbers beyond it are not one number in every reader.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// One argument that is repeated as a header.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mirror {
    header: HeaderName,
    path: Vec<String>,
}

/// The arguments of one tool that are repeated as headers; mostly none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Mirrored(Vec<Mirror>);

/// A schema marks what cannot be repeated: the protocol has its tool not called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the tool's schema marks an argument for a header that cannot be one")]
pub(super) struct Malformed;

impl Mirrored {
    /// Nothing is repeated.
    pub(super) const NOTHING: Self = Self(Vec::new());

    /// What a tool's schema asks for.
    ///
    /// # Errors
    /// A mark that is no name of a header, that is there twice, that stands on something else than a text, a number or a
    /// yes or no, or where no chain of properties leads to.
    pub(super) fn of(schema: &Value) -> Result<Self, Malformed> {
        let mut found = Vec::new();
        look(schema, Some(&[]), &mut found)?;
        let mut names: Vec<&str> = found.iter().map(|one| one.header.as_str()).collect();
        names.sort_unstable();
        if names.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(Malformed);
        }
        Ok(Self(found))
    }

    /// The headers of a call with these arguments. What is not there, or null, has none.
    pub(super) fn headers(&self, arguments: &Value) -> HeaderMap {
        let one = |mirror: &Mirror| {
            let mut path = mirror.path.iter();
            let value = path.try_fold(arguments, |value, name| value.get(name))?;
            let value = HeaderValue::from_str(&coded(&written(value)?)).ok()?;
            Some((mirror.header.clone(), value))
        };
        self.0.iter().filter_map(one).collect()
    }
}

/// Looks through a schema; `path` is how its values are reached, `None` where that depends on the values.
fn look(schema: &Value, path: Option<&[String]>, found: &mut Vec<Mirror>) -> Result<(), Malformed> {
    match schema {
        Value::Object(members) => look_at(members, path, found),
        Value::Array(all) => all.iter().try_for_each(|one| look(one, None, found)),
        _ => Ok(()),
    }
}

fn look_at(
    schema: &Map<String, Value>,
    path: Option<&[String]>,
    found: &mut Vec<Mirror>,
) -> Result<(), Malformed> {
    if let Some(mark) = schema.get(MARK) {
        let is_simple = schema
            .get("type")
            .and_then(Value::as_str)
            .is_some_and(|kind| SIMPLE.contains(&kind));
        let path = path.filter(|path| is_simple && !path.is_empty());
        found.push(Mirror {
            header: header(mark)?,
            path: path.ok_or(Malformed)?.to_vec(),
        });
    }
    for (keyword, value) in schema {
        match value {
            Value::Object(properties) if keyword == "properties" => {
                for (name, property) in properties {
                    let path = path.map(|path| [path, std::slice::from_ref(name)].concat());
                    look(property, path.as_deref(), found)?;
                }
            }
            value if !DATA.contains(&keyword.as_str()) => look(value, None, found)?,
            _ => {}
        }
    }
    Ok(())
}

fn header(mark: &Value) -> Result<HeaderName, Malformed> {
    let name = mark.as_str().filter(|name| !name.is_empty());
    let name = format!("{PREFIX}{}", name.ok_or(Malformed)?);
    HeaderName::from_bytes(name.as_bytes()).map_err(|_| Malformed)
}

/// A value as the text of a header, before it is coded.
fn written(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(yes) => Some(yes.to_string()),
        Value::Number(number) => Some(match number.as_f64() {
            // 42.0 and 42 are one number, and a header has one spelling.
            Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < EXACT => {
                format!("{float:.0}")
            }
            _ => number.to_string(),
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn marked(name: &str, kind: &str) -> Value {
        json!({ "type": kind, "x-mcp-header": name })
    }

    fn told(properties: &Value, arguments: &Value) -> Vec<(String, String)> {
        let schema = json!({ "type": "object", "properties": properties });
        let headers = Mirrored::of(&schema).unwrap().headers(arguments);
        let pair = |(name, value): (&HeaderName, &HeaderValue)| {
            (name.to_string(), value.to_str().unwrap().to_owned())
        };
        let mut all: Vec<_> = headers.iter().map(pair).collect();
        all.sort();
        all
    }

    #[test]
    fn values_are_written_as_the_protocol_has_them() {
        for (kind, value, expected) in [
            ("string", json!("us-west1"), "us-west1"),
            ("string", json!("São Paulo"), "=?base64?U8OjbyBQYXVsbw==?="),
            ("string", json!("New York"), "New York"),
            ("string", json!(" padded "), "=?base64?IHBhZGRlZCA=?="),
            (
                "string",
                json!("line1\nline2"),
                "=?base64?bGluZTEKbGluZTI=?=",
            ),
            (
                "string",
                json!("=?base64?x?="),
                "=?base64?PT9iYXNlNjQ/eD89?=",
            ),
            ("string", json!(""), ""),
            ("integer", json!(42), "42"),
            ("integer", json!(42.0), "42"),
            ("integer", json!(-7), "-7"),
            ("number", json!(3.25), "3.25"),
            ("boolean", json!(true), "true"),
        ] {
            let told = told(
                &json!({ "p": marked("Place", kind) }),
                &json!({ "p": value }),
            );
            let expected = ("mcp-param-place".to_owned(), expected.to_owned());
            assert_eq!(told, [expected], "{value}");
        }
    }

    #[test]
    fn what_is_not_there_has_no_header() {
        let properties = json!({ "p": marked("Place", "string"), "q": { "type": "string" } });
        for arguments in [
            json!({}),
            json!({ "p": null }),
            json!({ "q": "x" }),
            json!([]),
        ] {
            assert_eq!(told(&properties, &arguments), [], "{arguments}");
        }
    }

    #[test]
    fn a_property_inside_another_is_found_by_its_path() {
        let inner = json!({ "type": "object", "properties": { "zone": marked("Zone", "string") } });
        let properties = json!({ "place": inner, "zone": { "type": "string" } });
        let arguments = json!({ "zone": "outer", "place": { "zone": "inner" } });
        let expected = ("mcp-param-zone".to_owned(), "inner".to_owned());
        assert_eq!(told(&properties, &arguments), [expected]);
    }

    #[test]
    fn a_mark_that_cannot_be_followed_makes_the_schema_malformed() {
        let good = marked("Place", "string");
        for schema in [
            json!({ "type": "object", "x-mcp-header": "Place" }),
            json!({ "properties": { "p": marked("", "string") } }),
            json!({ "properties": { "p": marked("a b", "string") } }),
            json!({ "properties": { "p": marked("a:b", "string") } }),
            json!({ "properties": { "p": { "type": "string", "x-mcp-header": 7 } } }),
            json!({ "properties": { "p": marked("Place", "object") } }),
            json!({ "properties": { "p": { "x-mcp-header": "Place" } } }),
            json!({ "properties": { "p": good, "q": marked("PLACE", "string") } }),
            json!({ "properties": { "p": { "type": "array", "items": good } } }),
            json!({ "allOf": [{ "properties": { "p": good } }] }),
            json!({ "$defs": { "p": good } }),
        ] {
            assert_eq!(Mirrored::of(&schema), Err(Malformed), "{schema}");
        }
    }

    #[test]
    fn a_property_or_a_value_of_that_name_is_no_mark() {
        for schema in [
            json!({ "properties": { "x-mcp-header": { "type": "string" } } }),
            json!({ "properties": { "p": { "default": { "x-mcp-header": "Place" } } } }),
            json!({ "properties": { "p": { "enum": [{ "x-mcp-header": "Place" }] } } }),
            json!(true),
            Value::Null,
        ] {
            assert_eq!(Mirrored::of(&schema), Ok(Mirrored::default()), "{schema}");
        }
    }
}
