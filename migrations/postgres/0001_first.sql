-- The first schema. Times are milliseconds since the Unix epoch. Identifiers are 128-bit numbers in uuid columns, which
-- compare like the numbers. Everything that belongs to a session names it by its identifier, so that the tables can be
-- spread over several databases by it.
--
-- A text may hold any Unicode, NUL included, which PostgreSQL's text cannot: NUL is stored as U+001A and the digit 0,
-- U+001A itself as twice U+001A. Everything else is stored as it is.

CREATE TABLE meta (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    -- How many migrations the schema has. A process that knows fewer refuses to start.
    schema integer NOT NULL,
    installation uuid NOT NULL DEFAULT gen_random_uuid(),
    -- Written by readiness checks: proof that the database can be written.
    pinged bigint NOT NULL DEFAULT 0
);

-- The order of arrival: messages, replies and ends of histories draw from it.
CREATE SEQUENCE entry AS bigint;

-- Every step changes its session's row. No column that changes is indexed, and each page has room for the next version of
-- its rows: a change stays on its page, touches no index, and the next one cleans up after it.
CREATE TABLE session (
    id uuid PRIMARY KEY,
    -- Another number each time the session is made: after an erasure it begins again at version 1, and what a process
    -- remembers of its earlier life must not fit.
    life bigint NOT NULL,
    conversation_id uuid NOT NULL,
    channel text COLLATE "C" NOT NULL,
    account text COLLATE "C" NOT NULL,
    conversation text COLLATE "C" NOT NULL,
    contact text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    version bigint NOT NULL,
    -- Whether anything is open, so that retention keeps the session whole.
    open boolean NOT NULL,
    -- The last sequence number it gave, and the lowest that is undelivered: what neighbours in a group ask for.
    last_seq bigint NOT NULL,
    first_open bigint,
    -- Entries up to this one are no history any more.
    history_from bigint NOT NULL DEFAULT 0,
    state text COLLATE "C" NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
CREATE INDEX session_group ON session (conversation_id) WHERE conversation <> contact;
CREATE INDEX session_contact ON session USING hash (contact);

-- When a session needs attention, and when something last happened: what changes with every step and is indexed, in rows
-- as narrow as they can be.
CREATE TABLE agenda (
    session uuid PRIMARY KEY,
    channel text COLLATE "C" NOT NULL,
    next_at bigint,
    last_activity bigint NOT NULL,
    open boolean NOT NULL
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
CREATE INDEX agenda_next ON agenda (next_at, session) WHERE next_at IS NOT NULL;
CREATE INDEX agenda_activity ON agenda (channel, last_activity, session);
CREATE INDEX agenda_open ON agenda (channel, last_activity, session) WHERE open;

-- Only ever added to, and removed from its old end: a block range index finds that end and costs nothing to keep.
CREATE TABLE step (
    session uuid NOT NULL,
    version bigint NOT NULL,
    at bigint NOT NULL,
    actor text COLLATE "C" NOT NULL,
    events text COLLATE "C" NOT NULL,
    PRIMARY KEY (session, version)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.1);
CREATE INDEX step_age ON step USING brin (at) WITH (pages_per_range = 32, autosummarize = on);

CREATE TABLE message (
    id uuid PRIMARY KEY,
    entry bigint NOT NULL,
    session uuid NOT NULL,
    -- The session in a direct chat, the conversation in a group: whose history it is.
    place uuid NOT NULL,
    channel text COLLATE "C" NOT NULL,
    provider_id text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    sent_at bigint,
    received_at bigint NOT NULL,
    -- When it was written: `sent_at`, else `received_at`.
    at bigint NOT NULL,
    state text COLLATE "C" NOT NULL,
    covered_by uuid,
    drop_reason text COLLATE "C",
    edit_of uuid,
    text text COLLATE "C" NOT NULL
) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
CREATE INDEX message_session ON message (session, received_at, id);
CREATE INDEX message_place ON message (place, at, entry);
CREATE INDEX message_channel ON message (channel, received_at, id);
CREATE INDEX message_text_age ON message (received_at) WHERE text <> '';

-- Keys are the first 128 bits of SHA-256 over the key's length-prefixed fields.
CREATE TABLE dedupe (
    key uuid PRIMARY KEY,
    message uuid NOT NULL,
    session uuid NOT NULL,
    at bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.1);
CREATE INDEX dedupe_age ON dedupe USING brin (at) WITH (pages_per_range = 32, autosummarize = on);

CREATE TABLE reply (
    id uuid PRIMARY KEY,
    entry bigint NOT NULL,
    session uuid NOT NULL,
    -- Only in a group: in a direct chat the session's version already keeps its numbers apart.
    conversation_id uuid,
    channel text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    status text COLLATE "C" NOT NULL,
    author text COLLATE "C" NOT NULL,
    effects boolean NOT NULL,
    created_at bigint NOT NULL,
    due_at bigint NOT NULL,
    changed_at bigint NOT NULL,
    generation bigint NOT NULL,
    attempts bigint NOT NULL,
    park_reason text COLLATE "C",
    code text COLLATE "C",
    superseded_by uuid,
    receipt text COLLATE "C",
    cut boolean NOT NULL,
    -- What a model was asked for it, in tokens; what it read from its provider's cache is part of the input.
    input_tokens bigint NOT NULL,
    cached_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    -- Whether a part of the counts is our own estimate.
    tokens_estimated boolean NOT NULL,
    -- Identifiers of messages, 16 bytes each.
    covers bytea NOT NULL,
    -- A JSON array of texts.
    parts text COLLATE "C" NOT NULL
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
CREATE INDEX reply_session ON reply (session, created_at, id);
CREATE UNIQUE INDEX reply_order ON reply (conversation_id, seq) WHERE conversation_id IS NOT NULL;
CREATE INDEX reply_place ON reply (conversation_id, created_at, entry) WHERE conversation_id IS NOT NULL;
CREATE INDEX reply_status ON reply (channel, status, changed_at, id);
CREATE INDEX reply_text_age ON reply (created_at) WHERE parts <> '[]';

CREATE TABLE action (
    request_id text COLLATE "C" PRIMARY KEY,
    session uuid NOT NULL,
    at bigint NOT NULL,
    by text COLLATE "C" NOT NULL,
    verb text COLLATE "C" NOT NULL,
    reply uuid,
    reason text COLLATE "C"
);
CREATE INDEX action_session ON action (session);

CREATE TABLE settings (
    channel text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    settings text COLLATE "C" NOT NULL,
    by text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    reason text COLLATE "C",
    request_id text COLLATE "C",
    PRIMARY KEY (channel, version)
);
CREATE UNIQUE INDEX settings_request ON settings (channel, request_id) WHERE request_id IS NOT NULL;

-- Who may use the console. Names are compared case-folded.
CREATE TABLE account (
    folded text COLLATE "C" PRIMARY KEY,
    name text COLLATE "C" NOT NULL,
    role text COLLATE "C" NOT NULL,
    password text COLLATE "C",
    created_at bigint NOT NULL
);

CREATE TABLE token (
    hash text COLLATE "C" PRIMARY KEY,
    scope text COLLATE "C" NOT NULL,
    subject text COLLATE "C" NOT NULL,
    expires_at bigint
);

CREATE TABLE sign_in (
    id text COLLATE "C" PRIMARY KEY,
    data bytea NOT NULL,
    expires_at bigint NOT NULL
);

INSERT INTO meta (schema) VALUES (0);
