-- Skills that somebody else wrote: which of them an owner approved, and which wait for an owner.

-- A skill as it was approved. It is loaded only while its files have this hash.
CREATE TABLE skill_pins (
    owner_kind TEXT NOT NULL,           -- whose workspace it is in, as in `memories`; `all`: it is installed
    owner_id   INTEGER NOT NULL,        -- 0 for `all`
    name       TEXT NOT NULL,
    hash       TEXT NOT NULL,           -- of all its files
    kept       TEXT NOT NULL,           -- its files, as JSON, to show later what changed
    pinned_ms  INTEGER NOT NULL,
    PRIMARY KEY (owner_kind, owner_id, name)
) STRICT;

-- `wish`: install (copy into place), pin (load what is there), remove.
-- `state`: wanted (is looked at), open (an owner is asked), denied, expired, approved (is put in place),
-- placed (is loaded next), done, failed.
CREATE TABLE skill_reviews (
    id         INTEGER PRIMARY KEY,
    token      TEXT NOT NULL UNIQUE,
    wish       TEXT NOT NULL,
    source     TEXT NOT NULL,           -- as it was written: where it is taken from, or its name
    user_id    INTEGER NOT NULL REFERENCES users (id), -- who asked
    chat_id    INTEGER NOT NULL REFERENCES chats (id), -- where it may be pressed
    address    TEXT NOT NULL,           -- where it is asked, as JSON
    place_kind TEXT NOT NULL,           -- whose workspace it was asked in
    place_id   INTEGER NOT NULL,
    owner_kind TEXT NOT NULL,           -- as in `skill_pins`, once it is known
    owner_id   INTEGER NOT NULL,
    name       TEXT NOT NULL,           -- empty until it is known
    hash       TEXT NOT NULL,
    kept       TEXT NOT NULL,
    expires_ms INTEGER NOT NULL,
    state      TEXT NOT NULL
) STRICT;
CREATE INDEX skill_reviews_unfinished ON skill_reviews (state)
    WHERE state IN ('wanted', 'open', 'approved', 'placed');
