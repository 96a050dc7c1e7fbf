//! An installation that lived through a storm moves into PostgreSQL, and nobody can tell the difference.
#![expect(
    clippy::unwrap_used,
    reason = "a test panics when something is not as it says"
)]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command as Process, Output};
use std::sync::Arc;

use replygate_cluster::{Postgres, PostgresError, PostgresOptions};
use replygate_embedded::{Database, SystemClock};
use replygate_gate::control::Control;
use replygate_gate::tools::{Avoided, CallState, Fingerprint, Moment, Opinion, Runner};
use replygate_gate::{
    ActionId, At, Command, Decision, DuplicateId, OperationId, ReplyId, ReplyStatus, SessionId,
    SessionKey,
};
use replygate_ports::accounts::{Accounts, SignIn, Token, User};
use replygate_ports::activity::{Activity, ActivityLog, ActivityQuery, ActivityResult};
use replygate_ports::calendar::{Calendar, CalendarEvent, EventQuery};
use replygate_ports::ledger::{
    By, CallQuery, DuplicateQuery, Ledger, NewCall, NewDuplicate, NewPass, Settlement, Verdict,
};
use replygate_ports::mailbox::{Mail, MailQuery, Mailbox};
use replygate_ports::operations::{
    Item, ItemState, Operation, OperationState, OperationVerb, Operations, Pace,
};
use replygate_ports::saved::{SavedView, SavedViews};
use replygate_ports::settings::{ChannelSettings, Choice, SettingsStore, SettingsVersion};
use replygate_ports::store::{AppendError, Store};
use replygate_ports::tools::{Effect, Tool};
use replygate_ports::upkeep::{Cutoffs, Upkeep};
use replygate_ports::views::{ReplyQuery, Views};
use replygate_testkit::contract::stage::{
    Beside, Stage, accepted, author, busy, deed, direct, key, silence, verdict,
};
use replygate_testkit::contract::{Missing, there};
use serde_json::json;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tempfile::TempDir;

const MANY: u32 = 10_000;

/// A schema of its own, dropped by [`Target::end`].
struct Target {
    url: String,
    schema: String,
}

impl Target {
    #[expect(
        clippy::disallowed_methods,
        reason = "where the tests' server is, only the environment can say"
    )]
    fn new(name: &str) -> Self {
        let local = "postgres://postgres@127.0.0.1:5432/postgres";
        Self {
            url: std::env::var("DATABASE_URL").unwrap_or_else(|_| local.to_owned()),
            schema: format!("test_{name}_{}", std::process::id()),
        }
    }

    async fn open(&self) -> Option<Postgres> {
        let options = PostgresOptions {
            schema: self.schema.clone(),
            ..PostgresOptions::new(&self.url)
        };
        let opened = Postgres::open(&options, Arc::new(SystemClock::start())).await;
        there(opened.map_err(|error| match error {
            PostgresError::Unreachable { place, .. } => {
                Missing(format!("no PostgreSQL at {place}"))
            }
            error => panic!("{error:?}"),
        }))
    }

    async fn end(self) {
        let mut connection = PgConnection::connect(&self.url).await.unwrap();
        let script = format!("DROP SCHEMA IF EXISTS {} CASCADE", self.schema);
        sqlx::raw_sql(AssertSqlSafe(script))
            .execute(&mut connection)
            .await
            .unwrap();
    }

    fn migrate(&self, from: &Path) -> Output {
        Process::new(env!("CARGO_BIN_EXE_replygate"))
            .args(["migrate", "--from"])
            .arg(from)
            .args(["--to", &self.url, "--schema", &self.schema])
            .output()
            .unwrap()
    }
}

