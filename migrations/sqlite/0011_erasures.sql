-- Forgetting a person: who said what was only overheard, and erasures that must be finished.

-- The account that did it, as `senders` names it; NULL: an event from before.
ALTER TABLE inbox ADD COLUMN sender TEXT;

-- A person who asked to be erased. `state`: open (asked once more), refused, expired, wanted (waits
-- until none of their turns goes on), cleared (gone from the tables, not from the files yet), done.
CREATE TABLE erasures (
    id         INTEGER PRIMARY KEY,
    token      TEXT NOT NULL UNIQUE,
    user_id    INTEGER NOT NULL REFERENCES users (id), -- who asked
    chat_id    INTEGER NOT NULL REFERENCES chats (id), -- where it may be pressed
    address    TEXT NOT NULL,           -- where the outcome is said, as JSON
    expires_ms INTEGER NOT NULL,
    state      TEXT NOT NULL,
    users      TEXT NOT NULL,           -- every account of the person, as a JSON array
    wanted_ms  INTEGER,                 -- since when
    traces     TEXT                     -- what the trace still has to lose, as JSON; NULL: nothing
) STRICT;
CREATE INDEX erasures_unfinished ON erasures (state) WHERE state IN ('open', 'wanted', 'cleared');

-- The trace goes on behind a row of the journal, so a row's number is never used again, also when the
-- last rows are erased or the file is rewritten.
CREATE TABLE numbered_journal (
    row     INTEGER PRIMARY KEY AUTOINCREMENT,
    turn_id INTEGER NOT NULL REFERENCES turns (id),
    seq     INTEGER NOT NULL,
    kind    TEXT NOT NULL,
    body    TEXT NOT NULL,
    at_ms   INTEGER NOT NULL,
    UNIQUE (turn_id, seq)
) STRICT;
INSERT INTO numbered_journal SELECT rowid, turn_id, seq, kind, body, at_ms FROM journal;
DROP TABLE journal;
ALTER TABLE numbered_journal RENAME TO journal;
