//! The built-in mailbox.

use async_trait::async_trait;
use replygate_gate::{ActionId, At};
use replygate_ports::mailbox::{Mail, MailQuery, Mailbox};
use replygate_ports::store::StoreError;

use super::MemoryStore;
use super::tables::at_most;

#[async_trait]
impl Mailbox for MemoryStore {
    async fn send_mail(&self, mail: Mail) -> Result<(), StoreError> {
        self.tables().mails.entry(mail.id).or_insert(mail);
        Ok(())
    }

    async fn prune_mails(&self, before: At, limit: u32) -> Result<u64, StoreError> {
        let mut tables = self.tables();
        let old = tables.mails.values().filter(|mail| mail.sent_at < before);
        let old: Vec<ActionId> = old.take(at_most(limit)).map(|mail| mail.id).collect();
        for id in &old {
            tables.mails.remove(id);
        }
        Ok(old.len() as u64)
    }

    async fn mails(&self, query: &MailQuery) -> Result<Vec<Mail>, StoreError> {
        let is =
            |wanted: &Option<String>, found: &str| wanted.as_ref().is_none_or(|one| one == found);
        let tables = self.tables();
        let mut found: Vec<&Mail> = tables
            .mails
            .values()
            .filter(|mail| is(&query.channel, &mail.whom.channel))
            .filter(|mail| is(&query.contact, &mail.whom.contact))
            .filter(|mail| {
                query
                    .after
                    .is_none_or(|after| (mail.sent_at, mail.id) < after)
            })
            .collect();
        found.sort_by_key(|mail| std::cmp::Reverse((mail.sent_at, mail.id)));
        Ok(found
            .into_iter()
            .take(at_most(query.limit))
            .cloned()
            .collect())
    }
}
