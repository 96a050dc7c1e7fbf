//! Arguments that fit their schema, and what is told of those that do not.

use replygate_gate::tools::misfits;
use serde_json::{Value, json};

fn told(schema: &Value, arguments: &Value) -> Vec<String> {
    misfits(schema, arguments)
        .iter()
        .map(ToString::to_string)
        .collect()
}

fn event() -> Value {
    json!({
        "type": "object",
        "required": ["title", "start"],
        "properties": {
            "title": { "type": "string", "minLength": 1, "maxLength": 20 },
            "start": { "type": "string" },
            "guests": { "type": "array", "maxItems": 2, "items": { "$ref": "#/$defs/guest" } },
            "minutes": { "type": "integer", "minimum": 5, "exclusiveMaximum": 600 },
            "calendar": { "enum": ["home", "work"] },
            "colour": { "type": ["string", "null"] },
        },
        "additionalProperties": false,
        "$defs": { "guest": { "type": "object", "required": ["email"] } },
    })
}

#[test]
fn what_fits_is_not_refused() {
    for arguments in [
        json!({ "title": "A", "start": "9" }),
        json!({ "title": "A", "start": "9", "guests": [{ "email": "a@b" }], "minutes": 5.0, "calendar": "work", "colour": null }),
    ] {
        assert_eq!(told(&event(), &arguments), [""; 0], "{arguments}");
    }
    // A schema that says nothing, or says what is not known here, refuses nothing.
    for schema in [
        json!({}),
        json!(true),
        json!({ "format": "date", "if": {} }),
        json!(7),
    ] {
        assert_eq!(told(&schema, &json!({ "a": 1 })), [""; 0], "{schema}");
    }
}

#[test]
fn everything_that_does_not_fit_is_told_by_its_path_with_what_is_allowed() {
    for (arguments, expected) in [
        (json!({ "title": "A" }), "`start` is missing"),
        (
            json!({ "title": 5, "start": "9" }),
            "`title` is number, allowed: string",
        ),
        (
            json!({ "title": "", "start": "9" }),
            "`title` has 0 characters, allowed: at least 1",
        ),
        (
            json!({ "title": "A", "start": "9", "guests": [{ "email": "a" }, {}] }),
            "`guests.1.email` is missing",
        ),
        (
            json!({ "title": "A", "start": "9", "guests": [{ "email": "a" }, { "email": "b" }, { "email": "c" }] }),
            "`guests` has 3 items, allowed: at most 2",
        ),
        (
            json!({ "title": "A", "start": "9", "minutes": 4 }),
            "`minutes` is 4, allowed: at least 5",
        ),
        (
            json!({ "title": "A", "start": "9", "minutes": 600 }),
            "`minutes` is 600, allowed: less than 600",
        ),
        (
            json!({ "title": "A", "start": "9", "minutes": 5.5 }),
            "`minutes` is number, allowed: integer",
        ),
        (
            json!({ "title": "A", "start": "9", "calendar": "Work" }),
            "`calendar` is \"Work\", allowed: \"home\", \"work\"",
        ),
        (
            json!({ "title": "A", "start": "9", "colour": 1 }),
            "`colour` is number, allowed: string, null",
        ),
        (
            json!({ "title": "A", "start": "9", "begin": 1 }),
            "`begin` is no argument, allowed: calendar, colour, guests, minutes, start, title",
        ),
        (json!([]), "`arguments` is array, allowed: object"),
    ] {
        assert_eq!(told(&event(), &arguments), [expected], "{arguments}");
    }
    let both = told(&event(), &json!({ "title": 1, "minutes": 1 }));
    assert_eq!(both.len(), 3, "{both:?}");
}

#[test]
fn of_several_forms_the_nearest_is_told() {
    let schema = json!({ "oneOf": [
        { "type": "object", "required": ["date", "hour", "place"] },
        { "type": "object", "required": ["instant"] },
    ] });
    assert_eq!(told(&schema, &json!({ "instant": 1 })), [""; 0]);
    assert_eq!(
        told(&schema, &json!({ "day": 1 })),
        ["`instant` is missing"]
    );
    let any = json!({ "anyOf": [{ "const": 1 }, { "const": 2 }] });
    assert_eq!(told(&any, &json!(2)), [""; 0]);
    assert_eq!(told(&any, &json!(3)).len(), 1);
    let both = json!({ "oneOf": [{ "minimum": 1 }, { "minimum": 2 }] });
    assert_eq!(
        told(&both, &json!(3)),
        ["`arguments` fits 2 of its forms, allowed: one of them"]
    );
}

#[test]
fn a_schema_that_refers_to_itself_comes_to_an_end() {
    let schema = json!({ "$ref": "#" });
    assert_eq!(told(&schema, &json!({})), [""; 0]);
}
