//! Everything that the demo can say, by language. Must never be said in pieces: a phrase is a whole line, so that the
//! demo knows it again in the history.

macro_rules! topics {
    ($($topic:ident),+ $(,)?) => {
        /// Something that the demo can say.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Topic { $($topic),+ }

        #[cfg(test)]
        const TOPICS: &[Topic] = &[$(Topic::$topic),+];
    };
}

topics!(
    Added,
    Address,
    AlreadyScheduled,
    AskCancel,
    CancelPassed,
    CancelWithdrawn,
    CannotOpen,
    Confirmed,
    DoneStands,
    Enjoy,
    Hello,
    Help,
    Hours,
    Human,
    Kept,
    NothingChanged,
    NothingYet,
    NotScheduled,
    Now,
    Payment,
    PerhapsScheduled,
    Scheduled,
    Status,
    Welcome,
    WhichAddress,
);

/// The phrases of one language. `{order}` stands for the order's number, `{value}` for what a phrase is about.
#[derive(Debug)]
pub(super) struct Phrases {
    /// Between the last two items of a list.
    and: &'static str,
    text: fn(Topic) -> &'static str,
}

pub(super) static ENGLISH: Phrases = Phrases {
    and: " and ",
    text: english,
};
pub(super) static PORTUGUESE: Phrases = Phrases {
    and: " e ",
    text: portuguese,
};
pub(super) static SPANISH: Phrases = Phrases {
    and: " y ",
    text: spanish,
};

/// Every language.
pub(super) static ALL: [&Phrases; 3] = [&ENGLISH, &PORTUGUESE, &SPANISH];

impl Phrases {
    pub(super) fn text(&self, topic: Topic) -> &'static str {
        (self.text)(topic)
    }

    /// "a, b and c".
    pub(super) fn list(&self, items: &[String]) -> String {
        match items {
            [] => String::new(),
            [only] => only.clone(),
            [start @ .., last] => format!("{}{}{last}", start.join(", "), self.and),
        }
    }

    /// The items of a list that [`Self::list`] made.
    pub(super) fn unlist(&self, list: &str) -> Vec<String> {
        list.split(", ")
            .flat_map(|piece| piece.split(self.and))
            .map(str::to_owned)
            .collect()
    }
}

fn english(topic: Topic) -> &'static str {
    match topic {
        Topic::Added => "Added to order {order}: {value}.",
        Topic::Address => "Order {order} now goes to {value}.",
        Topic::AlreadyScheduled => "They are in your calendar already; I did not add them twice.",
        Topic::AskCancel => {
            "You want to cancel order {order}. Shall I pass that on? Answer \"yes\" and I will."
        }
        Topic::CancelPassed => {
            "Thank you. I passed on that order {order} is to be cancelled; a colleague will confirm it."
        }
        Topic::CancelWithdrawn => {
            "All right, forget the cancellation: order {order} stays as it is."
        }
        Topic::CannotOpen => {
            "I cannot open pictures or voice notes here. Could you write it in a few words?"
        }
        Topic::Confirmed => "Confirmed, thank you.",
        Topic::DoneStands => "All right. What was done already stays done.",
        Topic::Enjoy => "Good to hear that it arrived. Enjoy!",
        Topic::Hello => "Hello! What can I do for you?",
        Topic::Help => {
            "I can help with opening hours, payment, your order and its delivery. What would you like?"
        }
        Topic::Hours => "We are open every day from 11:00 to 23:00.",
        Topic::Human => "I asked a colleague to answer you here.",
        Topic::Kept => "All right, order {order} stays as it is. Nothing was cancelled.",
        Topic::NothingChanged => "All right, nothing was changed.",
        Topic::NothingYet => "Nothing was added to order {order} here yet.",
        Topic::NotScheduled => "I could not put the hours into your calendar; nothing was booked.",
        Topic::Now => "Order {order} now has: {value}.",
        Topic::PerhapsScheduled => {
            "I cannot confirm yet whether the hours are in your calendar; a colleague will check."
        }
        Topic::Payment => "Yes, we take PIX, cards and cash.",
        Topic::Scheduled => "Done, the hours are in your calendar.",
        Topic::Status => "Order {order} is on its way and should be with you in about 30 minutes.",
        Topic::Welcome => "You are welcome!",
        Topic::WhichAddress => "To which address should order {order} go?",
    }
}