/// Lives of every kind: merged, cancelled, parked, unknown, taken over, reset, edited, pruned, forgotten, in groups, and with
/// texts that PostgreSQL cannot hold as they are. One reply is being sent when it all ends.
async fn storm(database: &Database) -> Vec<SessionKey> {
    let mut stage = Stage::new(Arc::new(database.clone()));
    let mut keys = Vec::new();
    for number in 0..12 {
        let contact = match number % 3 {
            0 => direct(&format!("contact {number}\0é")),
            1 => author(
                &format!("group {}", number % 2),
                &format!("contact {number}"),
            ),
            _ => key("zoo", &format!("c {number}"), &format!("contact {number}")),
        };
        live(&mut stage, &contact, number).await;
        stage.later(1_000);
        keys.push(contact);
    }
    let end = stage.now.minus(6_000);
    let before = Cutoffs {
        texts: end,
        dedupe_keys: end,
        steps: end,
        ..Cutoffs::default()
    };
    Upkeep::prune(database, &before, 7).await.unwrap();
    database.forget(None, "contact 1").await.unwrap();
    let busy = direct("busy");
    let (_, reply) = stage.exchange(&busy, "hello", "being sent").await;
    stage.claim(&busy, reply).await;
    keys.push(busy);
    keys
}

async fn live(stage: &mut Stage, contact: &SessionKey, number: u32) {
    let (message, first) = stage.exchange(contact, "a\0b \u{1a} 🙂", "said\0so").await;
    let outcome = match number % 4 {
        0 => accepted(),
        1 => silence(),
        _ => busy(),
    };
    // From the sixth on, somebody else of the group is before them.
    if number < 6 {
        stage.hand_over(contact, first, outcome).await;
    }
    let mut edit = stage.message(contact, "edited");
    edit.edit_of = Some(message);
    stage.try_receive(contact, edit).await.unwrap();
    let waiting = stage
        .load(contact)
        .await
        .session
        .head()
        .map(|reply| reply.id);
    let decision = match number % 3 {
        0 => Decision::Merge,
        1 => Decision::CancelFirst,
        _ => Decision::ReleaseFirst,
    };
    let verdicts = waiting
        .map(|reply| verdict(reply, decision))
        .into_iter()
        .collect();
    let fence = stage.take(contact).await;
    stage
        .commit(contact, fence, verdicts, &["one", "two"])
        .await;
    match number % 5 {
        0 => drop(stage.control(contact, Control::Reset).await),
        1 => {
            let takeover = Command::TakeOver {
                by: "eva".to_owned(),
            };
            let beside = Beside {
                action: Some(deed(&format!("request {number}"), "takeover", None)),
                ..Beside::default()
            };
            stage.try_act(contact, &takeover, beside).await.unwrap();
        }
        2 => {
            stage.arrive(contact, "nobody answers").await;
            let fence = stage.take(contact).await;
            stage.fail(contact, fence).await;
        }
        _ => drop(stage.arrive(contact, "still waiting").await),
    }
}

async fn people_and_settings(database: &Database) {
    for version in 1..=3 {
        let next = SettingsVersion {
            version,
            settings: ChannelSettings::new("shop", "webchat"),
            by: "ana".to_owned(),
            at: At(version as i64),
            reason: (version > 1).then(|| "slower".to_owned()),
            request_id: Some(format!("form {version}")),
        };
        database.save(next).await.unwrap();
    }
    let user = User {
        name: "Ana Çelik".to_owned(),
        role: "owner".to_owned(),
        password: Some("$argon2id$x".to_owned()),
        created_at: At(7),
    };
    database.save_user(user).await.unwrap();
    let token = Token {
        hash: "aa".to_owned(),
        scope: "operate".to_owned(),
        subject: "crm".to_owned(),
        expires_at: None,
    };
    database.save_token(token).await.unwrap();
    let sign_in = SignIn {
        id: "s".to_owned(),
        person: "ana".to_owned(),
        data: vec![0, 255],
        expires_at: At(i64::MAX),
    };
    database.save_sign_in(sign_in).await.unwrap();
    let view = SavedView {
        slug: "mine".to_owned(),
        name: "Mine".to_owned(),
        list: "parked".to_owned(),
        address: "/parked?why=lock_stuck".to_owned(),
        owner: "ana".to_owned(),
        is_shared: false,
        created_at: At(8),
    };
    assert!(database.save_view(view).await.unwrap());
    operations(database).await;
}

