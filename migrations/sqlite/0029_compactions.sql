-- What stands for the older turns of a session in later prompts. It is made from them, so what is
-- deleted here can be made again.
CREATE TABLE compactions (
    id         INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    until_seq  INTEGER NOT NULL,        -- it stands for the turns that ended up to this place
    at_seq     INTEGER NOT NULL,        -- how many turns had ended when it was made
    text       TEXT,                    -- NULL: no model summed them up, and they are left out
    taint      TEXT NOT NULL,           -- JSON
    turns      TEXT NOT NULL            -- those that it was made from, also by way of one before, as JSON
) STRICT;
CREATE INDEX compactions_of_session ON compactions (session_id, id);

-- One row for a session whose older turns are to be summed up, until that was done.
CREATE TABLE compacting (
    session_id INTEGER PRIMARY KEY REFERENCES sessions (id),
    user_id    INTEGER NOT NULL REFERENCES users (id), -- who pays
    address    TEXT NOT NULL,           -- where it is said, as JSON
    asked      INTEGER NOT NULL,        -- whether somebody asked for it and waits for a receipt
    due_ms     INTEGER NOT NULL,        -- not before
    tries      INTEGER NOT NULL         -- how often a model was asked
) STRICT;
CREATE INDEX compacting_due ON compacting (due_ms);
