//! One text for every JSON value, whatever its keys' order, its blanks and the forms of its numbers: RFC 8785, except
//! that whole numbers keep all their digits. Must never make two different values equal.

use serde_json::{Number, Value};

/// The value's one text.
#[must_use]
pub fn canonical(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text);
    text
}

fn write(value: &Value, text: &mut String) {
    match value {
        Value::Null => text.push_str("null"),
        Value::Bool(true) => text.push_str("true"),
        Value::Bool(false) => text.push_str("false"),
        Value::Number(number) => text.push_str(&plain(number)),
        Value::String(string) => text.push_str(&quoted(string)),
        Value::Array(items) => {
            list(text, '[', ']', items, write);
        }
        Value::Object(table) => {
            let mut pairs: Vec<(&String, &Value)> = table.iter().collect();
            pairs.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
            list(text, '{', '}', pairs, |(key, value), text| {
                text.push_str(&quoted(key));
                text.push(':');
                write(value, text);
            });
        }
    }
}

fn list<T>(
    text: &mut String,
    open: char,
    close: char,
    items: impl IntoIterator<Item = T>,
    mut each: impl FnMut(T, &mut String),
) {
    text.push(open);
    for (place, item) in items.into_iter().enumerate() {
        if place > 0 {
            text.push(',');
        }
        each(item, text);
    }
    text.push(close);
}

/// A string with its quotation marks and escapes.
pub(super) fn quoted(string: &str) -> String {
    Value::String(string.to_owned()).to_string()
}

/// A number in digits: no exponent, no zeros behind the last digit of a fraction, no minus before zero.
pub(super) fn plain(number: &Number) -> String {
    if number.is_i64() || number.is_u64() {
        return number.to_string();
    }
    match number.as_f64() {
        Some(0.0) => "0".to_owned(),
        Some(value) => value.to_string(),
        None => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn of(text: &str) -> String {
        canonical(&serde_json::from_str(text).unwrap())
    }

    #[test]
    fn order_blanks_and_number_forms_do_not_matter() {
        assert_eq!(
            of(r#"{"b":[1.0, 2e1], "a":{"y":null,"x":-0.0}}"#),
            of(r#"{"a": {"x":0,"y":null},"b":[1,20]}"#)
        );
        assert_eq!(of("[0.10, 1e-7]"), "[0.1,0.0000001]");
        assert_eq!(of("9007199254740993"), "9007199254740993");
    }

    #[test]
    fn keys_are_sorted_by_their_utf_16() {
        // The sign outside the first plane comes first by UTF-16, last by code point.
        assert_eq!(of(r#"{"ﬀ":1,"😀":2}"#), r#"{"😀":2,"ﬀ":1}"#);
    }

    #[test]
    fn what_differs_stays_different() {
        for (a, b) in [
            ("[1,2]", "[2,1]"),
            (r#""1""#, "1"),
            (r#"{"a":null}"#, "{}"),
            (r#"" a""#, r#""a""#),
            (r#"["a,b"]"#, r#"["a","b"]"#),
        ] {
            assert_ne!(of(a), of(b), "{a} {b}");
        }
    }

    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            // So many digits every parser reads alike.
            any::<i32>().prop_map(|value| Value::from(f64::from(value) / 1_000.0)),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                proptest::collection::btree_map(any::<String>(), inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn the_text_is_read_back_and_written_again_alike(value in any_value()) {
            let text = canonical(&value);
            let again: Value = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(canonical(&again), text);
        }
    }

    #[test]
    fn control_signs_are_escaped() {
        assert_eq!(canonical(&json!("a\u{1}\n\"")), r#""a\u0001\n\"""#);
    }
}
