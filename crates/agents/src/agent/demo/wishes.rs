//! What a burst asks for, read by its words. Must never decide what was said before: the last word on a matter counts.

use replygate_gate::debounce::MessageKind;
use replygate_ports::agent::TurnMessage;

use super::clause::Clause;
use super::items;

/// What is to become of the order as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Order {
    /// Nobody spoke of it.
    #[default]
    Untouched,
    /// It is to be cancelled.
    Cancel,
    /// Asked whether to cancel it, the customer agreed.
    CancelConfirmed,
    /// It is not to be cancelled.
    Keep,
}

/// Something that is answered in a line of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// When the shop is open.
    Hours,
    /// How to pay.
    Payment,
    /// Where the order is.
    Status,
    /// What is in the order.
    Contents,
    /// Whether a person can answer.
    Human,
    /// What is in an attachment.
    Media,
}

/// All that a burst asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is one wish, and any of them may come together"
)]
pub(super) struct Wishes {
    pub order: Order,
    /// The order arrived.
    pub received: bool,
    /// What was asked before is not wanted any more.
    pub withdrawn: bool,
    pub items: Vec<String>,
    /// A new address; empty when it was not said.
    pub address: Option<String>,
    pub schedule: bool,
    pub confirm: bool,
    /// It confirms hours that were offered.
    pub confirms_hours: bool,
    /// In the order in which they were asked, each once.
    pub questions: Vec<Question>,
    pub thanks: bool,
    pub greeting: bool,
}

