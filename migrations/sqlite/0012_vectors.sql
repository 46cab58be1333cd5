-- What memories mean, as an embedder says it: one vector for each memory and embedder.

-- Vectors can be compared within one of these only.
CREATE TABLE embedders (
    id        INTEGER PRIMARY KEY,
    name      TEXT NOT NULL,
    dimension INTEGER NOT NULL,
    UNIQUE (name, dimension)
) STRICT;

-- A number of the vector is a signed byte times `scale`. The owner is that of the memory.
CREATE TABLE memory_vectors (
    owner_kind  TEXT NOT NULL,
    owner_id    INTEGER NOT NULL,
    embedder_id INTEGER NOT NULL REFERENCES embedders (id),
    memory_id   INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
    scale       REAL NOT NULL,
    bytes       BLOB NOT NULL,
    UNIQUE (memory_id, embedder_id)
) STRICT;

CREATE INDEX memory_vectors_of_owner
    ON memory_vectors (owner_kind, owner_id, embedder_id, memory_id);

-- A vector of what is no longer said would find the wrong thing.
CREATE TRIGGER memory_vectors_follow_the_text AFTER UPDATE OF text ON memories
WHEN new.text <> old.text
BEGIN
    DELETE FROM memory_vectors WHERE memory_id = old.id;
END;
