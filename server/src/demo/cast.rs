//! Who writes in the demo's day, and what. Invented people with numbers that no provider gives out.

use replygate_gate::debounce::MessageKind::{self, Media, Text, Voice};

/// Something that a customer writes.
pub(super) struct Line {
    /// After the line before, in milliseconds.
    pub after_ms: u64,
    pub text: &'static str,
    pub kind: MessageKind,
}

const fn text(after_ms: u64, text: &'static str) -> Line {
    Line {
        after_ms,
        text,
        kind: Text,
    }
}

const fn sent(after_ms: u64, kind: MessageKind, text: &'static str) -> Line {
    Line {
        after_ms,
        text,
        kind,
    }
}

/// A conversation's next exchange; a scene's weight is how often it stands here.
pub(super) type Scene = &'static [Line];

/// Everything that is played, by language: English, Portuguese, Spanish.
pub(super) const SCENES: [&[Scene]; 3] = [ENGLISH, PORTUGUESE, SPANISH];

const ENGLISH: &[Scene] = &[
    &[text(0, "What are your opening hours?")],
    &[
        text(0, "Hi"),
        text(1_700, "do you take"),
        text(1_900, "cards?"),
    ],
    &[
        text(0, "Where is my order?"),
        text(2_900, "And do you accept cash?"),
    ],
    &[
        text(0, "Good morning!"),
        text(2_400, "I'd like to know"),
        text(2_100, "how long my order will take."),
    ],
    &[
        text(0, "Add a large Margherita to my order."),
        text(2_300, "And a 2L Coke too."),
    ],
    &[
        text(0, "Please cancel my order."),
        text(2_600, "Actually no, don't cancel it, it just arrived."),
    ],
    &[
        text(0, "Cancel my order."),
        text(9_000, "Yes, please do."),
        text(14_000, "Thanks!"),
    ],
    &[
        text(0, "Deliver it to 14 Mill Lane."),
        text(2_500, "Sorry, deliver it to 41 Mill Lane."),
    ],
    &[sent(0, Media, ""), text(3_000, "Is this the right pizza?")],
    &[text(0, "Can I talk to a person?")],
    &[text(0, "Add a garlic bread."), text(12_000, "Thank you!")],
    &[
        text(0, "I confirm the hours of physiotherapy."),
        text(19_000, "Please put the hours into my calendar."),
    ],
];

const PORTUGUESE: &[Scene] = &[
    &[text(0, "Qual o horário de funcionamento?")],
    &[
        text(0, "Oi"),
        text(1_600, "vocês aceitam"),
        text(1_800, "PIX?"),
    ],
    &[
        text(0, "Cadê meu pedido?"),
        text(2_800, "E vocês aceitam cartão?"),
    ],
    &[
        text(0, "Boa noite"),
        text(2_700, "queria saber se"),
        text(2_200, "ainda estão abertos."),
    ],
    &[
        text(0, "Quero uma pizza calabresa."),
        text(2_300, "E uma Coca 2L também."),
    ],
    &[
        text(0, "Cancela meu pedido."),
        text(2_500, "Na verdade não cancela, acabei de receber."),
    ],
    &[
        text(0, "Cancela o pedido por favor."),
        text(8_500, "Sim, pode cancelar."),
        text(13_000, "Obrigado!"),
    ],
    &[
        text(0, "O endereço de entrega é Rua das Flores 12."),
        text(2_400, "Desculpa, o endereço é Rua das Flores 21."),
    ],
    &[sent(0, Voice, "Queria saber se vai demorar muito.")],
    &[text(0, "Posso falar com um atendente?")],
    &[
        text(0, "Agenda as horas no meu calendário."),
        text(11_000, "Valeu!"),
    ],
    &[
        text(0, "Confirmo as horas de terapia."),
        text(21_000, "Agenda as horas no meu calendário."),
    ],
];

const SPANISH: &[Scene] = &[
    &[text(0, "¿Cuál es el horario de atención?")],
    &[
        text(0, "Hola"),
        text(1_500, "¿aceptan"),
        text(1_900, "tarjeta?"),
    ],
    &[
        text(0, "¿Dónde está mi pedido?"),
        text(2_900, "¿Y aceptan efectivo?"),
    ],
    &[
        text(0, "Buenas tardes"),
        text(2_300, "quería saber"),
        text(2_000, "cuánto tarda mi pedido."),
    ],
    &[
        text(0, "Agrega una pizza napolitana."),
        text(2_200, "Y una Coca de 2L también."),
    ],
    &[
        text(0, "Cancela mi pedido."),
        text(2_600, "En realidad no lo canceles, acaba de llegar."),
    ],
    &[
        text(0, "Anula el pedido, por favor."),
        text(9_500, "Sí, dale."),
        text(12_000, "¡Gracias!"),
    ],
    &[text(0, "Quiero hablar con una persona.")],
    &[
        text(0, "Agéndame las horas en mi calendario."),
        text(10_000, "Gracias"),
    ],
    &[
        text(0, "Confirmo las horas de psicología."),
        text(18_000, "Agéndame las horas en mi calendario."),
    ],
];

/// What goes wrong between the provider and one customer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// Nothing.
    None,
    /// They blocked the number: the provider refuses for good.
    Blocked,
    /// The provider cannot reach them during the day's outage, and says so.
    Away,
    /// The provider gives no answer during the day's outage.
    Silent,
}

impl Trouble {
    /// Told by the number's last two digits, so that a customer's luck stays theirs.
    pub(super) fn of(contact: &str) -> Self {
        match contact.get(contact.len().saturating_sub(2)..) {
            Some("07" | "63") => Self::Blocked,
            Some(last) if last.ends_with('4') => Self::Away,
            Some(last) if last.ends_with('9') => Self::Silent,
            _ => Self::None,
        }
    }
}

/// A customer, by number: who they are on their channel, and which of [`SCENES`] they speak.
pub(super) fn customer(number: usize) -> (String, usize) {
    let tongue = number % SCENES.len();
    let place = match tongue {
        0 => "+44 7700 900",
        1 => "+55 11 95550",
        _ => "+34 600 000",
    };
    (format!("{place}{:03}", number % 1_000), tongue)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_customer_has_a_number_and_each_trouble_somebody() {
        let all: std::collections::BTreeSet<String> = (0..180).map(|n| customer(n).0).collect();
        assert_eq!(all.len(), 180);
        for trouble in [
            Trouble::None,
            Trouble::Blocked,
            Trouble::Away,
            Trouble::Silent,
        ] {
            assert!(all.iter().any(|contact| Trouble::of(contact) == trouble));
        }
    }
}
