//! What the product itself says to a customer, in the customer's language: acknowledgements of control commands.

use replygate_gate::control::Control;
use serde::{Deserialize, Serialize};

/// A language in which notices are worded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoticeLanguage {
    /// English.
    #[default]
    En,
    /// Portuguese.
    Pt,
    /// Spanish.
    Es,
}

impl NoticeLanguage {
    /// The language with this code, if notices are worded in it.
    #[must_use]
    pub fn of(code: &str) -> Option<Self> {
        match code {
            "en" => Some(Self::En),
            "pt" => Some(Self::Pt),
            "es" => Some(Self::Es),
            _ => None,
        }
    }
}

/// Texts of notices by language; an empty one is not said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Notices {
    /// Spoken to a customer whose own language is not known, or not one of these.
    pub language: NoticeLanguage,
    /// After a stop, in English.
    pub stop_en: String,
    /// After a stop, in Portuguese.
    pub stop_pt: String,
    /// After a stop, in Spanish.
    pub stop_es: String,
    /// After a reset, in English.
    pub reset_en: String,
    /// After a reset, in Portuguese.
    pub reset_pt: String,
    /// After a reset, in Spanish.
    pub reset_es: String,
}

impl Default for Notices {
    fn default() -> Self {
        Self {
            language: NoticeLanguage::En,
            stop_en: "Stopped. What was not sent yet will not be sent.".to_owned(),
            stop_pt: "Parado. O que ainda não foi enviado não será enviado.".to_owned(),
            stop_es: "Detenido. Lo que aún no se envió no se enviará.".to_owned(),
            reset_en: "Starting over. Earlier messages are set aside.".to_owned(),
            reset_pt: "Começando de novo. As mensagens anteriores ficam de lado.".to_owned(),
            reset_es: "Empezamos de nuevo. Los mensajes anteriores quedan a un lado.".to_owned(),
        }
    }
}

impl Notices {
    /// What is said after that command, in that language or else in the channel's own; `None` when nothing is.
    #[must_use]
    pub fn after(&self, control: Control, language: Option<NoticeLanguage>) -> Option<&str> {
        let text = match (control, language.unwrap_or(self.language)) {
            (Control::Stop, NoticeLanguage::En) => &self.stop_en,
            (Control::Stop, NoticeLanguage::Pt) => &self.stop_pt,
            (Control::Stop, NoticeLanguage::Es) => &self.stop_es,
            (Control::Reset, NoticeLanguage::En) => &self.reset_en,
            (Control::Reset, NoticeLanguage::Pt) => &self.reset_pt,
            (Control::Reset, NoticeLanguage::Es) => &self.reset_es,
        };
        Some(text.trim()).filter(|text| !text.is_empty())
    }

    /// Every text with its key.
    pub(super) fn texts(&self) -> [(&'static str, &str); 6] {
        [
            ("notices.stop_en", &self.stop_en),
            ("notices.stop_pt", &self.stop_pt),
            ("notices.stop_es", &self.stop_es),
            ("notices.reset_en", &self.reset_en),
            ("notices.reset_pt", &self.reset_pt),
            ("notices.reset_es", &self.reset_es),
        ]
    }
}
