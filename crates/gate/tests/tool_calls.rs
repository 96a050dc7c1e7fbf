//! Which calls are the same, as the recipes say: what is compared, what is left out, and when all arguments count.

use proptest::prelude::*;
use replygate_gate::tools::{
    Comparison, DateOrder, Field, Reading, Recipe, RecipeKind, Spelling, canonical,
};
use serde_json::{Value, json};

fn of(tool: &str, arguments: &Value) -> Comparison {
    Recipe::default().compare(tool, arguments)
}

fn values(comparison: &Comparison) -> Vec<(&str, &str)> {
    comparison
        .compared
        .iter()
        .map(|one| (one.name.as_str(), one.value.as_str()))
        .collect()
}

#[test]
fn the_incidents_two_calls_are_one_event() {
    let first = json!({ "title": "Psicología", "start_datetime": "2030-01-08T15:00:00-03:00", "guest": "Paula" });
    let second = json!({
        "title": "Psicología",
        "start_datetime": "2030-01-08T15:00:00-03:00",
        "end_datetime": "2030-01-08T16:00:00-03:00",
        "guest": "Paula",
    });
    let (one, other) = (
        of("calendar.create_event", &first),
        of("calendar.create_event", &second),
    );
    assert_eq!(one.compared, other.compared);
    assert_eq!(
        values(&one),
        [("title", "psicología"), ("start", "2030-01-08T18:00:00Z")]
    );
    assert_eq!(one.ignored, ["guest"]);
    assert_eq!(other.ignored, ["end_datetime", "guest"]);
    // A hash over all arguments would have let it pass.
    assert_ne!(canonical(&first), canonical(&second));
}

#[test]
fn a_zone_beside_a_time_is_read_with_it_and_not_left_out() {
    let zoned = json!({
        "summary": "A",
        "start": { "dateTime": "2030-01-08T15:00:00", "timeZone": "America/Sao_Paulo" },
        "end": { "dateTime": "2030-01-08T16:00:00", "timeZone": "America/Sao_Paulo" },
    });
    let compared = of("create_event", &zoned);
    assert_eq!(values(&compared)[1], ("start", "2030-01-08T18:00:00Z"));
    assert_eq!(compared.ignored, ["end.dateTime", "end.timeZone"]);
}

#[test]
fn a_start_that_is_only_half_there_is_no_start() {
    for arguments in [
        json!({ "title": "A", "start_time": "15:00", "day": "2030-01-08" }),
        json!({ "title": "A", "date": "2030-01-08", "hour": 15 }),
        json!({ "title": "A", "date": "2030-01-08", "time_slot": "morning" }),
        json!({ "title": "A" }),
        json!({ "start": "2030-01-08T15:00:00Z" }),
    ] {
        let compared = of("create_event", &arguments);
        assert_eq!(compared.recipe, "arguments", "{arguments}");
    }
}

#[test]
fn a_whole_day_and_words_for_a_time_are_compared() {
    let day = of(
        "create_event",
        &json!({ "title": "A", "start": { "date": "2030-01-08" }, "end_time": "x" }),
    );
    assert_eq!(values(&day)[1], ("start", "2030-01-08"));
    let words = of(
        "create_event",
        &json!({ "title": "A", "start": "Tue 09:00" }),
    );
    assert_eq!(values(&words)[1], ("start", "tue 09:00"));
    let apart = of(
        "create_event",
        &json!({ "title": "A", "date": "Tuesday", "time": "at nine" }),
    );
    assert_eq!(values(&apart)[1], ("start", "tuesday at nine"));
}

