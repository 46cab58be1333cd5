-- What is remembered. No query reads a row without its owner.

-- `owner_kind`: user, chat. `kind`: fact, episode. A memory outlives the turn that it comes from.
CREATE TABLE memories (
    id         INTEGER PRIMARY KEY,
    owner_kind TEXT NOT NULL,
    owner_id   INTEGER NOT NULL,
    kind       TEXT NOT NULL,
    text       TEXT NOT NULL,
    turn_id    INTEGER NOT NULL,
    created_ms INTEGER NOT NULL,
    touched_ms INTEGER NOT NULL,        -- when it was last said
    UNIQUE (owner_kind, owner_id, text)
) STRICT;

-- The words of each memory, as memory/bigrams.rs makes them; the text itself is not kept twice.
-- `owner` holds one word, so that a search walks through the rows of one owner only.
CREATE VIRTUAL TABLE memory_words USING fts5 (
    owner, words,
    content = '', contentless_delete = 1,
    tokenize = 'porter unicode61 remove_diacritics 2'
);
