//! Spellings of instants, one by one.

use serde_json::json;

use super::super::DateOrder;
use super::*;

fn with(text: &str, reading: &Reading) -> Read {
    read(&json!(text), None, reading)
}

fn plain(text: &str) -> Read {
    with(text, &Reading::default())
}

fn nine() -> Read {
    Read::Whole("2026-03-05T09:00:00Z".to_owned())
}

#[test]
fn an_instant_is_one_however_it_is_written() {
    for text in [
        "2026-03-05T09:00:00Z",
        "2026-03-05t09:00:00.000z",
        "2026-03-05 9:00",
        "2026-03-05 09:00:00 UTC",
        "2026-03-05T06:00-03:00",
        "2026-03-05T06:00:00-0300",
        "2026-03-05T06:00:00 -03",
        "2026-03-05T06:00:00[America/Sao_Paulo]",
        "2026-03-05T06:00:00-03:00[America/Sao_Paulo]",
        "2026-03-05 06:00 America/Sao_Paulo",
        "2026-03-05 06:00 (GMT-3)",
        "20260305T090000Z",
        "202603050900",
        "20260305 0900",
        "2026/3/5 9:00",
        "2026.03.05 9h",
        "2026-03-05 9h00",
        "2026-03-05 9:00 AM",
        "2026-03-05 9am",
        "2026-03-05, 9 a.m.",
        "Thu, 05 Mar 2026 09:00:00 GMT",
        "Thu, 5 Mar 2026 06:00:00 -0300",
        "5 March 2026 9:00",
        "5 March 2026 at 9:00",
        "March 5, 2026 9:00 am",
        "March 5th, 2026 at 9am",
        "5 de marzo de 2026 a las 9:00",
        "5 de março de 2026 às 9h",
        "jueves, 5 de marzo de 2026, 9:00",
        "quinta-feira, 5 de março de 2026, 9:00",
        "9:00 5 March 2026",
        "05.03.2026 09:00",
        "1772701200",
        "1772701200000",
        "1772701200.0",
        "２０２６-03-05T09:00Z",
    ] {
        assert_eq!(plain(text), nine(), "{text}");
    }
    assert_eq!(
        read(&json!(1_772_701_200), None, &Reading::default()),
        nine()
    );
    assert_eq!(
        read(&json!(1_772_701_200_000_u64), None, &Reading::default()),
        nine()
    );
}

#[test]
fn afternoon_and_midnight_are_read_as_people_mean_them() {
    for (text, expected) in [
        ("2026-03-05 9:30 PM", "2026-03-05T21:30:00Z"),
        ("2026-03-05 12:00 am", "2026-03-05T00:00:00Z"),
        ("2026-03-05 12 p.m.", "2026-03-05T12:00:00Z"),
        ("2026-03-05 24:00", "2026-03-06T00:00:00Z"),
        ("2026-03-05T09:00:00.25Z", "2026-03-05T09:00:00.25Z"),
    ] {
        assert_eq!(plain(text), Read::Whole(expected.to_owned()), "{text}");
    }
}

#[test]
fn a_local_time_is_read_in_the_zone_beside_it_else_in_the_one_that_is_set() {
    let set = Reading {
        zone: Some("America/Santiago".to_owned()),
        ..Reading::default()
    };
    assert_eq!(with("2026-03-05 06:00", &set), nine());
    let beside = read(&json!("2026-03-05 10:00"), Some("Europe/Madrid"), &set);
    assert_eq!(beside, nine());
    let said = read(&json!("2026-03-05 09:00Z"), Some("Europe/Madrid"), &set);
    assert_eq!(said, nine());
}

#[test]
fn a_zone_that_no_database_has_keeps_its_times_among_themselves() {
    let of = |text, zone| read(&json!(text), Some(zone), &Reading::default());
    let there = of("2026-03-05 09:00", "Pacific Standard Time");
    assert_eq!(
        there,
        of("2026-03-05T09:00:00.0000000", "pacific standard time")
    );
    assert_ne!(there, nine());
}

#[test]
fn day_and_month_are_told_apart_only_where_it_is_certain_or_set() {
    let order = |dates| Reading {
        dates: Some(dates),
        ..Reading::default()
    };
    assert_eq!(
        plain("05/03/2026 09:00"),
        Read::Other("05/03/2026 09:00".to_owned())
    );
    assert_eq!(
        with("05/03/2026 09:00", &order(DateOrder::DayFirst)),
        nine()
    );
    assert_eq!(
        with("03/05/2026 09:00", &order(DateOrder::MonthFirst)),
        nine()
    );
    assert_eq!(plain("25/03/2026 9:00"), plain("2026-03-25 09:00"));
    assert_eq!(plain("03/25/2026 9:00"), plain("2026-03-25 09:00"));
    assert_eq!(plain("03/03/2026 9:00"), plain("2026-03-03 09:00"));
}

#[test]
fn what_is_written_is_read_back() {
    let nine = At(1_772_701_200_000);
    assert_eq!(written_at(nine), "2026-03-05T09:00:00Z");
    assert_eq!(at("2026-03-05T09:00:00Z"), Some(nine));
    assert_eq!(at("2026-03-05T09:00:00[somewhere]"), None);
}

#[test]
fn a_day_is_no_midnight_and_an_hour_no_instant() {
    assert_eq!(plain("2026-03-05"), Read::Day("2026-03-05".to_owned()));
    assert_eq!(
        plain("5 de marzo de 2026"),
        Read::Day("2026-03-05".to_owned())
    );
    for text in ["15:00", "3pm", "15h", "9:00 am"] {
        assert_eq!(plain(text), Read::Hour, "{text}");
    }
}

#[test]
fn what_is_no_instant_stays_a_text() {
    for text in [
        "",
        "tue 09:00",
        "tomorrow at 9",
        "2026-13-05 09:00",
        "2026-02-30 09:00",
        "2026-03-05 25:00",
        "2026-03-05 9",
        "2026-03-05 09:00 somewhere",
        "2026-03-05 09:00 to 10:00",
        "12",
        "[",
        "t",
    ] {
        assert_eq!(plain(text), Read::Other(text.to_owned()), "{text}");
    }
    assert_eq!(plain("Tue 09:00"), plain(" tue  09:00"));
}

#[test]
fn clocks_that_skip_or_repeat_an_hour_read_it_one_way() {
    let of = |text| read(&json!(text), Some("America/New_York"), &Reading::default());
    assert_eq!(of("2026-03-08 02:30"), of("2026-03-08 03:30"));
    assert_eq!(of("2026-11-01 01:30"), plain("2026-11-01T01:30:00-04:00"));
}

proptest::proptest! {
    #[test]
    fn no_text_breaks_the_reading(text in "\\PC{0,40}", other in "[0-9a-z :./,-]{0,24}") {
        plain(&text);
        plain(&other);
    }
}
