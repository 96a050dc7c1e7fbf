-- Tools: their settings, the ledger of calls with an effect, and what the built-in tools keep.

CREATE TABLE tool_settings (
    tool text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    settings text COLLATE "C" NOT NULL,
    by text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    reason text COLLATE "C",
    request_id text COLLATE "C",
    PRIMARY KEY (tool, version)
);
CREATE UNIQUE INDEX tool_settings_request ON tool_settings (tool, request_id) WHERE request_id IS NOT NULL;

CREATE TABLE tool_call (
    id uuid PRIMARY KEY,
    fingerprint uuid NOT NULL,
    -- Whether it stands for its fingerprint: neither failed nor replaced.
    live boolean NOT NULL,
    -- Whether nobody knows its outcome yet: it runs, or is unknown.
    open boolean NOT NULL,
    origin uuid NOT NULL,
    tool text COLLATE "C" NOT NULL,
    session uuid NOT NULL,
    channel text COLLATE "C" NOT NULL,
    account text COLLATE "C" NOT NULL,
    conversation text COLLATE "C" NOT NULL,
    contact text COLLATE "C" NOT NULL,
    turn uuid,
    runner text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL,
    reserved_at bigint NOT NULL,
    settled_at bigint,
    -- From this instant it stands for nothing any more; NULL while its outcome is not known.
    over_at bigint,
    window_ms bigint NOT NULL,
    lease_ms bigint NOT NULL,
    on_unknown text COLLATE "C" NOT NULL,
    replaced_by uuid,
    arguments text COLLATE "C" NOT NULL,
    comparison text COLLATE "C" NOT NULL,
    result text COLLATE "C",
    code text COLLATE "C",
    settled_by text COLLATE "C",
    reason text COLLATE "C",
    request_id text COLLATE "C"
);
CREATE UNIQUE INDEX tool_call_live ON tool_call (fingerprint) WHERE live;
CREATE INDEX tool_call_open ON tool_call (reserved_at, id) WHERE open;
CREATE INDEX tool_call_age ON tool_call (reserved_at, id);
CREATE INDEX tool_call_over ON tool_call (over_at) WHERE over_at IS NOT NULL;
CREATE INDEX tool_call_session ON tool_call (session, reserved_at, id);
CREATE INDEX tool_call_contact ON tool_call (contact);

CREATE TABLE tool_duplicate (
    id uuid PRIMARY KEY,
    first uuid NOT NULL,
    fingerprint uuid NOT NULL,
    avoided text COLLATE "C" NOT NULL,
    tool text COLLATE "C" NOT NULL,
    session uuid NOT NULL,
    channel text COLLATE "C" NOT NULL,
    account text COLLATE "C" NOT NULL,
    conversation text COLLATE "C" NOT NULL,
    contact text COLLATE "C" NOT NULL,
    turn uuid,
    arguments text COLLATE "C" NOT NULL,
    comparison text COLLATE "C" NOT NULL,
    age_ms bigint NOT NULL,
    note text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    said uuid,
    opinion text COLLATE "C",
    comment text COLLATE "C",
    judged_by text COLLATE "C",
    judged_at bigint
);
CREATE INDEX tool_duplicate_age ON tool_duplicate (at, id);
CREATE INDEX tool_duplicate_open ON tool_duplicate (at, id) WHERE opinion IS NULL;
CREATE INDEX tool_duplicate_session ON tool_duplicate (session, at, id);
CREATE INDEX tool_duplicate_first ON tool_duplicate (first);
CREATE INDEX tool_duplicate_turn ON tool_duplicate (turn) WHERE turn IS NOT NULL;
CREATE INDEX tool_duplicate_contact ON tool_duplicate (contact);

CREATE TABLE tool_pass (
    request_id text COLLATE "C" PRIMARY KEY,
    fingerprint uuid NOT NULL,
    at bigint NOT NULL,
    until bigint NOT NULL,
    by text COLLATE "C" NOT NULL,
    reason text COLLATE "C",
    used_by uuid
);
CREATE INDEX tool_pass_print ON tool_pass (fingerprint);
CREATE INDEX tool_pass_end ON tool_pass (until);

CREATE TABLE calendar_event (
    id uuid PRIMARY KEY,
    channel text COLLATE "C" NOT NULL,
    account text COLLATE "C" NOT NULL,
    conversation text COLLATE "C" NOT NULL,
    contact text COLLATE "C" NOT NULL,
    title text COLLATE "C" NOT NULL,
    starts_at bigint NOT NULL,
    ends_at bigint,
    -- A JSON array of texts.
    guests text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    cancelled_at bigint
);
CREATE INDEX calendar_event_start ON calendar_event (starts_at, id);
CREATE INDEX calendar_event_contact ON calendar_event (contact, starts_at, id);

CREATE TABLE mail (
    id uuid PRIMARY KEY,
    channel text COLLATE "C" NOT NULL,
    account text COLLATE "C" NOT NULL,
    conversation text COLLATE "C" NOT NULL,
    contact text COLLATE "C" NOT NULL,
    -- A JSON array of addresses.
    recipients text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL,
    body text COLLATE "C" NOT NULL,
    sent_at bigint NOT NULL
);
CREATE INDEX mail_sent ON mail (sent_at, id);
CREATE INDEX mail_contact ON mail (contact, sent_at, id);
