//! The rules evaluator against pairs in English, Portuguese and Spanish: the shared samples and our own.

#![expect(
    clippy::unwrap_used,
    reason = "a case file that cannot be read has to fail the test"
)]

use replygate_gate::text::Languages;
use replygate_gate::triage::{Decision, Pair, SURE, judge};
use serde_json::Value;

#[derive(Debug, Default)]
struct Score {
    n: usize,
    strict: usize,
    lenient: usize,
    never: usize,
    misses: Vec<String>,
}

fn score(file: &str) -> Score {
    let mut score = Score::default();
    for line in file.lines().filter(|line| !line.trim().is_empty()) {
        let case: Value = serde_json::from_str(line).unwrap();
        let (a, b) = (case["a"].as_str().unwrap(), case["b"].as_str().unwrap());
        let verdict = judge(
            &Pair {
                held: a,
                newer: &[b],
            },
            Languages::all(),
        );
        // What the product does with an unsure verdict.
        let decision = if verdict.confidence < SURE {
            Decision::ReleaseFirst
        } else {
            verdict.decision
        };
        let found = decision.as_str();
        let listed = |key: &str| {
            case[key]
                .as_array()
                .is_some_and(|all| all.iter().any(|d| d == found))
        };
        let strict = case["expected"] == found;
        score.n += 1;
        score.strict += usize::from(strict);
        score.lenient += usize::from(strict || listed("also_accept"));
        score.never += usize::from(listed("never"));
        if !strict {
            let weight = if listed("never") {
                "NEVER"
            } else if listed("also_accept") {
                "accepted"
            } else {
                "wrong"
            };
            score.misses.push(format!(
                "{weight}: {} {a:?} / {b:?}: expected {}, found {found} ({}, {})",
                case["id"],
                case["expected"],
                verdict.reason.as_str(),
                verdict.confidence
            ));
        }
    }
    println!(
        "{} of {} strict, {} lenient, {} never\n{}",
        score.strict,
        score.n,
        score.lenient,
        score.never,
        score.misses.join("\n")
    );
    score
}

#[test]
fn the_sample_pairs_are_judged_well_and_never_harmfully() {
    let score = score(include_str!("cases/triage_pairs.jsonl"));
    assert_eq!(score.never, 0, "{:#?}", score.misses);
    assert!(score.lenient * 100 >= score.n * 95, "{:#?}", score.misses);
}

#[test]
fn our_own_pairs_are_judged_well_and_never_harmfully() {
    let score = score(include_str!("cases/triage_own.jsonl"));
    assert!(score.n >= 60);
    assert_eq!(score.never, 0, "{:#?}", score.misses);
    assert!(score.lenient * 100 >= score.n * 95, "{:#?}", score.misses);
}

#[test]
fn the_stories_of_the_product_are_judged_as_told() {
    let stories = [
        (
            "What are your business hours?",
            "And do you accept PIX?",
            Decision::ReleaseFirst,
        ),
        (
            "I want to cancel my order",
            "Actually don't cancel it, I just received it",
            Decision::CancelFirst,
        ),
        (
            "Add a pepperoni pizza",
            "And a 2L Coke too",
            Decision::Merge,
        ),
        (
            "Qual o horário de funcionamento?",
            "E vocês aceitam PIX?",
            Decision::ReleaseFirst,
        ),
        (
            "Quero cancelar meu pedido",
            "Na verdade não cancela, acabei de receber",
            Decision::CancelFirst,
        ),
        (
            "Adiciona uma pizza de calabresa",
            "E uma Coca 2L também",
            Decision::Merge,
        ),
        (
            "¿Cuál es su horario?",
            "¿Y aceptan PIX?",
            Decision::ReleaseFirst,
        ),
        (
            "Quiero cancelar mi pedido",
            "En realidad no lo canceles, acabo de recibirlo",
            Decision::CancelFirst,
        ),
        (
            "Agrega una pizza de pepperoni",
            "Y una Coca de 2 L también",
            Decision::Merge,
        ),
    ];
    for (held, newer, decision) in stories {
        let verdict = judge(
            &Pair {
                held,
                newer: &[newer],
            },
            Languages::all(),
        );
        assert_eq!(
            verdict.decision, decision,
            "{held:?} / {newer:?}: {verdict:?}"
        );
        assert!(
            verdict.confidence >= 0.7,
            "{held:?} / {newer:?}: {verdict:?}"
        );
    }
}

