-- What operators do: runs over many replies, and the log of every deed.

CREATE TABLE operation (
    id uuid PRIMARY KEY,
    version bigint NOT NULL,
    request_id text COLLATE "C" NOT NULL UNIQUE,
    verb text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL,
    by text COLLATE "C" NOT NULL,
    reason text COLLATE "C",
    per_minute bigint NOT NULL,
    first bigint NOT NULL,
    halt_percent bigint NOT NULL,
    planned_at bigint NOT NULL,
    started_at bigint,
    ended_at bigint
);
CREATE INDEX operation_planned ON operation (planned_at, id);
CREATE INDEX operation_active ON operation (started_at, id) WHERE state IN ('running', 'waiting');

CREATE TABLE operation_item (
    operation uuid NOT NULL,
    place bigint NOT NULL,
    reply uuid NOT NULL,
    generation bigint NOT NULL,
    session uuid NOT NULL,
    channel text COLLATE "C" NOT NULL,
    state text COLLATE "C" NOT NULL,
    code text COLLATE "C",
    at bigint NOT NULL,
    PRIMARY KEY (operation, place)
);
CREATE INDEX operation_item_state ON operation_item (operation, state, place);

-- The place of the newest entry of the log: a sequence would leave gaps, and tell a later entry before an earlier one.
ALTER TABLE meta ADD COLUMN activities bigint NOT NULL DEFAULT 0;

CREATE TABLE activity (
    place bigint PRIMARY KEY,
    at bigint NOT NULL,
    by text COLLATE "C" NOT NULL,
    role text COLLATE "C" NOT NULL,
    verb text COLLATE "C" NOT NULL,
    object text COLLATE "C" NOT NULL,
    before text COLLATE "C",
    after text COLLATE "C",
    reason text COLLATE "C",
    request_id text COLLATE "C",
    result text COLLATE "C" NOT NULL
);
CREATE INDEX activity_by ON activity (by, place);
CREATE INDEX activity_verb ON activity (verb, place);
CREATE INDEX activity_object ON activity (object, place);