/// A planned operation with one item, and an entry of the log.
async fn operations(database: &Database) {
    let operation = Operation {
        id: OperationId(9),
        version: 1,
        request_id: "plan 1".to_owned(),
        verb: OperationVerb::Reprocess,
        state: OperationState::Planned,
        by: "ana".to_owned(),
        reason: None,
        pace: Pace {
            per_minute: 60,
            first: 5,
            halt_percent: 20,
        },
        planned_at: At(5),
        started_at: None,
        ended_at: None,
        counts: BTreeMap::new(),
    };
    let item = Item {
        place: 0,
        reply: ReplyId(7),
        generation: 2,
        session: SessionId(3),
        channel: "shop".to_owned(),
        state: ItemState::Skipped,
        code: Some("stale".to_owned()),
        at: At(6),
    };
    database.plan(operation, vec![item]).await.unwrap();
    let activity = Activity {
        at: At(5),
        by: "ana".to_owned(),
        role: "owner".to_owned(),
        verb: "plan".to_owned(),
        object: String::new(),
        before: None,
        after: Some("1 reply".to_owned()),
        reason: None,
        request_id: Some("plan 1".to_owned()),
        result: ActivityResult::Done,
    };
    for _ in 0..3 {
        database.record(activity.clone()).await.unwrap();
    }
}

/// Calls of every state, one of them running when it all ends, and what the built-in tools keep.
async fn tools(database: &Database) {
    let tool = Tool::new("pay", Effect::Write, Choice::named("email.send"));
    let version = SettingsVersion {
        version: 1,
        settings: tool.clone(),
        by: "ana".to_owned(),
        at: At(3),
        reason: None,
        request_id: None,
    };
    database.save(version).await.unwrap();
    let moment = |ms| Moment::at(At(ms));
    for number in 0..4_u128 {
        let call = call(&tool, number);
        let (action, print) = (call.action, call.fingerprint);
        database.reserve(call.clone(), &moment(10)).await.unwrap();
        let settlement = match number {
            0 => Settlement::Done {
                result: json!({ "text": "a\0b", "amount": 0.1 }),
            },
            1 => Settlement::Failed {
                code: "refused".to_owned(),
            },
            2 => Settlement::Unknown {
                code: "timeout".to_owned(),
            },
            _ => continue,
        };
        Ledger::settle(database, action, settlement, &moment(20))
            .await
            .unwrap();
        let by = By {
            name: "eva\0".to_owned(),
            reason: Some("asked for".to_owned()),
            request_id: format!("pass {number}"),
        };
        let pass = NewPass {
            fingerprint: print,
            at: At(30),
            until: At(90),
            by,
        };
        database.allow_once(pass).await.unwrap();
        let duplicate = NewDuplicate {
            id: DuplicateId(50 + number),
            first: action,
            fingerprint: print,
            avoided: Avoided::Repeated,
            tool: call.tool,
            whom: call.whom,
            turn: None,
            arguments: call.arguments,
            comparison: call.comparison,
            age_ms: 20,
            note: "done before".to_owned(),
            at: At(40),
        };
        database.avoid(duplicate).await.unwrap();
    }
    let verdict = Verdict {
        opinion: Opinion::Right,
        comment: None,
        by: "eva".to_owned(),
        at: At(60),
    };
    database
        .judge(DuplicateId(50), None, verdict)
        .await
        .unwrap();
    let whom = direct("busy");
    let event = CalendarEvent {
        id: ActionId(1),
        whom: whom.clone(),
        title: "Psicolog\0ía".to_owned(),
        start: At(100),
        end: Some(At(200)),
        guests: vec!["Paula".to_owned()],
        created_at: At(5),
        cancelled_at: None,
    };
    database.add_event(event).await.unwrap();
    let mail = Mail {
        id: ActionId(2),
        whom,
        to: vec!["ana@example.org".to_owned()],
        subject: "Factura".to_owned(),
        body: "Son 100".to_owned(),
        sent_at: At(6),
    };
    database.send_mail(mail).await.unwrap();
}

fn call(tool: &Tool, number: u128) -> NewCall {
    let (arguments, whom) = (json!({ "order": number.to_string() }), direct("busy"));
    let comparison = tool.recipe.compare(&tool.name, &arguments);
    NewCall {
        action: ActionId(10 + number),
        fingerprint: Fingerprint::of(&tool.name, &comparison, tool.scope, &whom),
        tool: tool.name.clone(),
        whom,
        turn: None,
        arguments,
        comparison,
        guarding: tool.guarding(),
        runner: Runner::Engine,
    }
}

