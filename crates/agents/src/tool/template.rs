//! Addresses and bodies with places for arguments: `{order_id}`, `{customer.email}`. Must never put an argument into an
//! address unescaped.

use std::collections::BTreeSet;

use serde_json::Value;

/// The argument at `path`.
fn at<'a>(arguments: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.')
        .try_fold(arguments, |value, key| value.get(key))
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A piece of a template.
enum Piece<'a> {
    Text(&'a str),
    Place(&'a str),
}

fn pieces(template: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once('{') {
        let Some((place, after)) = behind.split_once('}') else {
            break;
        };
        pieces.push(Piece::Text(before));
        pieces.push(Piece::Place(place));
        rest = after;
    }
    pieces.push(Piece::Text(rest));
    pieces
}

/// The names of a template's places.
pub(super) fn places(template: &str) -> BTreeSet<String> {
    let named = pieces(template)
        .into_iter()
        .filter_map(|piece| match piece {
            Piece::Place(name) => Some(name.to_owned()),
            Piece::Text(_) => None,
        });
    named.collect()
}

/// The address with its places filled, each escaped; or the name of an argument that is not given.
pub(super) fn address(template: &str, arguments: &Value) -> Result<String, String> {
    let mut text = String::new();
    for piece in pieces(template) {
        match piece {
            Piece::Text(part) => text.push_str(part),
            Piece::Place(name) => {
                let value = at(arguments, name).filter(|value| !value.is_null());
                let value = plain(value.ok_or_else(|| name.to_owned())?);
                text.push_str(&escaped(&value));
            }
        }
    }
    Ok(text)
}

/// Everything but letters, digits, `-`, `.`, `_` and `~` by its bytes.
fn escaped(value: &str) -> String {
    value
        .bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                char::from(byte).to_string()
            }
            other => format!("%{other:02X}"),
        })
        .collect()
}

/// The body with its places filled: a text that is one place becomes the argument itself, null where it is not given.
pub(super) fn body(template: &Value, arguments: &Value) -> Value {
    match template {
        Value::String(text) => match pieces(text).as_slice() {
            [Piece::Text(""), Piece::Place(name), Piece::Text("")] => {
                at(arguments, name).cloned().unwrap_or_default()
            }
            several => Value::String(
                several
                    .iter()
                    .map(|piece| filled(piece, arguments))
                    .collect(),
            ),
        },
        Value::Array(items) => items.iter().map(|item| body(item, arguments)).collect(),
        Value::Object(table) => {
            let filled = table
                .iter()
                .map(|(key, value)| (key.clone(), body(value, arguments)));
            Value::Object(filled.collect())
        }
        other => other.clone(),
    }
}

fn filled(piece: &Piece<'_>, arguments: &Value) -> String {
    match piece {
        Piece::Text(text) => (*text).to_owned(),
        Piece::Place(name) => at(arguments, name).map_or_else(String::new, plain),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_argument_cannot_leave_its_place_in_an_address() {
        let arguments = json!({ "id": "../a?b=c#d é", "n": 7 });
        assert_eq!(
            address("https://x/orders/{id}/refund/{n}", &arguments),
            Ok("https://x/orders/..%2Fa%3Fb%3Dc%23d%20%C3%A9/refund/7".to_owned())
        );
        assert_eq!(
            address("https://x/{missing}", &arguments),
            Err("missing".to_owned())
        );
    }

    #[test]
    fn a_body_keeps_the_kind_of_an_argument_that_fills_a_text() {
        let template =
            json!({ "total": "{amount}", "note": "for {who.name}", "list": ["{tags}"], "fix": 1 });
        let arguments = json!({ "amount": 12.5, "who": { "name": "Ana" }, "tags": ["a"] });
        assert_eq!(
            body(&template, &arguments),
            json!({ "total": 12.5, "note": "for Ana", "list": [["a"]], "fix": 1 })
        );
    }
}
