-- Each word of an index begins with the mark of its owner (store/word_index.rs), so that a search walks
-- through the rows of one owner only. Words from before have none; their rows say in `owner` whose they
-- are, until they are indexed again. Rows with marks say nothing there.
INSERT INTO reindexing
VALUES ('memories', 2, 0, (SELECT coalesce(max(id), 0) FROM memories)),
       ('lines', 2, 0, (SELECT coalesce(max(id), 0) FROM lines))
ON CONFLICT (name) DO UPDATE SET
    spelling = excluded.spelling, done_id = 0, until_id = excluded.until_id;

-- How many memories each owner has: what is rare among them is not counted out for each question.
CREATE TABLE memory_counts (
    owner_kind TEXT NOT NULL,
    owner_id   INTEGER NOT NULL,
    entries    INTEGER NOT NULL,
    PRIMARY KEY (owner_kind, owner_id)
) STRICT, WITHOUT ROWID;
INSERT INTO memory_counts
SELECT owner_kind, owner_id, count(*) FROM memories GROUP BY owner_kind, owner_id;
CREATE TRIGGER memories_are_counted AFTER INSERT ON memories
BEGIN
    INSERT INTO memory_counts VALUES (new.owner_kind, new.owner_id, 1)
    ON CONFLICT (owner_kind, owner_id) DO UPDATE SET entries = entries + 1;
END;
CREATE TRIGGER memories_are_counted_off AFTER DELETE ON memories
BEGIN
    UPDATE memory_counts SET entries = entries - 1
    WHERE owner_kind = old.owner_kind AND owner_id = old.owner_id;
    DELETE FROM memory_counts
    WHERE owner_kind = old.owner_kind AND owner_id = old.owner_id AND entries <= 0;
END;

-- What a profile is made of, for a turn to read nothing else of all that is remembered.
CREATE INDEX memories_of_profile ON memories (owner_kind, owner_id)
WHERE kind = 'fact' AND topic IN ('profile', 'preference', 'relation');
