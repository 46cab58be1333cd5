-- What is known of a fact beside its text, and what may not come back once it was forgotten.

-- The table is made anew: a text may stand there again once it was superseded. Its vectors would go
-- with the old table.
CREATE TABLE kept_vectors AS SELECT * FROM memory_vectors;
DROP TABLE memory_vectors;

CREATE TABLE memories_with_validity (
    id            INTEGER PRIMARY KEY,
    owner_kind    TEXT NOT NULL,
    owner_id      INTEGER NOT NULL,
    kind          TEXT NOT NULL,
    text          TEXT NOT NULL,
    turn_id       INTEGER NOT NULL,
    created_ms    INTEGER NOT NULL,
    touched_ms    INTEGER NOT NULL,     -- when it was last said
    taint         TEXT,                 -- JSON; NULL: no untrusted text was in view when it was written
    topic         TEXT,                 -- preference, profile, relation, project, procedure
    source        TEXT,                 -- of a fact: told, learned, written; no model can say which
    confidence    INTEGER NOT NULL DEFAULT 100, -- percent
    valid_from_ms INTEGER,              -- NULL: since it was first said
    valid_until_ms INTEGER,             -- as it was said; NULL: it holds on
    superseded_by INTEGER,              -- the memory that says how it is now; it may be gone by now
    superseded_ms INTEGER,              -- from then on it does not hold, whatever was said
    recalled_ms   INTEGER,              -- when it was last recalled
    recalls       INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO memories_with_validity
    (id, owner_kind, owner_id, kind, text, turn_id, created_ms, touched_ms, taint, source)
SELECT id, owner_kind, owner_id, kind, text, turn_id, created_ms, touched_ms, taint,
       CASE kind WHEN 'fact' THEN 'told' END
FROM memories;
DROP TABLE memories;
ALTER TABLE memories_with_validity RENAME TO memories;
CREATE UNIQUE INDEX memories_current ON memories (owner_kind, owner_id, text)
    WHERE superseded_by IS NULL;
CREATE INDEX memories_superseded ON memories (superseded_by) WHERE superseded_by IS NOT NULL;

CREATE TABLE memory_vectors (
    owner_kind  TEXT NOT NULL,
    owner_id    INTEGER NOT NULL,
    embedder_id INTEGER NOT NULL REFERENCES embedders (id),
    memory_id   INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    scale       REAL NOT NULL,
    bytes       BLOB NOT NULL,
    UNIQUE (memory_id, embedder_id)
) STRICT;
INSERT INTO memory_vectors SELECT * FROM kept_vectors;
DROP TABLE kept_vectors;
CREATE INDEX memory_vectors_of_owner
    ON memory_vectors (owner_kind, owner_id, embedder_id, memory_id);
CREATE TRIGGER memory_vectors_follow_the_text AFTER UPDATE OF text ON memories
WHEN new.text <> old.text
BEGIN
    DELETE FROM memory_vectors WHERE memory_id = old.id;
END;

-- What hashes the words of an owner's tombstones.
CREATE TABLE tombstone_keys (
    owner_kind TEXT NOT NULL,
    owner_id   INTEGER NOT NULL,
    key        BLOB NOT NULL,
    PRIMARY KEY (owner_kind, owner_id)
) STRICT, WITHOUT ROWID;

-- What was forgotten and may not be learned again; its words are kept as hashes only.
CREATE TABLE tombstones (
    id         INTEGER PRIMARY KEY,
    owner_kind TEXT NOT NULL,
    owner_id   INTEGER NOT NULL,
    user_id    INTEGER,                 -- whose words they were, where that was known
    words      INTEGER NOT NULL,        -- how many
    telling    INTEGER NOT NULL,        -- whether they say enough to be found among more words
    buried_ms  INTEGER NOT NULL
) STRICT;
CREATE INDEX tombstones_of_owner ON tombstones (owner_kind, owner_id);
CREATE TABLE tombstone_words (
    word         INTEGER NOT NULL,
    tombstone_id INTEGER NOT NULL REFERENCES tombstones (id) ON DELETE CASCADE,
    PRIMARY KEY (word, tombstone_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX tombstone_words_of_one ON tombstone_words (tombstone_id);
