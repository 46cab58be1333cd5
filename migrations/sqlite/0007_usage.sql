-- What model calls cost, and what owners allow beyond the limits of a day.

-- One row for what a user spent in a session on a day. A session makes one model call at a time, so
-- what is set aside for it stands beside: it counts as spent, also when nobody ever books the call.
CREATE TABLE usage (
    user_id           INTEGER NOT NULL REFERENCES users (id),
    day               TEXT NOT NULL,    -- in the zone of the instance: 2026-11-22
    session_id        INTEGER NOT NULL REFERENCES sessions (id),
    routine           TEXT NOT NULL,    -- its name; empty where a person asked
    calls             INTEGER NOT NULL,
    prompt_tokens     INTEGER NOT NULL, -- cached ones included
    cached_tokens     INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    estimated_tokens  INTEGER NOT NULL, -- of all, those that no provider counted
    unpriced_tokens   INTEGER NOT NULL, -- of all, those of models without a price
    micros            INTEGER NOT NULL, -- money, in millionths
    open_tokens       INTEGER NOT NULL, -- set aside
    open_micros       INTEGER NOT NULL,
    PRIMARY KEY (user_id, day, session_id, routine)
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_by_day ON usage (day);
CREATE INDEX usage_by_routine ON usage (routine, day) WHERE routine <> '';

-- What a turn spent, or has set aside.
ALTER TABLE turns ADD COLUMN spent_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE turns ADD COLUMN spent_micros INTEGER NOT NULL DEFAULT 0;

-- What was said and allowed about a limit on a day. `scope`: user, routine, instance, month.
CREATE TABLE budget_days (
    user_id INTEGER NOT NULL,           -- 0: nobody's
    day     TEXT NOT NULL,
    scope   TEXT NOT NULL,
    routine TEXT NOT NULL,
    percent INTEGER NOT NULL,           -- of the configured limit
    told_ms INTEGER,                    -- when somebody was told that little is left
    PRIMARY KEY (user_id, day, scope, routine)
) STRICT, WITHOUT ROWID;

-- Owners who are asked to raise a limit for the rest of a day. `state`: open, raised, refused, expired.
CREATE TABLE budget_cards (
    id         INTEGER PRIMARY KEY,
    token      TEXT NOT NULL UNIQUE,
    user_id    INTEGER NOT NULL,        -- as in budget_days
    day        TEXT NOT NULL,
    scope      TEXT NOT NULL,
    routine    TEXT NOT NULL,
    addresses  TEXT NOT NULL,           -- who waits for the answer, as a JSON array
    expires_ms INTEGER NOT NULL,
    state      TEXT NOT NULL
) STRICT;
CREATE INDEX budget_cards_by_day ON budget_cards (user_id, day, scope, routine);
CREATE INDEX budget_cards_open ON budget_cards (expires_ms) WHERE state = 'open';
