-- What files of a workspace were before calls changed them, for `/undo`.
CREATE TABLE file_changes (
    id      INTEGER PRIMARY KEY,
    turn_id INTEGER NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    call_id TEXT NOT NULL,
    path    TEXT NOT NULL,              -- in the workspace
    was     TEXT,                       -- digest; NULL: it was not there; '': too long to be read
    content BLOB,                       -- NULL: it was not there, or too long to be kept
    mode    INTEGER,                    -- permissions
    becomes TEXT NOT NULL,              -- digest of what the call writes
    own     INTEGER NOT NULL            -- whether nothing from outside had come into the workspace
) STRICT;
CREATE INDEX file_changes_of_turn ON file_changes (turn_id, id);

-- Wishes to have the changes of a turn put back.
CREATE TABLE undos (
    id         INTEGER PRIMARY KEY,
    token      TEXT NOT NULL UNIQUE,    -- what the buttons of its card carry
    turn_id    INTEGER NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    user_id    INTEGER NOT NULL REFERENCES users (id), -- who wants it
    address    TEXT NOT NULL,           -- where it was said, as JSON
    reply_to   TEXT,
    state      TEXT NOT NULL,           -- wanted, open (asked), confirmed, over
    expires_ms INTEGER NOT NULL         -- of the card
) STRICT;
CREATE INDEX undos_of_turn ON undos (turn_id);
CREATE INDEX undos_due ON undos (state) WHERE state IN ('wanted', 'confirmed');
