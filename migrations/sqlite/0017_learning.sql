-- What is still to be learned from turns that ended, and what was, with the button that undoes it.

-- Whether something may still be learned from the turn. Turns from before this version are let be.
ALTER TABLE turns ADD COLUMN to_learn INTEGER NOT NULL DEFAULT 0;
CREATE INDEX turns_to_learn ON turns (session_id, user_id, id) WHERE to_learn = 1;

-- One row for a user of a session of whom something may be learned, until that was done.
CREATE TABLE lessons (
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    user_id    INTEGER NOT NULL REFERENCES users (id),
    due_ms     INTEGER NOT NULL,        -- not before
    tries      INTEGER NOT NULL,        -- how often a model was asked about it
    PRIMARY KEY (session_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX lessons_due ON lessons (due_ms);

-- What was learned at once. `state`: open, undone.
CREATE TABLE learned (
    id         INTEGER PRIMARY KEY,
    token      TEXT NOT NULL UNIQUE,
    user_id    INTEGER NOT NULL REFERENCES users (id), -- who may undo it
    chat_id    INTEGER NOT NULL REFERENCES chats (id), -- where
    owner      TEXT NOT NULL,           -- whose memory it is in, as JSON
    facts      TEXT NOT NULL,           -- what became of each, as JSON
    state      TEXT NOT NULL
) STRICT;
