-- What was said, line by line, to be found again. The texts stay where they are: in the inbox, and in
-- the journal of their turn.

-- What was said in a session without a long pause.
CREATE TABLE stretches (
    id         INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    owner_kind TEXT NOT NULL,           -- user, chat
    owner_id   INTEGER NOT NULL,
    lines      INTEGER NOT NULL,        -- how many places are taken
    last_ms    INTEGER NOT NULL,
    merged     INTEGER NOT NULL DEFAULT 0 -- whether its summaries of turns were made fewer
) STRICT;
CREATE INDEX stretches_by_session ON stretches (session_id, last_ms);
CREATE INDEX stretches_by_owner ON stretches (owner_kind, owner_id);
CREATE INDEX stretches_unmerged ON stretches (last_ms) WHERE merged = 0;

-- A line has the id of what holds its text: of the row of the inbox, or of the turn whose outcome it is.
CREATE TABLE lines (
    id         INTEGER PRIMARY KEY,
    owner_kind TEXT NOT NULL,           -- user, chat
    owner_id   INTEGER NOT NULL,
    turn_id    INTEGER NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
    user_id    INTEGER NOT NULL,        -- who said it, or was answered
    stretch_id INTEGER NOT NULL REFERENCES stretches (id),
    place      INTEGER NOT NULL,        -- in the stretch
    at_ms      INTEGER NOT NULL,
    taint      TEXT                     -- as in memories
) STRICT;
CREATE INDEX lines_by_turn ON lines (turn_id);
CREATE INDEX lines_by_place ON lines (stretch_id, place);
CREATE INDEX lines_by_time ON lines (owner_kind, owner_id, at_ms);
CREATE INDEX lines_by_user ON lines (user_id, at_ms) WHERE id <> turn_id;

-- Their words, as in memory_words. `owner` is one word, and for what a user said in a group one more.
CREATE VIRTUAL TABLE line_words USING fts5 (
    owner, words,
    content = '', contentless_delete = 1,
    tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE TRIGGER lines_take_their_words AFTER DELETE ON lines
BEGIN
    DELETE FROM line_words WHERE rowid = old.id;
END;

CREATE TRIGGER lines_go_with_their_text AFTER UPDATE OF said ON inbox WHEN new.said = ''
BEGIN
    DELETE FROM lines WHERE id = new.id;
END;

-- The summary that a turn is part of since the summaries of its stretch were merged.
ALTER TABLE turns ADD COLUMN episode_id INTEGER;
CREATE INDEX turns_by_episode ON turns (episode_id) WHERE episode_id IS NOT NULL;
CREATE INDEX memories_by_turn ON memories (turn_id);

-- What is to be indexed again in the background: rows up to `until_id`, of which those up to `done_id`
-- are done. `name`: turns (whose lines are to be found), memories, lines.
CREATE TABLE reindexing (
    name     TEXT PRIMARY KEY,
    spelling INTEGER NOT NULL,          -- how words are made, as memory/upkeep.rs counts
    done_id  INTEGER NOT NULL,
    until_id INTEGER NOT NULL
) STRICT;
INSERT INTO reindexing
VALUES ('turns', 0, 0, (SELECT coalesce(max(id), 0) FROM turns)),
       ('memories', 0, 0, (SELECT coalesce(max(id), 0) FROM memories));