const CANCEL: &[&str] = &["cancel*", "anula*", "anule*", "call it off", "call off"];
const KEEP: &[&str] = &[
    "keep it",
    "keep my order",
    "keep the order",
    "mantem",
    "mantenha",
    "manter",
    "manten",
    "mantengan",
    "mantener",
    "leave it as it is",
    "deixa como esta",
    "dejalo como esta",
];
const WITHDRAW: &[&str] = &[
    "never mind",
    "nevermind",
    "forget it",
    "forget that",
    "forget about it",
    "scratch that",
    "changed my mind",
    "esquece",
    "esqueca",
    "deixa pra la",
    "deixa para la",
    "mudei de ideia",
    "desisti",
    "olvida",
    "olvidalo",
    "dejalo",
    "cambie de idea",
    "cambie de opinion",
    "ya no quiero",
    "nao quero mais",
];
const RECEIVED: &[&str] = &[
    "received it",
    "just received",
    "just got it",
    "it arrived",
    "it just arrived",
    "has arrived",
    "recebi",
    "acabei de receber",
    "ja chegou",
    "acabou de chegar",
    "recibi",
    "acabo de recibir",
    "ya llego",
    "acaba de llegar",
];
/// Words for an address; the new one follows behind a word such as "to".
const ADDRESS: &[&str] = &["address", "endereco", "direccion"];
/// The new address follows at once.
const DELIVER: &[&str] = &[
    "deliver it to",
    "deliver to",
    "send it to",
    "entregar em",
    "entrega em",
    "entreguen en",
];
/// How many words may stand between an address's word and "to": "endereço de entrega para".
const TOWARDS_REACH: usize = 3;
const TOWARDS: &[&str] = &["to", "para", "pra", "a", "is", "e", "es", "em", "en"];
const SCHEDULE: &[&str] = &[
    "agend*",
    "calendar*",
    "schedule*",
    "book the",
    "book my",
    "book me",
    "put it in my",
    "marca na",
    "marque na",
];
const CONFIRM: &[&str] = &["confirm*"];
/// Hours with somebody, as they are offered and confirmed.
const APPOINTMENT: &[&str] = &[
    "hora",
    "horas",
    "cita*",
    "sesion*",
    "sessao",
    "sessoes",
    "consulta*",
    "appointment*",
    "session*",
    "hours of",
    "hours for",
    "these hours",
    "the hours",
];
const YES: &[&str] = &[
    "yes",
    "yeah",
    "yep",
    "sim",
    "si",
    "go ahead",
    "please do",
    "pode cancelar",
    "dale",
    "claro",
    "confirm*",
    "isso",
];
const HOURS: &[&str] = &[
    "business hours",
    "opening hours",
    "opening times",
    "open",
    "opening",
    "close",
    "closing",
    "what time do you",
    "horario*",
    "que horas abr*",
    "que horas fech*",
    "abre",
    "abrem",
    "aberto*",
    "fecha",
    "fecham",
    "abren",
    "abierto*",
    "cierra",
    "cierran",
    "hora abr*",
];
const PAYMENT: &[&str] = &[
    "pix",
    "card",
    "cards",
    "cash",
    "pay",
    "paying",
    "payment*",
    "cartao",
    "cartoes",
    "dinheiro",
    "pagar",
    "pagamento*",
    "boleto",
    "tarjeta*",
    "efectivo",
    "pago",
    "pagos",
    "transferencia*",
];
const STATUS: &[&str] = &[
    "where is my order",
    "wheres my order",
    "status",
    "how long",
    "when will",
    "track*",
    "on its way",
    "cade",
    "onde esta",
    "quando chega",
    "quanto tempo",
    "vai demorar",
    "donde esta",
    "cuando llega",
    "cuanto tarda",
    "cuanto falta",
    "va a tardar",
];
const CONTENTS: &[&str] = &[
    "in my order",
    "my order so far",
    "what did i order",
    "tem no meu pedido",
    "o que eu pedi",
    "resumo",
    "summary",
    "tiene mi pedido",
    "hay en mi pedido",
    "que pedi",
    "resumen",
];
const HUMAN: &[&str] = &[
    "a person",
    "real person",
    "a human",
    "human",
    "someone real",
    "uma pessoa",
    "atendente",
    "humano",
    "una persona",
    "con alguien",
    "com alguem",
];
const QUESTIONS: &[(&[&str], Question)] = &[
    (HOURS, Question::Hours),
    (PAYMENT, Question::Payment),
    (STATUS, Question::Status),
    (CONTENTS, Question::Contents),
    (HUMAN, Question::Human),
];
const YES_SIGNS: [char; 4] = ['👍', '👌', '✅', '🙏'];
const THANKS: &[&str] = &[
    "thanks", "thank", "thx", "obrigad*", "valeu", "gracias", "ty",
];
const GREETING: &[&str] = &[
    "hi",
    "hello",
    "hey",
    "good morning",
    "good afternoon",
    "good evening",
    "oi",
    "ola",
    "bom dia",
    "boa tarde",
    "boa noite",
    "hola",
    "buenas",
    "buenos dias",
    "buenas tardes",
    "buenas noches",
];

/// The longest address that is repeated, in characters.
const LONGEST_ADDRESS: usize = 120;

impl Wishes {
    /// The wishes of a burst. `asked_to_cancel`: the customer was just asked whether to cancel.
    pub(super) fn read(messages: &[&TurnMessage], asked_to_cancel: bool) -> Self {
        let mut wishes = Self::default();
        for message in messages {
            if message.kind == MessageKind::Reaction {
                wishes.read_sign(&message.text, asked_to_cancel);
                continue;
            }
            if message.kind != MessageKind::Text && message.text.trim().is_empty() {
                wishes.ask(Question::Media);
            }
            wishes.read_address(&message.text);
            for clause in Clause::all(&message.text) {
                wishes.read_clause(&clause, asked_to_cancel);
            }
        }
        wishes
    }