/// A store with everything that moves.
trait Whole:
    Store
    + Views
    + SettingsStore
    + SettingsStore<Tool>
    + Accounts
    + Ledger
    + Calendar
    + Mailbox
    + Operations
    + ActivityLog
{
}

impl<S> Whole for S where
    S: Store
        + Views
        + SettingsStore
        + SettingsStore<Tool>
        + Accounts
        + Ledger
        + Calendar
        + Mailbox
        + Operations
        + ActivityLog
{
}

async fn seen_of_tools(store: &impl Whole) -> Vec<String> {
    let calls = CallQuery {
        limit: MANY,
        ..CallQuery::default()
    };
    let duplicates = DuplicateQuery {
        limit: MANY,
        ..DuplicateQuery::default()
    };
    let events = EventQuery {
        limit: MANY,
        ..EventQuery::default()
    };
    let mails = MailQuery {
        limit: MANY,
        ..MailQuery::default()
    };
    let calls = store.calls(&calls).await.unwrap();
    assert_eq!(calls.len(), 4);
    vec![
        format!("{:?}", SettingsStore::<Tool>::all(store).await.unwrap()),
        format!("{calls:?}"),
        format!("{:?}", store.duplicates(&duplicates).await.unwrap()),
        format!("{:?}", Calendar::events(store, &events).await.unwrap()),
        format!("{:?}", store.mails(&mails).await.unwrap()),
    ]
}

/// Everything that anybody can see of a store, as labelled texts.
async fn seen(store: &impl Whole, keys: &[SessionKey]) -> Vec<String> {
    let mut seen = Vec::new();
    for key in keys {
        let id = key.session();
        let around = store.neighbours(key.conversation_id(), id).await.unwrap();
        let history = store.history(id, &[], MANY).await.unwrap();
        let lines = store.conversation(id, None, MANY).await.unwrap();
        seen.push(format!("{key:?} {:?}", store.load(id).await.unwrap()));
        seen.push(format!(
            "{key:?} {:?}",
            Store::events(store, id, 0, MANY).await.unwrap()
        ));
        seen.push(format!("{key:?} {around:?} {history:?} {lines:?}"));
        seen.push(format!(
            "{key:?} {:?}",
            store.session_summaries(&[id]).await.unwrap()
        ));
    }
    let replies = ReplyQuery {
        limit: MANY,
        ..ReplyQuery::default()
    };
    let mut counts = store.open_counts().await.unwrap();
    counts.sort_unstable();
    seen.push(format!(
        "{counts:?} {:?}",
        store.reply_list(&replies).await.unwrap()
    ));
    seen.push(format!(
        "{:?}",
        store.scheduled(At(i64::MAX), None, MANY).await.unwrap()
    ));
    for number in 0..12 {
        seen.push(format!(
            "{:?}",
            store.action(&format!("request {number}")).await.unwrap()
        ));
    }
    seen.push(format!(
        "{:?}",
        SettingsStore::<ChannelSettings>::versions(store, "shop", None, MANY)
            .await
            .unwrap()
    ));
    seen.push(format!(
        "{:?} {:?}",
        store.users().await.unwrap(),
        store.token("aa", At(1)).await.unwrap()
    ));
    seen.push(format!("{:?}", store.sign_in("s", At(1)).await.unwrap()));
    seen.extend(seen_of_tools(store).await);
    let planned = store.operations(None, MANY).await.unwrap();
    let items = store.items(OperationId(9), None, None, MANY).await.unwrap();
    seen.push(format!("{planned:?} {items:?}"));
    let log = ActivityQuery {
        limit: MANY,
        ..ActivityQuery::default()
    };
    seen.push(format!("{:?}", store.entries(&log).await.unwrap()));
    seen
}

