-- The first schema. Times are milliseconds since the Unix epoch, identifiers 16 bytes that sort by time where the
-- identifier does. Rows carry small numbers (`n`) in the order of their making, so that what is active together lies
-- together on disk and a commit of many sessions touches few pages.

CREATE TABLE meta (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    installation BLOB NOT NULL,
    -- Written by readiness checks: proof that the file can still be written.
    pinged INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE session (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    conversation_id BLOB NOT NULL,
    channel TEXT NOT NULL,
    account TEXT NOT NULL,
    conversation TEXT NOT NULL,
    contact TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    version INTEGER NOT NULL,
    last_activity INTEGER NOT NULL,
    next_at INTEGER,
    -- Whether anything is open, so that retention keeps the session whole.
    open INTEGER NOT NULL,
    -- The last sequence number it gave, and the lowest that is undelivered: what neighbours in a group ask for.
    last_seq INTEGER NOT NULL,
    first_open INTEGER,
    -- Messages and replies with this number or a lower one are no history any more.
    history_from INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL
) STRICT;
CREATE INDEX session_next ON session (next_at, id) WHERE next_at IS NOT NULL;
CREATE INDEX session_activity ON session (channel, last_activity, id);
CREATE INDEX session_open ON session (channel, last_activity, id) WHERE open = 1;
CREATE INDEX session_conversation ON session (conversation_id);

CREATE TABLE step (
    n INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    version INTEGER NOT NULL,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    events TEXT NOT NULL,
    UNIQUE (session, version)
) STRICT;

-- Messages and replies share one sequence of numbers: the order of arrival.
CREATE TABLE message (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    session INTEGER NOT NULL,
    -- The session's number in a direct chat, the conversation's identifier in a group: whose history it is.
    place ANY NOT NULL,
    channel TEXT NOT NULL,
    provider_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    sent_at INTEGER,
    received_at INTEGER NOT NULL,
    -- When it was written: `sent_at`, else `received_at`.
    at INTEGER NOT NULL,
    state TEXT NOT NULL,
    covered_by BLOB,
    drop_reason TEXT,
    edit_of BLOB,
    text TEXT NOT NULL
) STRICT;
CREATE INDEX message_session ON message (session, received_at, id);
CREATE INDEX message_place ON message (place, at, n);
CREATE INDEX message_channel ON message (channel, received_at, id);
CREATE INDEX message_text_age ON message (received_at) WHERE text <> '';

-- Keys are the first 16 bytes of SHA-256 over the key's length-prefixed fields.
CREATE TABLE dedupe (
    key BLOB NOT NULL PRIMARY KEY,
    message BLOB NOT NULL,
    session INTEGER NOT NULL,
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX dedupe_age ON dedupe (at);

CREATE TABLE reply (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    session INTEGER NOT NULL,
    -- Only in a group: in a direct chat the session's version already keeps its numbers apart.
    conversation_id BLOB,
    channel TEXT NOT NULL,
    seq INTEGER NOT NULL,
    status TEXT NOT NULL,
    author TEXT NOT NULL,
    effects INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    park_reason TEXT,
    code TEXT,
    superseded_by BLOB,
    receipt TEXT,
    cut INTEGER NOT NULL,
    -- Identifiers of messages, 16 bytes each.
    covers BLOB NOT NULL,
    -- A JSON array of texts.
    parts TEXT NOT NULL
) STRICT;
CREATE INDEX reply_session ON reply (session, created_at, id);
CREATE UNIQUE INDEX reply_order ON reply (conversation_id, seq) WHERE conversation_id IS NOT NULL;
CREATE INDEX reply_place ON reply (conversation_id, created_at, n) WHERE conversation_id IS NOT NULL;
CREATE INDEX reply_status ON reply (channel, status, changed_at, id);
CREATE INDEX reply_text_age ON reply (created_at) WHERE parts <> '[]';

CREATE TABLE action (
    request_id TEXT NOT NULL PRIMARY KEY,
    session INTEGER NOT NULL,
    session_id BLOB NOT NULL,
    at INTEGER NOT NULL,
    by TEXT NOT NULL,
    verb TEXT NOT NULL,
    reply BLOB,
    reason TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX action_session ON action (session);

CREATE TABLE settings (
    channel TEXT NOT NULL,
    version INTEGER NOT NULL,
    settings TEXT NOT NULL,
    by TEXT NOT NULL,
    at INTEGER NOT NULL,
    reason TEXT,
    request_id TEXT,
    PRIMARY KEY (channel, version)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX settings_request ON settings (channel, request_id) WHERE request_id IS NOT NULL;

-- Names are compared case-folded.
CREATE TABLE user (
    folded TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    password TEXT,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE token (
    hash TEXT NOT NULL PRIMARY KEY,
    scope TEXT NOT NULL,
    subject TEXT NOT NULL,
    expires_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE sign_in (
    id TEXT NOT NULL PRIMARY KEY,
    data BLOB NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
