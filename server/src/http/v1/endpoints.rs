//! Everything under `/v1`, each path with its handlers and what the document says of them.

use replygate_gate::ReplyStatus;
use serde_json::{Value, json};

use super::openapi::{Endpoint, Operation, Scope, failures, list_of, one_of, query, reference};
use super::{actions, deeds, forget, lists, lock};

pub(super) fn all() -> Vec<Endpoint> {
    let mut all = sessions();
    all.extend(replies());
    all.extend(actions());
    all.push(forgetting());
    all
}

fn operate(path: &'static str) -> Endpoint {
    Endpoint::new(path, Scope::Operate)
}

fn page() -> [Value; 2] {
    [
        query(
            "limit",
            "At most so many rows.",
            json!({ "type": "integer", "minimum": 1, "maximum": 200, "default": 50 }),
        ),
        query(
            "after",
            "The `next` of an earlier page.",
            json!({ "type": "string" }),
        ),
    ]
}

fn by_channel() -> Value {
    query(
        "channel",
        "Only on this channel.",
        json!({ "type": "string" }),
    )
}

fn sessions() -> Vec<Endpoint> {
    let list = Operation::new(
        "listSessions",
        "sessions",
        "Sessions, the last active first.",
    )
    .with([
        by_channel(),
        query(
            "contact",
            "Only of this person.",
            json!({ "type": "string" }),
        ),
        query(
            "open",
            "Only with something open.",
            json!({ "type": "boolean", "default": false }),
        ),
    ])
    .with(page())
    .answers(200, "A page of sessions.", list_of("sessions", "Session"))
    .fails(failures(&[(422, "A parameter is not allowed.")]));
    let one = Operation::new(
        "getSession",
        "sessions",
        "One session with its last messages and replies.",
    )
    .answers(200, "The session.", reference("Conversation"))
    .fails(failures(&[(404, "There is no such session.")]));
    let timeline = Operation::new(
        "getTimeline",
        "sessions",
        "What happened in a session, the newest first.",
    )
    .with([
        query(
            "limit",
            "At most so many steps.",
            json!({ "type": "integer", "minimum": 1, "maximum": 200, "default": 50 }),
        ),
        query(
            "before",
            "Only steps before this version.",
            json!({ "type": "integer", "minimum": 0 }),
        ),
    ])
    .answers(200, "A page of steps.", list_of("steps", "Step"))
    .fails(failures(&[
        (404, "There is no such session."),
        (422, "A parameter is not allowed."),
    ]));
    vec![
        operate("/v1/sessions").get(lists::sessions, list),
        operate("/v1/sessions/{session}").get(lists::session, one),
        operate("/v1/sessions/{session}/timeline").get(lists::timeline, timeline),
        locking(),
        operate("/v1/sessions/{session}/{deed}").post(deeds::on_session, on_session()),
    ]
}

fn locking() -> Endpoint {
    let put = Operation::new(
        "lockSession",
        "sessions",
        "Keeps replies back, or renews the lock that does.",
    )
    .reads(reference("Lock"))
    .answers(200, "The lock stands.", reference("Deed"))
    .fails(failures(&[
        (404, "There is no such session."),
        (409, "Somebody else holds the lock."),
        (422, "A value is not allowed."),
    ]));
    let delete = Operation::new(
        "unlockSession",
        "sessions",
        "Removes a lock, the holder's or anybody's.",
    )
    .with([query("holder", "Whose.", json!({ "type": "string" }))])
    .may_read(reference("Unlock"))
    .answers(200, "The lock is gone.", reference("Deed"))
    .fails(failures(&[
        (404, "There is no such session."),
        (409, "There is no such lock."),
        (422, "The body is not as it should be."),
    ]));
    operate("/v1/sessions/{session}/lock")
        .put(lock::lock, put)
        .delete(lock::unlock, delete)
}

fn on_session() -> Operation {
    let deeds = json!({
        "name": "deed", "in": "path", "required": true,
        "schema": one_of(["takeover", "handback", "say", "release-hold"]),
    });
    Operation::new(
        "actOnSession",
        "sessions",
        "A person takes over, writes, hands back, or lets held replies go.",
    )
    .with([deeds])
    .may_read(json!({ "anyOf": [reference("OnSession"), reference("Say")] }))
    .answers(
        200,
        "It was done, now or by an earlier request of that id.",
        reference("Deed"),
    )
    .fails(failures(&[
        (404, "There is no such session or deed."),
        (409, "The session is not in a state for it."),
        (422, "A value is not allowed."),
    ]))
}

