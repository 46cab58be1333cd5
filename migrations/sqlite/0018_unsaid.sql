-- What was forgotten is not to come back by whatever makes an index anew.

-- Whether something that was said in the turn is forgotten: it leaves no lines, no summary, and nothing
-- to learn.
ALTER TABLE turns ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0;

-- The words behind `/forget` while the card may be answered, where lines hold all of them.
ALTER TABLE forgettings ADD COLUMN words TEXT;

-- Turns that have ended and whose lines could not be indexed.
CREATE TABLE unindexed_turns (
    turn_id INTEGER PRIMARY KEY REFERENCES turns (id) ON DELETE CASCADE,
    tries   INTEGER NOT NULL,
    due_ms  INTEGER NOT NULL            -- not before
) STRICT;
