//! The page's own words, by language. Must never guess: the browser says which languages its reader knows.

/// A language that the page speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English, also for readers of a language that is not here.
    #[default]
    English,
    /// Portuguese.
    Portuguese,
    /// Spanish.
    Spanish,
}

impl Language {
    /// The first language of an `accept-language` header that the page speaks, by its weights.
    #[must_use]
    pub fn accepted(header: &str) -> Self {
        let mut best = (0.0, Self::English);
        for range in header.split(',') {
            let mut pieces = range.split(';').map(str::trim);
            let Some(language) = pieces.next().and_then(Self::of_tag) else {
                continue;
            };
            let weight = pieces
                .find_map(|piece| piece.strip_prefix("q=")?.parse().ok())
                .unwrap_or(1.0_f32);
            if weight > best.0 {
                best = (weight, language);
            }
        }
        best.1
    }

    fn of_tag(tag: &str) -> Option<Self> {
        match tag.split('-').next()?.to_ascii_lowercase().as_str() {
            "en" => Some(Self::English),
            "pt" => Some(Self::Portuguese),
            "es" => Some(Self::Spanish),
            _ => None,
        }
    }

    pub(super) const fn words(self) -> &'static Words {
        match self {
            Self::English => &ENGLISH,
            Self::Portuguese => &PORTUGUESE,
            Self::Spanish => &SPANISH,
        }
    }
}

pub(super) struct Words {
    pub lang: &'static str,
    pub conversation: &'static str,
    pub you: &'static str,
    pub them: &'static str,
    pub field: &'static str,
    pub hint: &'static str,
    pub send: &'static str,
    pub empty: &'static str,
    pub typing: &'static str,
    pub sending: &'static str,
    pub failed: &'static str,
    pub busy: &'static str,
    pub again: &'static str,
    pub online: &'static str,
    pub offline: &'static str,
    pub no_script: &'static str,
    pub reload: &'static str,
}

const ENGLISH: Words = Words {
    lang: "en",
    conversation: "Conversation",
    you: "You:",
    them: "Answer:",
    field: "Your message",
    hint: "Write a message",
    send: "Send",
    empty: "Write as you would to a person. Several short messages are fine: you get one answer.",
    typing: "Typing…",
    sending: "Sending…",
    failed: "Not sent.",
    busy: "Not sent: an answer is on its way.",
    again: "Try again",
    online: "Online",
    offline: "No connection, trying again…",
    no_script: "Answers appear when you reload the page.",
    reload: "Show new messages",
};

const PORTUGUESE: Words = Words {
    lang: "pt",
    conversation: "Conversa",
    you: "Você:",
    them: "Resposta:",
    field: "Sua mensagem",
    hint: "Escreva uma mensagem",
    send: "Enviar",
    empty: "Escreva como escreveria a uma pessoa. Pode ser em várias mensagens curtas: a resposta é uma só.",
    typing: "Digitando…",
    sending: "Enviando…",
    failed: "Não enviada.",
    busy: "Não enviada: a resposta está a caminho.",
    again: "Tentar de novo",
    online: "Online",
    offline: "Sem conexão, tentando de novo…",
    no_script: "As respostas aparecem ao recarregar a página.",
    reload: "Ver novas mensagens",
};

const SPANISH: Words = Words {
    lang: "es",
    conversation: "Conversación",
    you: "Tú:",
    them: "Respuesta:",
    field: "Tu mensaje",
    hint: "Escribe un mensaje",
    send: "Enviar",
    empty: "Escribe como le escribirías a una persona. Puedes mandar varios mensajes cortos: la respuesta es una sola.",
    typing: "Escribiendo…",
    sending: "Enviando…",
    failed: "No se envió.",
    busy: "No se envió: la respuesta está en camino.",
    again: "Intentar de nuevo",
    online: "En línea",
    offline: "Sin conexión, intentando de nuevo…",
    no_script: "Las respuestas aparecen al recargar la página.",
    reload: "Ver mensajes nuevos",
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_heaviest_language_that_the_page_speaks_is_chosen() {
        for (header, expected) in [
            ("pt-BR,pt;q=0.9,en;q=0.8", Language::Portuguese),
            ("de, en;q=0.5, es-419;q=0.7", Language::Spanish),
            ("ja", Language::English),
            ("", Language::English),
            ("es;q=0", Language::English),
            ("ES", Language::Spanish),
        ] {
            assert_eq!(Language::accepted(header), expected, "{header}");
        }
    }
}
