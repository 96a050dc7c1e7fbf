//! Laws of the debounce that hold for every text and every burst.

use proptest::prelude::*;
use replygate_gate::control::ControlCommands;
use replygate_gate::debounce::{Sample, Signal, Windows, classify, due, explain};
use replygate_gate::text::Languages;
use replygate_gate::triage::{Pair, judge};

const SIGNALS: [Signal; 6] = [
    Signal::Command,
    Signal::Media,
    Signal::Greeting,
    Signal::Dangling,
    Signal::Closed,
    Signal::Neutral,
];

fn signal_of(text: &str) -> Signal {
    classify(
        Sample::text(text),
        &ControlCommands::default(),
        Languages::all(),
    )
}

fn any_signal() -> impl Strategy<Value = Signal> {
    prop::sample::select(SIGNALS.to_vec())
}

fn any_windows() -> impl Strategy<Value = Windows> {
    (
        0u32..10_000,
        0u32..10_000,
        0u32..10_000,
        0u32..10_000,
        prop::option::of(1u32..60_000),
        1u32..50,
    )
        .prop_map(
            |(closed_ms, neutral_ms, greeting_ms, dangling_ms, max_wait_ms, max_messages)| {
                Windows {
                    enabled: true,
                    closed_ms,
                    neutral_ms,
                    greeting_ms,
                    dangling_ms,
                    max_wait_ms,
                    max_messages,
                }
            },
        )
}

proptest! {
    #[test]
    fn a_burst_ends_inside_its_bounds(windows in any_windows(), first in 0i64..1_000_000, gap in 0i64..100_000, count in 1u32..60, signal in any_signal()) {
        let last = first + gap;
        let at = due(first, last, count, signal, &windows);
        let window = windows.window(signal);
        let bound = first + windows.max_wait(window) as i64;
        prop_assert!(at >= last || at == bound);
        prop_assert!(at <= bound || at == last);
        prop_assert!(at <= last + window as i64);
    }

    #[test]
    fn by_default_nobody_waits_longer_than_a_quarter_of_a_minute(first in 0i64..1_000_000, gap in 0i64..15_000, signal in any_signal()) {
        prop_assert!(due(first, first + gap, 2, signal, &Windows::default()) <= first + 15_000);
    }

    #[test]
    fn one_more_message_never_moves_the_bound(windows in any_windows(), gaps in prop::collection::vec(0i64..5_000, 1..40), signal in any_signal()) {
        let bound = windows.max_wait(windows.window(signal)) as i64;
        let mut last = 0;
        for (count, gap) in gaps.into_iter().enumerate() {
            last += gap;
            let at = due(0, last, count as u32 + 1, signal, &windows);
            prop_assert!(at <= bound || at == last);
        }
    }

    #[test]
    fn any_text_has_a_signal_and_an_explanation_inside_it(text in "\\PC{0,80}") {
        let why = explain(Sample::text(&text), &ControlCommands::default(), Languages::all(), &Windows::default());
        prop_assert_eq!(why.signal, signal_of(&text));
        for span in why.matched.iter().chain(&why.skipped) {
            prop_assert_eq!(&text[span.start..span.end], span.text.as_str());
        }
    }

    #[test]
    fn any_mixture_of_marks_has_a_signal(parts in prop::collection::vec(prop::sample::select(vec![
        ".", "…", "?", "。", " ", "\n", "'", "\"", "(", ")", ":", ")", "e", "no", "l'", "oi", "🙏", "👩‍👩‍👧", "\u{200D}", "\u{200F}", "1️⃣", "https://a.b/c", "*", "और", "و", "。。", "「", "」", "|", "है", "nº", "º", "Sr.", "12", "\u{301}", "@", "/stop"
    ]), 0..12)) {
        let text = parts.concat();
        let why = explain(Sample::text(&text), &ControlCommands::default(), Languages::all(), &Windows::default());
        prop_assert_eq!(why.signal, signal_of(&text));
        let _ = judge(&Pair { held: &text, newer: &[&text] }, Languages::all());
    }

    #[test]
    fn what_says_nothing_behind_a_closed_sentence_changes_nothing(
        text in prop::sample::select(vec!["Do you ship to rural areas?", "Quero a fatura.", "請把發票給我。", "मुझे बिल भेज दीजिए।", "متى تفتحون؟", "在庫はありますか？", "¿Me ayudan?"]),
        behind in prop::collection::vec(prop::sample::select(vec![" ", "\n", "\u{200B}", "\u{200F}", "🙏", "❤️", "👩‍👩‍👧", "🇧🇷", "👍🏽", "1️⃣", ")", "」", "”", "\""]), 0..6),
    ) {
        prop_assert_eq!(signal_of(&format!("{text}{}", behind.concat())), Signal::Closed);
    }

    #[test]
    fn any_pair_gets_a_verdict(held in "\\PC{0,60}", newer in prop::collection::vec("\\PC{0,40}", 0..4)) {
        let newer: Vec<&str> = newer.iter().map(String::as_str).collect();
        let verdict = judge(&Pair { held: &held, newer: &newer }, Languages::all());
        prop_assert!((0.0..=1.0).contains(&verdict.confidence));
        prop_assert_eq!(verdict, judge(&Pair { held: &held, newer: &newer }, Languages::all()));
    }
}

#[test]
fn a_very_long_text_is_read_at_its_end() {
    let text = format!(
        "{} the supplier then told us that the",
        "We waited for the parts. ".repeat(4_000)
    );
    assert_eq!(signal_of(&text), Signal::Dangling);
}