#[test]
fn a_message_that_only_announces_another_is_unsure() {
    for newer in [
        "actually",
        "Actually...",
        "na verdade",
        "en realidad",
        "mas",
    ] {
        let verdict = judge(
            &Pair {
                held: "cancel my order",
                newer: &[newer],
            },
            Languages::all(),
        );
        assert!(verdict.confidence < SURE, "{newer}: {verdict:?}");
    }
}

#[test]
fn a_harmless_question_in_between_does_not_hide_a_correction() {
    let newer = [
        "by the way, when do you close?",
        "wait, don't send it to the old address, send it to the new one",
    ];
    let verdict = judge(
        &Pair {
            held: "Send two boxes of tea to my old address",
            newer: &newer,
        },
        Languages::all(),
    );
    assert_ne!(verdict.decision, Decision::ReleaseFirst, "{verdict:?}");
}

#[test]
fn a_withdrawal_after_another_question_is_not_taken_for_the_first_request() {
    let newer = ["And do you deliver on Sundays?", "never mind"];
    let verdict = judge(
        &Pair {
            held: "What are your opening hours?",
            newer: &newer,
        },
        Languages::all(),
    );
    assert!(verdict.decision == Decision::ReleaseFirst, "{verdict:?}");
}

#[test]
fn a_sentence_in_two_messages_is_read_as_one() {
    let verdict = judge(
        &Pair {
            held: "I want to cancel my order",
            newer: &["actually", "don't cancel it"],
        },
        Languages::all(),
    );
    assert_eq!(verdict.decision, Decision::CancelFirst, "{verdict:?}");
}

#[test]
fn a_message_that_goes_on_where_the_held_one_broke_off_is_merged() {
    for (held, newer) in [
        (
            "the supplier then told us that the",
            "seal was never part of the delivery and that we should ask you.",
        ),
        (
            "o técnico veio ontem de manhã e disse que",
            "a placa da geladeira precisa ser trocada na garantia de vocês",
        ),
        (
            "ayer estuve en la tienda del centro y",
            "la persona de la caja no quiso aceptar el vale de regalo",
        ),
    ] {
        let verdict = judge(
            &Pair {
                held,
                newer: &[newer],
            },
            Languages::all(),
        );
        assert_eq!(verdict.decision, Decision::Merge, "{newer}: {verdict:?}");
        assert!(verdict.confidence >= SURE, "{newer}: {verdict:?}");
    }
}

#[test]
fn a_correction_that_orders_something_of_its_own_does_not_concern_a_held_question() {
    for (held, newer) in [
        (
            "By the way, what time do you close?",
            "wait, don't send it to the old address, send it to the new one",
        ),
        (
            "A propósito, que horas vocês fecham?",
            "espera, não manda pro endereço antigo, manda pro novo",
        ),
        (
            "Por cierto, ¿a qué hora cierran?",
            "espera, no las mandes a la dirección vieja, mándalas a la nueva",
        ),
    ] {
        let verdict = judge(
            &Pair {
                held,
                newer: &[newer],
            },
            Languages::all(),
        );
        assert_eq!(
            verdict.decision,
            Decision::ReleaseFirst,
            "{newer}: {verdict:?}"
        );
    }
}

#[test]
fn a_correction_of_what_a_held_question_asks_is_merged() {
    for (held, newer) in [
        (
            "How much is it for two nights?",
            "sorry, I meant three nights",
        ),
        ("Tem vaga na terça?", "desculpa, quis dizer quarta"),
    ] {
        let verdict = judge(
            &Pair {
                held,
                newer: &[newer],
            },
            Languages::all(),
        );
        assert_eq!(verdict.decision, Decision::Merge, "{newer}: {verdict:?}");
    }
}