fn portuguese(topic: Topic) -> &'static str {
    match topic {
        Topic::Added => "Adicionei ao pedido {order}: {value}.",
        Topic::Address => "O pedido {order} agora vai para {value}.",
        Topic::AlreadyScheduled => "Já está no seu calendário; não adicionei de novo.",
        Topic::AskCancel => {
            "Você quer cancelar o pedido {order}. Posso encaminhar? Responda \"sim\" e eu encaminho."
        }
        Topic::CancelPassed => {
            "Obrigado. Encaminhei o cancelamento do pedido {order}; um colega vai confirmar."
        }
        Topic::CancelWithdrawn => "Certo, esqueça o cancelamento: o pedido {order} fica como está.",
        Topic::CannotOpen => {
            "Não consigo abrir imagens nem áudios aqui. Pode escrever em poucas palavras?"
        }
        Topic::Confirmed => "Confirmado, obrigado.",
        Topic::DoneStands => "Certo. O que já foi feito continua feito.",
        Topic::Enjoy => "Que bom que chegou. Bom apetite!",
        Topic::Hello => "Olá! Como posso ajudar?",
        Topic::Help => {
            "Posso ajudar com horários, pagamento, o seu pedido e a entrega. O que você deseja?"
        }
        Topic::Hours => "Abrimos todos os dias, das 11h às 23h.",
        Topic::Human => "Pedi a um colega que responda a você aqui.",
        Topic::Kept => "Certo, o pedido {order} fica como está. Nada foi cancelado.",
        Topic::NothingChanged => "Certo, nada foi alterado.",
        Topic::NothingYet => "Nada foi adicionado ao pedido {order} por aqui ainda.",
        Topic::NotScheduled => "Não consegui colocar as horas no seu calendário; nada foi marcado.",
        Topic::Now => "O pedido {order} agora tem: {value}.",
        Topic::PerhapsScheduled => {
            "Ainda não consigo confirmar se as horas estão no seu calendário; um colega vai verificar."
        }
        Topic::Payment => "Sim, aceitamos PIX, cartão e dinheiro.",
        Topic::Scheduled => "Pronto, as horas estão no seu calendário.",
        Topic::Status => "O pedido {order} está a caminho e deve chegar em cerca de 30 minutos.",
        Topic::Welcome => "De nada!",
        Topic::WhichAddress => "Para qual endereço vai o pedido {order}?",
    }
}

fn spanish(topic: Topic) -> &'static str {
    match topic {
        Topic::Added => "Agregué al pedido {order}: {value}.",
        Topic::Address => "El pedido {order} ahora va a {value}.",
        Topic::AlreadyScheduled => "Ya están en tu calendario; no las agregué otra vez.",
        Topic::AskCancel => {
            "Quieres cancelar el pedido {order}. ¿Lo transmito? Responde \"sí\" y lo hago."
        }
        Topic::CancelPassed => {
            "Gracias. Transmití la cancelación del pedido {order}; un colega la confirmará."
        }
        Topic::CancelWithdrawn => {
            "De acuerdo, olvida la cancelación: el pedido {order} queda como está."
        }
        Topic::CannotOpen => {
            "Aquí no puedo abrir imágenes ni audios. ¿Puedes escribirlo en pocas palabras?"
        }
        Topic::Confirmed => "Confirmado, gracias.",
        Topic::DoneStands => "De acuerdo. Lo que ya se hizo queda hecho.",
        Topic::Enjoy => "Qué bueno que llegó. ¡Buen provecho!",
        Topic::Hello => "¡Hola! ¿En qué puedo ayudarte?",
        Topic::Help => {
            "Puedo ayudarte con horarios, pagos, tu pedido y la entrega. ¿Qué necesitas?"
        }
        Topic::Hours => "Abrimos todos los días de 11:00 a 23:00.",
        Topic::Human => "Le pedí a un colega que te responda aquí.",
        Topic::Kept => "De acuerdo, el pedido {order} queda como está. No se canceló nada.",
        Topic::NothingChanged => "De acuerdo, no se cambió nada.",
        Topic::NothingYet => "Todavía no se agregó nada al pedido {order} por aquí.",
        Topic::NotScheduled => "No pude poner las horas en tu calendario; no se agendó nada.",
        Topic::Now => "El pedido {order} ahora tiene: {value}.",
        Topic::PerhapsScheduled => {
            "Todavía no puedo confirmar si las horas están en tu calendario; un colega lo revisará."
        }
        Topic::Payment => "Sí, aceptamos PIX, tarjeta y efectivo.",
        Topic::Scheduled => "Listo, las horas están en tu calendario.",
        Topic::Status => "El pedido {order} está en camino y debería llegar en unos 30 minutos.",
        Topic::Welcome => "¡De nada!",
        Topic::WhichAddress => "¿A qué dirección va el pedido {order}?",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_phrases_of_all_languages_begin_alike_where_the_memory_reads_them() {
        for topic in [Topic::Added, Topic::AskCancel, Topic::Scheduled] {
            for phrases in ALL {
                let start = phrases.text(topic).split('{').next().unwrap_or_default();
                let same = ALL
                    .iter()
                    .flat_map(|other| TOPICS.iter().map(|topic| other.text(*topic)));
                assert_eq!(
                    same.filter(|text| text.starts_with(start)).count(),
                    1,
                    "{start}"
                );
            }
        }
    }

    #[test]
    fn a_list_is_read_back() {
        let items: Vec<String> = ["uma pizza", "uma Coca 2L", "batata"]
            .map(str::to_owned)
            .into();
        let list = PORTUGUESE.list(&items);
        assert_eq!(list, "uma pizza, uma Coca 2L e batata");
        assert_eq!(PORTUGUESE.unlist(&list), items);
    }
}
