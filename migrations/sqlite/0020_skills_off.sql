-- Skills that a person, or a group, has switched off for itself: what is not here is on.
CREATE TABLE skills_off (
    owner_kind TEXT NOT NULL,           -- whose choice it is, as in `memories`
    owner_id   INTEGER NOT NULL,
    name       TEXT NOT NULL,
    off_ms     INTEGER NOT NULL,
    PRIMARY KEY (owner_kind, owner_id, name)
) STRICT, WITHOUT ROWID;