fn replies() -> Vec<Endpoint> {
    let words = ReplyStatus::ALL.iter().map(|status| status.as_str());
    let words: Vec<&str> = words.collect();
    let about = format!(
        "Only with these statuses, separated by commas: {}.",
        words.join(", ")
    );
    let list = Operation::new("listReplies", "replies", "Replies, the last changed first.")
        .with([
            by_channel(),
            query("status", &about, json!({ "type": "string" })),
        ])
        .with(page())
        .answers(200, "A page of replies.", list_of("replies", "Reply"))
        .fails(failures(&[(422, "A parameter is not allowed.")]));
    let one = Operation::new("getReply", "replies", "One reply.")
        .answers(200, "The reply.", reference("Reply"))
        .fails(failures(&[(404, "There is no such reply.")]));
    let deeds = json!({
        "name": "deed", "in": "path", "required": true,
        "schema": one_of(["reprocess", "rerun", "discard", "mark-delivered"]),
    });
    let act = Operation::new(
        "actOnReply",
        "replies",
        "Sends a parked reply, has it answered anew, drops it, or says that it arrived.",
    )
    .with([deeds])
    .reads(reference("OnReply"))
    .answers(
        200,
        "It was done, now or by an earlier request of that id.",
        reference("Deed"),
    )
    .fails(failures(&[
        (404, "There is no such reply or deed."),
        (409, "The reply changed since it was seen."),
        (422, "A value is not allowed."),
    ]));
    vec![
        operate("/v1/replies").get(lists::replies, list),
        operate("/v1/replies/{reply}").get(lists::reply, one),
        operate("/v1/replies/{reply}/{deed}").post(deeds::on_reply, act),
    ]
}

fn actions() -> Vec<Endpoint> {
    let on = |path| Endpoint::new(path, Scope::Actions);
    let wait = json!({ "type": "integer", "minimum": 0, "maximum": 25, "default": 0 });
    let ask = Operation::new("askForAction", "actions", "Asks before a tool is called.")
        .with([query(
            "wait",
            "So many seconds for the same call, if that is running.",
            wait,
        )])
        .reads(reference("Wish"))
        .answers(
            200,
            "Its work was done before, may have been, or needs no leave.",
            reference("Leave"),
        )
        .answers(
            201,
            "It may run now, and must be settled before its lease is over.",
            reference("Leave"),
        )
        .fails(failures(&[
            (400, "A field is wrong."),
            (409, "The same call is running."),
            (413, "The body is too large."),
        ]));
    let one = Operation::new(
        "getAction",
        "actions",
        "One call that an agent elsewhere carries out.",
    )
    .answers(200, "The call.", reference("Action"))
    .fails(failures(&[(404, "There is no such call.")]));
    vec![
        on("/v1/actions").post(actions::ask, ask),
        on("/v1/actions/{action}").get(actions::one, one),
        on("/v1/actions/{action}/done").post(
            actions::done,
            settling("actionDone", "Its effect happened.", "Result"),
        ),
        on("/v1/actions/{action}/failed").post(
            actions::failed,
            settling(
                "actionFailed",
                "It is certain that it had no effect: the same call may be made again at once.",
                "Why",
            ),
        ),
        on("/v1/actions/{action}/unknown").post(
            actions::unknown,
            settling(
                "actionUnknown",
                "Nobody knows whether it had its effect: it is not repeated by itself.",
                "Why",
            ),
        ),
    ]
}

fn settling(id: &'static str, summary: &'static str, body: &str) -> Operation {
    Operation::new(id, "actions", summary)
        .may_read(reference(body))
        .answers(200, "It is recorded, now or before.", reference("Settled"))
        .fails(failures(&[
            (400, "A field is wrong."),
            (404, "There is no such call."),
            (
                409,
                "It was settled otherwise, or another call took its place.",
            ),
            (413, "The body is too large."),
        ]))
}

fn forgetting() -> Endpoint {
    let forget = Operation::new(
        "forgetPerson",
        "people",
        "Erases a person: messages, replies, sessions.",
    )
    .reads(reference("Whom"))
    .answers(200, "How much is gone.", reference("Gone"))
    .fails(failures(&[(422, "A value is not allowed.")]));
    operate("/v1/forget").post(forget::forget, forget)
}
