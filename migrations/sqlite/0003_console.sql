-- What operators do: runs over many replies, and the log of every deed.

CREATE TABLE operation (
    id BLOB NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL,
    request_id TEXT NOT NULL UNIQUE,
    verb TEXT NOT NULL,
    state TEXT NOT NULL,
    by TEXT NOT NULL,
    reason TEXT,
    per_minute INTEGER NOT NULL,
    first INTEGER NOT NULL,
    halt_percent INTEGER NOT NULL,
    planned_at INTEGER NOT NULL,
    started_at INTEGER,
    ended_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX operation_planned ON operation (planned_at, id);
CREATE INDEX operation_active ON operation (started_at, id) WHERE state IN ('running', 'waiting');

CREATE TABLE operation_item (
    operation BLOB NOT NULL,
    place INTEGER NOT NULL,
    reply BLOB NOT NULL,
    generation INTEGER NOT NULL,
    session BLOB NOT NULL,
    channel TEXT NOT NULL,
    state TEXT NOT NULL,
    code TEXT,
    at INTEGER NOT NULL,
    PRIMARY KEY (operation, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX operation_item_state ON operation_item (operation, state, place);

CREATE TABLE activity (
    place INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    by TEXT NOT NULL,
    role TEXT NOT NULL,
    verb TEXT NOT NULL,
    object TEXT NOT NULL,
    before TEXT,
    after TEXT,
    reason TEXT,
    request_id TEXT,
    result TEXT NOT NULL
) STRICT;
CREATE INDEX activity_by ON activity (by, place);
CREATE INDEX activity_verb ON activity (verb, place);
CREATE INDEX activity_object ON activity (object, place);