#[tokio::test]
async fn everything_moves_and_goes_on() {
    let target = Target::new("moves");
    let Some(postgres) = target.open().await else {
        return;
    };
    let dir = TempDir::new().unwrap();
    let database = Database::open(dir.path()).await.unwrap();
    let keys = storm(&database).await;
    people_and_settings(&database).await;
    tools(&database).await;
    let installation = database.installation();
    database.close().await;

    let done = target.migrate(dir.path());
    let told = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(
        done.status.success(),
        "{told}{}",
        String::from_utf8_lossy(&done.stderr)
    );
    assert!(told.contains(" 12 sessions"), "{told}");
    assert!(told.contains("1 sessions were busy"), "{told}");

    // The file is set aside as it was moved; put back elsewhere it tells what there was.
    assert!(!dir.path().join("replygate.db").exists());
    let old = TempDir::new().unwrap();
    std::fs::copy(
        dir.path().join("replygate.db.moved"),
        old.path().join("replygate.db"),
    )
    .unwrap();
    let database = Database::open(old.path()).await.unwrap();
    let (before, after) = (seen(&database, &keys).await, seen(&postgres, &keys).await);
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(before, after);
    }
    assert_eq!(before.len(), after.len());
    // A call that ran when it all ended is unknown.
    let ran = postgres.call(ActionId(13)).await.unwrap().unwrap();
    assert_eq!(ran.entry.state, CallState::Unknown);

    let busy = postgres
        .load(direct("busy").session())
        .await
        .unwrap()
        .unwrap();
    assert_eq!(busy.session.replies[0].status, ReplyStatus::Unknown);
    let again = target.open().await.unwrap();
    assert_eq!(again.installation(), installation);
    goes_on(&again, &keys[3]).await;
    again.close().await;
    postgres.close().await;
    target.end().await;
}

/// A message of before is known, and a new exchange comes behind everything that was there.
async fn goes_on(postgres: &Postgres, key: &SessionKey) {
    let mut stage = Stage::new(Arc::new(postgres.clone()));
    stage.now = At(2_000_000_000_000);
    let known = postgres
        .conversation(key.session(), None, MANY)
        .await
        .unwrap();
    let provider_id = known.iter().find_map(|line| match line {
        replygate_ports::views::Line::Message(message) => Some(message.provider_id.clone()),
        replygate_ports::views::Line::Reply(_) => None,
    });
    let again = stage.message_under(key, &provider_id.unwrap(), None, "again");
    let refused = stage.try_receive(key, again).await;
    assert!(
        matches!(refused, Err(AppendError::Duplicate { .. })),
        "{refused:?}"
    );
    let log = ActivityQuery {
        limit: 1,
        ..ActivityQuery::default()
    };
    let last = postgres.entries(&log).await.unwrap().remove(0);
    let next = postgres.record(last.activity).await.unwrap();
    assert_eq!(next, last.place + 1);
    let message = stage.arrive(key, "and now?").await;
    let history = postgres.history(key.session(), &[], 1).await.unwrap();
    let is_newest = matches!(&history[..], [replygate_ports::store::HistoryEntry::Customer { message: newest, .. }] if *newest == message);
    assert!(is_newest, "{history:?}");
}

#[tokio::test]
async fn a_place_that_holds_something_already_is_refused() {
    let target = Target::new("full");
    let Some(postgres) = target.open().await else {
        return;
    };
    let mut stage = Stage::new(Arc::new(postgres.clone()));
    stage.arrive(&direct("ana"), "hello").await;
    let dir = TempDir::new().unwrap();
    Database::open(dir.path()).await.unwrap().close().await;

    let refused = target.migrate(dir.path());
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        !refused.status.success() && told.contains("holds sessions already"),
        "{told}"
    );
    assert!(dir.path().join("replygate.db").exists());
    assert_eq!(stage.load(&direct("ana")).await.version, 1);
    postgres.close().await;
    target.end().await;
}

#[tokio::test]
async fn a_data_directory_in_use_is_refused_and_one_without_data_too() {
    let target = Target::new("busy");
    let Some(postgres) = target.open().await else {
        return;
    };
    let dir = TempDir::new().unwrap();
    let empty = target.migrate(dir.path());
    let told = String::from_utf8_lossy(&empty.stderr).into_owned();
    assert!(
        !empty.status.success() && told.contains("holds no replygate.db"),
        "{told}"
    );

    let database = Database::open(dir.path()).await.unwrap();
    let refused = target.migrate(dir.path());
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        !refused.status.success() && told.contains("another replygate is using"),
        "{told}"
    );
    database.close().await;
    postgres.close().await;
    target.end().await;
}
