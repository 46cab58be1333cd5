-- What a message does that is said while its person's turn runs: 'steer' (joins it), 'queue' (waits for
-- a turn of its own) or 'interrupt' (comes next). NULL is a message of before, which joins.
ALTER TABLE inbox ADD COLUMN while_busy TEXT;

-- The notice about what a person has waiting for a turn of its own, until nothing of it waits.
CREATE TABLE queued_notices (
    id         INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    user_id    INTEGER NOT NULL REFERENCES users (id),
    UNIQUE (session_id, user_id)
) STRICT;
