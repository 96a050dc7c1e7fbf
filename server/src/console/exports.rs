//! The area of exports. Must never let a row out that was not announced in the log.

use async_trait::async_trait;
use replygate_app::console::Exports;
use replygate_app::view::{Caller, ConsoleError, ExportAsked, Permission, Seeing};
use replygate_ports::activity::{Activity, ActivityResult};

use super::{ServerConsole, unavailable};

#[async_trait]
impl Exports for ServerConsole {
    async fn export(&self, who: &Caller, asked: ExportAsked) -> Result<Caller, ConsoleError> {
        who.need(Permission::Export)?;
        let texts = who.may(Permission::ExportTexts);
        let activity = Activity {
            at: self.service.stores.clock.now(),
            by: who.name.clone(),
            role: who.role.stored().to_owned(),
            verb: "export".to_owned(),
            after: Some(told(&asked, texts)),
            object: asked.object,
            before: None,
            reason: None,
            request_id: None,
            result: ActivityResult::Done,
        };
        let log = &self.service.stores.activity;
        log.record(activity).await.map_err(unavailable)?;
        Ok(Caller {
            seeing: Seeing::Export,
            ..who.clone()
        })
    }
}

/// How it is written, whether with texts, and which rows. Words that were searched for may be a customer's, and are left
/// out.
fn told(asked: &ExportAsked, texts: bool) -> String {
    let texts = if texts { "with texts" } else { "texts hidden" };
    let known = asked.terms.iter().map(|(name, value)| match name.as_str() {
        "q" => "searched".to_owned(),
        _ => format!(
            "{}={}",
            name.chars().take(32).collect::<String>(),
            value.chars().take(64).collect::<String>()
        ),
    });
    let all: Vec<String> = [asked.format.stored().to_owned(), texts.to_owned()]
        .into_iter()
        .chain(known)
        .take(12)
        .collect();
    all.join(", ")
}

#[cfg(test)]
mod tests {
    use replygate_app::view::ExportFormat;

    use super::*;

    #[test]
    fn what_was_searched_for_is_not_told() {
        let term = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let asked = ExportAsked {
            object: "list:messages".to_owned(),
            format: ExportFormat::Csv,
            terms: vec![term("status", "PARKED"), term("q", "ana 4711")],
        };
        let all = told(&asked, false);
        assert_eq!(all, "csv, texts hidden, status=PARKED, searched");
    }
}
