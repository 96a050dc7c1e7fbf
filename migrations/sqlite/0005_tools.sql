-- Tools: their settings, the ledger of calls with an effect, and what the built-in tools keep.

CREATE TABLE tool_settings (
    tool TEXT NOT NULL,
    version INTEGER NOT NULL,
    settings TEXT NOT NULL,
    by TEXT NOT NULL,
    at INTEGER NOT NULL,
    reason TEXT,
    request_id TEXT,
    PRIMARY KEY (tool, version)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX tool_settings_request ON tool_settings (tool, request_id) WHERE request_id IS NOT NULL;

CREATE TABLE tool_call (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    fingerprint BLOB NOT NULL,
    -- Whether it stands for its fingerprint: neither failed nor replaced.
    live INTEGER NOT NULL,
    -- Whether nobody knows its outcome yet: it runs, or is unknown.
    open INTEGER NOT NULL,
    origin BLOB NOT NULL,
    tool TEXT NOT NULL,
    session BLOB NOT NULL,
    channel TEXT NOT NULL,
    account TEXT NOT NULL,
    conversation TEXT NOT NULL,
    contact TEXT NOT NULL,
    turn BLOB,
    runner TEXT NOT NULL,
    state TEXT NOT NULL,
    reserved_at INTEGER NOT NULL,
    settled_at INTEGER,
    -- From this instant it stands for nothing any more; NULL while its outcome is not known.
    over_at INTEGER,
    window_ms INTEGER NOT NULL,
    lease_ms INTEGER NOT NULL,
    on_unknown TEXT NOT NULL,
    replaced_by BLOB,
    arguments TEXT NOT NULL,
    comparison TEXT NOT NULL,
    result TEXT,
    code TEXT,
    settled_by TEXT,
    reason TEXT,
    request_id TEXT
) STRICT;
CREATE UNIQUE INDEX tool_call_live ON tool_call (fingerprint) WHERE live = 1;
CREATE INDEX tool_call_open ON tool_call (reserved_at, id) WHERE open = 1;
CREATE INDEX tool_call_age ON tool_call (reserved_at, id);
CREATE INDEX tool_call_over ON tool_call (over_at) WHERE over_at IS NOT NULL;
CREATE INDEX tool_call_session ON tool_call (session, reserved_at, id);
CREATE INDEX tool_call_contact ON tool_call (contact);

CREATE TABLE tool_duplicate (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    first BLOB NOT NULL,
    fingerprint BLOB NOT NULL,
    avoided TEXT NOT NULL,
    tool TEXT NOT NULL,
    session BLOB NOT NULL,
    channel TEXT NOT NULL,
    account TEXT NOT NULL,
    conversation TEXT NOT NULL,
    contact TEXT NOT NULL,
    turn BLOB,
    arguments TEXT NOT NULL,
    comparison TEXT NOT NULL,
    age_ms INTEGER NOT NULL,
    note TEXT NOT NULL,
    at INTEGER NOT NULL,
    said BLOB,
    opinion TEXT,
    comment TEXT,
    judged_by TEXT,
    judged_at INTEGER
) STRICT;
CREATE INDEX tool_duplicate_age ON tool_duplicate (at, id);
CREATE INDEX tool_duplicate_open ON tool_duplicate (at, id) WHERE opinion IS NULL;
CREATE INDEX tool_duplicate_session ON tool_duplicate (session, at, id);
CREATE INDEX tool_duplicate_first ON tool_duplicate (first);
CREATE INDEX tool_duplicate_turn ON tool_duplicate (turn) WHERE turn IS NOT NULL;
CREATE INDEX tool_duplicate_contact ON tool_duplicate (contact);

CREATE TABLE tool_pass (
    request_id TEXT NOT NULL PRIMARY KEY,
    fingerprint BLOB NOT NULL,
    at INTEGER NOT NULL,
    until INTEGER NOT NULL,
    by TEXT NOT NULL,
    reason TEXT,
    used_by BLOB
) STRICT, WITHOUT ROWID;
CREATE INDEX tool_pass_free ON tool_pass (fingerprint) WHERE used_by IS NULL;
CREATE INDEX tool_pass_end ON tool_pass (until);

CREATE TABLE calendar_event (
    id BLOB NOT NULL PRIMARY KEY,
    channel TEXT NOT NULL,
    account TEXT NOT NULL,
    conversation TEXT NOT NULL,
    contact TEXT NOT NULL,
    title TEXT NOT NULL,
    start INTEGER NOT NULL,
    end INTEGER,
    -- A JSON array of texts.
    guests TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    cancelled_at INTEGER
) STRICT;
CREATE INDEX calendar_event_start ON calendar_event (start, id);
CREATE INDEX calendar_event_contact ON calendar_event (contact, start, id);

CREATE TABLE mail (
    id BLOB NOT NULL PRIMARY KEY,
    channel TEXT NOT NULL,
    account TEXT NOT NULL,
    conversation TEXT NOT NULL,
    contact TEXT NOT NULL,
    -- A JSON array of addresses.
    recipients TEXT NOT NULL,
    subject TEXT NOT NULL,
    body TEXT NOT NULL,
    sent_at INTEGER NOT NULL
) STRICT;
CREATE INDEX mail_sent ON mail (sent_at, id);
CREATE INDEX mail_contact ON mail (contact, sent_at, id);
