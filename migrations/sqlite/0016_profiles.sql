-- What people wrote of themselves for the model to know: the part of USER.md that is theirs.
CREATE TABLE profiles (
    user_id    INTEGER PRIMARY KEY REFERENCES users (id),
    text       TEXT NOT NULL,
    written_ms INTEGER NOT NULL
) STRICT;
