-- What a person wants done again and again, or once later. Nothing runs them yet.
CREATE TABLE routines (
    id         INTEGER PRIMARY KEY,
    user_id    INTEGER NOT NULL REFERENCES users (id),    -- whose it is, and for whom its turns act
    chat_id    INTEGER NOT NULL REFERENCES chats (id),    -- where it was made
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    schedule   TEXT NOT NULL,           -- five fields of cron, `every N minutes`, or `at DAY TIME`
    prompt     TEXT NOT NULL,           -- what is to be done
    taint      TEXT,                    -- the untrusted text that was in view when it was written
    enabled    INTEGER NOT NULL DEFAULT 1,
    created_ms INTEGER NOT NULL,
    changed_ms INTEGER NOT NULL,
    next_ms    INTEGER,                 -- when it is due; NULL: not any more
    last_ms    INTEGER                  -- when it last ran
) STRICT;
CREATE INDEX routines_by_user ON routines (user_id, id);
CREATE INDEX routines_due ON routines (next_ms) WHERE enabled AND next_ms IS NOT NULL;