#[test]
fn a_recipe_that_does_not_fit_compares_everything_and_says_why() {
    let recipe = Recipe::of(RecipeKind::Calendar);
    let compared = recipe.compare("x", &json!({ "title": "A", "b": 1 }));
    assert_eq!(compared.recipe, "arguments");
    assert_eq!(compared.missing.as_deref(), Some("start"));
    assert_eq!(values(&compared), [("arguments", r#"{"b":1,"title":"A"}"#)]);
    assert!(compared.ignored.is_empty());
    // A tool whose name only looks like it is nothing to tell of.
    assert_eq!(
        of("create_event", &json!({ "name": "click" })).missing,
        None
    );
}

#[test]
fn a_mails_words_are_compared_by_their_hash() {
    let mail = of(
        "email.send",
        &json!({ "to": "Ana@x.org", "subject": "Hi ", "body": "secret", "priority": 1 }),
    );
    let values = values(&mail);
    assert_eq!(values[0], ("to", "ana@x.org"));
    assert_eq!(values[1], ("subject", "hi"));
    assert!(values[2].1.starts_with("sha256:") && !format!("{mail:?}").contains("secret"));
    assert_eq!(mail.ignored, ["priority"]);
}

#[test]
fn chosen_fields_are_compared_in_their_spellings() {
    let recipe = Recipe {
        reading: Reading {
            zone: Some("America/Santiago".to_owned()),
            dates: Some(DateOrder::DayFirst),
            country: Some("56".to_owned()),
            ..Reading::default()
        },
        ..Recipe::fields(vec![
            Field::named("phone", Spelling::Phone),
            Field::named("total", Spelling::Money),
            Field::named("when", Spelling::Instant),
            Field {
                any_order: true,
                ..Field::named("tags", Spelling::Text)
            },
            Field {
                optional: true,
                ..Field::named("note", Spelling::Text)
            },
        ])
    };
    let one = recipe.compare("t", &json!({ "phone": "+56 9 8765 4321", "total": "CLP 12.500", "when": "08/01/2030 15:00", "tags": ["b", "A"] }));
    let other = recipe.compare("t", &json!({ "phone": "9 8765-4321", "total": "CLP$ 12.500", "when": "2030-01-08T18:00Z", "tags": ["a", "B"], "x": 1 }));
    assert_eq!(one.compared, other.compared, "{one:?} {other:?}");
    let noted = recipe.compare("t", &json!({ "phone": "+56 9 8765 4321", "total": "CLP 12.500", "when": "08/01/2030 15:00", "tags": ["b", "A"], "note": "n" }));
    assert_ne!(one.compared, noted.compared);
}

fn shuffled(value: &Value) -> Value {
    // serde_json keeps maps sorted or in order of insertion: reversing shows that neither matters.
    match value {
        Value::Object(table) => {
            let pairs: Vec<_> = table
                .iter()
                .rev()
                .map(|(k, v)| (k.clone(), shuffled(v)))
                .collect();
            Value::Object(pairs.into_iter().collect())
        }
        other => other.clone(),
    }
}

fn any_arguments() -> impl Strategy<Value = Value> {
    let value = prop_oneof![
        any::<i32>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        proptest::collection::vec(any::<i8>(), 0..3).prop_map(Value::from),
    ];
    let keys = prop_oneof![
        Just("title".to_owned()),
        Just("start".to_owned()),
        Just("to".to_owned()),
        Just("body".to_owned()),
        "[a-z]{1,6}".prop_map(String::from),
    ];
    proptest::collection::btree_map(keys, value, 0..6)
        .prop_map(|map| Value::Object(map.into_iter().collect()))
}

proptest! {
    #[test]
    fn the_order_of_arguments_never_matters(arguments in any_arguments()) {
        for tool in ["create_event", "email.send", "pay"] {
            prop_assert_eq!(of(tool, &arguments), of(tool, &shuffled(&arguments)));
        }
    }

    #[test]
    fn every_argument_is_compared_or_named_as_left_out(arguments in any_arguments()) {
        for tool in ["create_event", "email.send"] {
            let compared = of(tool, &arguments);
            let all = arguments.as_object().map_or(0, serde_json::Map::len);
            if compared.recipe == "arguments" {
                prop_assert!(compared.ignored.is_empty());
            } else {
                prop_assert!(compared.compared.len() + compared.ignored.len() >= all);
            }
        }
    }

    #[test]
    fn without_a_recipe_two_calls_are_one_only_if_they_are_equal(a in any_arguments(), b in any_arguments()) {
        let same = of("pay", &a).compared == of("pay", &b).compared;
        prop_assert_eq!(same, canonical(&a) == canonical(&b));
    }
}
