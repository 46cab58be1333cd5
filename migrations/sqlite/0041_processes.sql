-- Commands that keep running in the background when their call is over. A row without an end whose
-- process this program does not know was ended together with an earlier run of the program.
CREATE TABLE processes (
    id         INTEGER PRIMARY KEY,
    turn_id    INTEGER NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    call_id    TEXT NOT NULL,           -- with the turn: how the model names it
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    user_id    INTEGER NOT NULL REFERENCES users (id),
    command    TEXT NOT NULL,           -- for people, while it runs; empty when it has ended
    started_ms INTEGER NOT NULL,
    until_ms   INTEGER NOT NULL,        -- when it is ended at the latest
    stop_ms    INTEGER,                 -- since when somebody wants it stopped
    ended_ms   INTEGER,
    ended      TEXT,                    -- how it ended, as JSON
    told       INTEGER NOT NULL DEFAULT 0 -- whether a later turn was told of the end
) STRICT;
CREATE INDEX processes_running ON processes (session_id) WHERE ended_ms IS NULL;
CREATE INDEX processes_untold ON processes (session_id, user_id) WHERE ended_ms IS NOT NULL AND told = 0;
CREATE INDEX processes_by_turn ON processes (turn_id, call_id);