    fn read_clause(&mut self, clause: &Clause<'_>, asked_to_cancel: bool) {
        self.received |= clause.has(RECEIVED);
        self.thanks |= clause.has(THANKS);
        self.greeting |= clause.has(GREETING);
        if self.reads_order(clause, asked_to_cancel) || clause.has(ADDRESS) || clause.has(DELIVER) {
            self.reads_questions(clause, &[(HUMAN, Question::Human)]);
            return;
        }
        if clause.has(SCHEDULE) {
            self.schedule = true;
            self.reads_questions(clause, &[(HUMAN, Question::Human)]);
            return;
        }
        self.confirm |= clause.has(CONFIRM);
        self.confirms_hours |= clause.has(CONFIRM) && clause.has(APPOINTMENT);
        let asked = self.reads_questions(clause, QUESTIONS);
        let items = items::ordered(clause);
        if !asked && !items.is_empty() {
            self.drop_cancel();
            self.items.extend(items);
        }
    }

    /// Whether the clause is about the order as a whole.
    fn reads_order(&mut self, clause: &Clause<'_>, asked_to_cancel: bool) -> bool {
        if let Some((at, _)) = clause.find(CANCEL) {
            self.order = if clause.is_negated(at) {
                Order::Keep
            } else {
                Order::Cancel
            };
            return true;
        }
        if clause.has(KEEP) {
            self.order = Order::Keep;
            return true;
        }
        if clause.has(WITHDRAW) {
            self.withdraw();
            return true;
        }
        if asked_to_cancel && self.order == Order::Untouched && clause.has(YES) && clause.len() <= 4
        {
            self.order = Order::CancelConfirmed;
            return true;
        }
        false
    }

    /// Whether the clause asks something that is no wish for items: to speak to a person is said beside those.
    fn reads_questions(&mut self, clause: &Clause<'_>, known: &[(&[&str], Question)]) -> bool {
        let found = known
            .iter()
            .filter_map(|(phrases, question)| Some((clause.find(phrases)?.0, *question)));
        let mut found: Vec<(usize, Question)> = found.collect();
        found.sort_by_key(|(at, _)| *at);
        for (_, question) in &found {
            self.ask(*question);
        }
        found
            .iter()
            .any(|(_, question)| *question != Question::Human)
    }

    fn ask(&mut self, question: Question) {
        if !self.questions.contains(&question) {
            self.questions.push(question);
        }
    }

    /// A sign put on the question whether to cancel answers it; the last one counts, and one taken away answers nothing.
    fn read_sign(&mut self, sign: &str, asked_to_cancel: bool) {
        if !asked_to_cancel {
            return;
        }
        self.order = match sign {
            "" => Order::Untouched,
            sign if sign.contains(YES_SIGNS) => Order::CancelConfirmed,
            _ => Order::Keep,
        };
    }

    /// Takes back what the burst asked for so far.
    fn withdraw(&mut self) {
        if self.order == Order::Cancel {
            self.order = Order::Keep;
        }
        self.items.clear();
        self.address = None;
        self.schedule = false;
        self.withdrawn = true;
    }

    /// Whoever adds to an order or moves it does not want it cancelled any more.
    fn drop_cancel(&mut self) {
        if self.order == Order::Cancel {
            self.order = Order::Untouched;
        }
    }

    fn read_address(&mut self, text: &str) {
        for sentence in Clause::sentences(text) {
            let Some(from) = address_start(&sentence) else {
                continue;
            };
            self.drop_cancel();
            self.address = Some(
                sentence
                    .slice(from, sentence.len())
                    .chars()
                    .take(LONGEST_ADDRESS)
                    .collect(),
            );
        }
    }
}

/// The word with which the address begins; behind the last word when only its change is spoken of.
fn address_start(sentence: &Clause<'_>) -> Option<usize> {
    if let Some((_, end)) = sentence.find(DELIVER) {
        return Some(end);
    }
    let (_, end) = sentence.find(ADDRESS)?;
    let towards = (end..end + TOWARDS_REACH).find(|at| TOWARDS.contains(&sentence.word(*at)));
    let Some(mut from) = towards else {
        return Some(sentence.len());
    };
    while TOWARDS.contains(&sentence.word(from)) {
        from += 1;
    }
    Some(from)
}
